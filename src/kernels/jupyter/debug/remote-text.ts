import type { Runtime } from "node:inspector";
import { inspect } from "node:util";
import { clip, visible } from "../../../display/index.ts";

const MAX_TEXT_LENGTH = 1000;
const HEAD = /^(?:async\s+)?(?:function\b\s*\*?\s*)?([\w$]*\s*\([^)]*\)|[\w$]+)/;

/** A value of the other thread as one line. */
export function textOf({ type, subtype, value, description, preview }: Runtime.RemoteObject): string {
  if (type === "string") return quoted(String(value));
  if (type === "function") return functionText(description ?? "");
  if (subtype === "internal#entry") return line(description ?? "");
  if (subtype === "error") return line(description?.split("\n")[0] ?? "Error");
  if (preview) return line(previewText(preview));
  return line(description ?? String(value));
}

/** Returns the type of a value in the other thread: its class, or its primitive type. */
export function typeOf({ type, subtype, className, description = "" }: Runtime.RemoteObject): string {
  if (subtype === "null") return "null";
  if (type === "function") return description.startsWith("class") ? "class" : "function";
  return className ?? type;
}

const line = (text: string) => visible(clip(text.replace(/\s+/g, " "), MAX_TEXT_LENGTH));
const quoted = (text: string) => line(inspect(text));

function functionText(source: string): string {
  if (source.startsWith("class")) return line(source.slice(0, source.indexOf("{")).trim() || "class");
  const [head = ""] = HEAD.exec(source) ?? [];
  return line(`ƒ ${head.replace(/^(?:async\s+)?function\b\s*\*?\s*/, "")}`.trim());
}

function previewText({
  subtype,
  description = "",
  properties,
  entries,
  overflow,
}: Runtime.ObjectPreview): string {
  if (subtype === "date" || subtype === "regexp" || subtype === "null") return description || "null";
  const isList = subtype === "array" || subtype === "typedarray";
  const texts = entries
    ? entries.map(({ key, value }) => (key ? `${entryText(key)} => ` : "") + entryText(value))
    : properties.map(
        each => (isList && /^\d+$/.test(each.name) ? "" : `${each.name}: `) + propertyText(each),
      );
  const inner = [...texts, ...(overflow ? ["…"] : [])].join(", ");
  if (subtype === "array") return `[${inner}]`;
  if (isList) return `${description} [${inner}]`;
  return `${description === "Object" ? "" : `${description} `}{${inner}}`;
}

function propertyText({ type, value, subtype }: Runtime.PropertyPreview): string {
  if (type === "string") return inspect(value ?? "");
  if (type === "function") return "ƒ";
  if (type === "accessor") return "(getter)";
  return value || subtype || type;
}

function entryText(preview: Runtime.ObjectPreview): string {
  if (preview.type === "string") return inspect(preview.description ?? "");
  return preview.type === "object" ? previewText(preview) : (preview.description ?? preview.type);
}
