import type { Runtime } from "node:inspector";
import { inspect } from "node:util";
import { clip, visible } from "../../../display/index.ts";
import { type Inspector, VALUES } from "./inspector.ts";

/** A variable as the Debug Adapter Protocol describes it. */
export interface Variable {
  name: string;
  value: string;
  type: string;
  /** An expression that has the variable's value. */
  evaluateName?: string | undefined;
  /** Reference for requests of the value's parts; 0 where it has none. */
  variablesReference: number;
  indexedVariables?: number;
  presentationHint?: { kind?: string; attributes?: string[]; lazy?: boolean };
}

export interface Page {
  filter?: unknown;
  start?: unknown;
  count?: unknown;
}

export type Variables = ReturnType<typeof openVariables>;

type List = (page: Page) => Promise<Variable[]>;

const MAX_PROPERTIES = 1000;
const CHUNK_SIZE = 100;
const INTERNAL = new Set([
  "[[Entries]]",
  "[[PromiseState]]",
  "[[PromiseResult]]",
  "[[TargetFunction]]",
  "[[Target]]",
  "[[Handler]]",
]);
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

const FEWER = `function (most) {
  const keys = Reflect.ownKeys(this);
  if (keys.length <= most) return this;
  const some = {};
  for (const key of keys.slice(0, most)) Object.defineProperty(some, key, Object.getOwnPropertyDescriptor(this, key));
  some["…"] = keys.length - most + " more";
  return some;
}`;
const ELEMENTS = `function (start, end) {
  const some = Object.create(null);
  for (let at = start; at < end && at < this.length; at += 1) if (at in this) some[at] = this[at];
  return some;
}`;

export function openVariables(inspector: Inspector) {
  const references = new Map<number, List>();
  let last = 0;

  function refer(list: List): number {
    last += 1;
    references.set(last, list);
    return last;
  }

  function describe(
    name: string,
    value: Runtime.RemoteObject,
    evaluateName: string | undefined = IDENTIFIER.test(name) ? name : undefined,
  ): Variable {
    const { objectId, subtype } = value;
    const length = lengthOf(value);
    const list: List = async ({ filter, start, count }) => {
      if (objectId === undefined || (length !== undefined && filter === "named")) return [];
      if (length === undefined) return properties(objectId, evaluateName, subtype === "proxy");
      const from = Math.max(0, Number(start) || 0);
      const end = Math.min(length, Number(count) > 0 ? from + Number(count) : length);
      return elements(objectId, from, end, evaluateName);
    };
    return {
      name,
      value: textOf(value),
      type: typeOf(value),
      evaluateName,
      variablesReference: objectId === undefined || value.type === "symbol" ? 0 : refer(list),
      ...(length !== undefined && { indexedVariables: length }),
    };
  }

  async function elements(
    objectId: string,
    start: number,
    end: number,
    parent: string | undefined,
  ): Promise<Variable[]> {
    const count = end - start;
    if (count <= CHUNK_SIZE) {
      const part = await call(objectId, ELEMENTS, [start, end]);
      return part.objectId ? properties(part.objectId, parent) : [];
    }
    const size = CHUNK_SIZE ** Math.ceil(Math.log(count) / Math.log(CHUNK_SIZE) - 1);
    return Array.from({ length: Math.ceil(count / size) }, (_, index) => {
      const from = start + index * size;
      const to = Math.min(end, from + size);
      return {
        name: `[${from} … ${to - 1}]`,
        value: "",
        type: "",
        variablesReference: refer(() => elements(objectId, from, to, parent)),
      };
    });
  }

  async function properties(objectId: string, parent?: string, isProxy = false): Promise<Variable[]> {
    // A proxy's traps are the program's own, which must not run.
    const fewer = isProxy ? undefined : await call(objectId, FEWER, [MAX_PROPERTIES]);
    const parameters = { objectId: fewer?.objectId ?? objectId, ownProperties: true, generatePreview: true };
    const { result, internalProperties, privateProperties } = await inspector.ask<
      Runtime.GetPropertiesReturnType & { privateProperties?: Runtime.PropertyDescriptor[] }
    >("Runtime.getProperties", parameters);
    const own = [...result, ...(privateProperties ?? [])].map(({ name, value, get }) =>
      value ? describe(name, value, memberOf(parent, name)) : accessor(name, get?.objectId, objectId),
    );
    const internal = (internalProperties ?? [])
      .filter(({ name, value }) => INTERNAL.has(name) && value)
      .map(({ name, value }) => describe(name, value!));
    return [...own, ...internal];
  }

  /** A getter may do anything, so it runs when its value is asked for. */
  function accessor(name: string, getter: string | undefined, objectId: string): Variable {
    if (getter === undefined) return { name, value: "(setter)", type: "accessor", variablesReference: 0 };
    const list = async () => [
      describe(
        name,
        await call(objectId, "function (get) { return get.call(this) }", [{ objectId: getter }]),
      ),
    ];
    return {
      name,
      value: "(getter)",
      type: "accessor",
      variablesReference: refer(list),
      presentationHint: { lazy: true },
    };
  }

  async function call(
    objectId: string,
    functionDeclaration: string,
    given: readonly (number | { objectId: string })[],
  ): Promise<Runtime.RemoteObject> {
    const { result } = await inspector.ask<Runtime.CallFunctionOnReturnType>("Runtime.callFunctionOn", {
      objectId,
      functionDeclaration,
      arguments: given.map(each => (typeof each === "number" ? { value: each } : each)),
      objectGroup: VALUES,
      generatePreview: true,
      silent: true,
    });
    return result;
  }

  return {
    describe,
    refer,
    properties,
    list: async (reference: number, page: Page) => (await references.get(reference)?.(page)) ?? [],
    /** Forgets all references, and lets go of their objects. */
    forget() {
      references.clear();
      void inspector.ask("Runtime.releaseObjectGroup", { objectGroup: VALUES }).catch(() => undefined);
    },
  };
}

function lengthOf({ subtype, description = "" }: Runtime.RemoteObject): number | undefined {
  const isList = subtype === "array" || subtype === "typedarray";
  const length = isList ? /\((\d+)\)$/.exec(description)?.[1] : undefined;
  return length === undefined ? undefined : Number(length);
}

function memberOf(parent: string | undefined, name: string): string | undefined {
  if (parent === undefined) return undefined;
  if (/^\d+$/.test(name)) return `${parent}[${name}]`;
  return IDENTIFIER.test(name.replace(/^#/, "")) ? `${parent}.${name}` : `${parent}[${JSON.stringify(name)}]`;
}

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
