import { inspect, toBase64 } from "#host";
import {
  type Displayable,
  formatBytes,
  isDisplayable,
  jupyterDisplay,
  type MimeBundle,
} from "../../display/index.ts";

type Make = () => [mime: string, content: unknown];
type Given = Readonly<Record<string, unknown>>;

/** The first bytes of files, and those from the ninth on. */
const SIGNATURES: readonly (readonly [mime: string, head: string, ninth?: string])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF8"],
  ["image/webp", "RIFF", "WEBP"],
  ["application/pdf", "%PDF-"],
];
const METHODS: readonly (readonly [name: string, mime: string])[] = [
  ["toSVG", "image/svg+xml"],
  ["toSvg", "image/svg+xml"],
  ["toHTML", "text/html"],
  ["toHtml", "text/html"],
];
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,/;

const forms = new WeakMap<object, Displayable>();

/**
 * Returns a value's rich form: itself where it has one, as a picture's bytes, an element, a canvas and objects with
 * `toSVG()` or `toHtml()` have. Undefined for any other value. Never throws.
 */
export function richForm(value: unknown): Displayable | undefined {
  if (isDisplayable(value)) return value;
  if (typeof value !== "object" || value === null) return undefined;
  try {
    const known = forms.get(value);
    const make = known ? undefined : maker(value as Given);
    if (!make) return known;
    const form = { [jupyterDisplay]: () => bundleBy(make, value) };
    forms.set(value, form);
    return form;
  } catch {
    return undefined;
  }
}

/** Returns the type of a picture or document by its first bytes. */
export function fileType(bytes: Uint8Array): string | undefined {
  const first = String.fromCharCode(...bytes.subarray(0, 12));
  return SIGNATURES.find(([, head, ninth = ""]) => first.startsWith(head) && first.startsWith(ninth, 8))?.[0];
}

/** Describes binary content in a line, such as `PNG, 12 kB`. */
export const contentLabel = (mime: string, bytes: number): string =>
  `${mime.replace(/^.*\/|\+xml$/g, "").toUpperCase()}, ${formatBytes(bytes)}`;

function maker(value: Given): Make | undefined {
  if (value instanceof Uint8Array) {
    const mime = fileType(value);
    return mime === undefined ? undefined : () => [mime, value];
  }
  const { outerHTML } = value;
  if (typeof outerHTML === "string")
    return () => [/^<svg\b/i.test(outerHTML) ? "image/svg+xml" : "text/html", value.outerHTML];
  for (const [name, mime] of METHODS) {
    const method = value[name];
    if (typeof method === "function") return () => [mime, method.call(value)];
  }
  const { toDataURL } = value;
  if (typeof toDataURL !== "function") return undefined;
  return () => {
    const url = String(toDataURL.call(value));
    const [head, mime = "text/plain"] = DATA_URL.exec(url) ?? [];
    return head ? [mime, url.slice(head.length)] : [mime, url];
  };
}

function bundleBy(make: Make, value: object): MimeBundle {
  const [mime, content] = make();
  if (content instanceof Uint8Array)
    return { [mime]: toBase64(content), "text/plain": contentLabel(mime, content.length) };
  const text = inspect(value, { depth: 0 });
  return typeof content === "string" ? { [mime]: content, "text/plain": text } : { "text/plain": text };
}
