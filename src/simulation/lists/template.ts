/** What an item of a list has of its own beside its shape. */
export type Leaf = number | string | object;

/** What items of one shape have in common, with places for that in which they differ. */
export type Template =
  | { readonly kind: "number" | "bigint" | "string" | "shared" }
  | { readonly kind: "fixed"; readonly value: unknown }
  | { readonly kind: "list"; readonly items: readonly Template[] }
  | { readonly kind: "object"; readonly keys: readonly string[]; readonly fields: readonly Template[] };

/** What is said of the shapes of a list's items. */
export interface Shaping {
  /** Keys of strings and of types, in which items of one shape agree. */
  readonly keys: ReadonlySet<string>;
  /** Objects that stay one object in all items that have them. */
  readonly shared: WeakSet<object>;
}

/** The longest list that is taken apart, of numbers and of objects. */
const MAX_LIST = 8;
const MAX_OBJECTS = 64;
/** The number of words that are told apart in a hash. */
const MAX_CODES = 1024;

/** Returns the template of a value and adds its leaves; objects that are shared are leaves as they are. */
export function templateOf(value: unknown, leaves: Leaf[], shaping: Shaping, key = ""): Template {
  if (shaping.keys.has(key)) return { kind: "fixed", value };
  if (typeof value === "number" || typeof value === "string") {
    leaves.push(value);
    return { kind: typeof value } as Template;
  }
  if (typeof value === "bigint" && isSafe(value)) {
    leaves.push(Number(value));
    return { kind: "bigint" };
  }
  if (typeof value !== "object" || value === null) return { kind: "fixed", value };
  if (isLeaf(value, shaping)) {
    leaves.push(value);
    return { kind: "shared" };
  }
  if (Array.isArray(value))
    return { kind: "list", items: value.map(item => templateOf(item, leaves, shaping)) };
  const keys = Object.keys(value);
  const fields = keys.map(name =>
    templateOf((value as Record<string, unknown>)[name], leaves, shaping, name),
  );
  return { kind: "object", keys, fields };
}

/** Returns a number that is the same for values of one shape, and mostly another for those of another one. */
export function shapeHash(value: unknown, shaping: Shaping, key = ""): number {
  if (typeof value === "string") return codeOf(shaping.keys.has(key) ? value : "");
  if (typeof value === "number" || typeof value === "bigint") return codeOf(typeof value);
  if (typeof value !== "object" || value === null) return codeOf(String(value));
  if (shaping.keys.has(key) && isType(value)) return codeOf(`${value.kind} ${value.width}`);
  if (isLeaf(value, shaping)) return 1;
  let hash = 2;
  if (Array.isArray(value)) for (const item of value) hash = joined(hash, shapeHash(item, shaping));
  else
    for (const name in value)
      hash = joined(hash, shapeHash((value as Record<string, unknown>)[name], shaping, name));
  return hash;
}

const joined = (hash: number, next: number): number => (Math.imul(hash, 31) + next) | 0;

const CODES = new Map<string, number>();

/** Returns a number that stands for a word of the language, or of ours. */
function codeOf(word: string): number {
  let code = CODES.get(word);
  if (code === undefined) {
    code = Math.imul(CODES.size + 1, 0x9e3779b1);
    if (CODES.size < MAX_CODES) CODES.set(word, code);
  }
  return code;
}

/** Whether a value has the shape of a template; adds its leaves. */
export function matches(template: Template, value: unknown, leaves: Leaf[], shaping: Shaping): boolean {
  switch (template.kind) {
    case "fixed":
      return template.value === value || isSameType(template.value, value);
    case "number":
    case "string":
      return typeof value === template.kind && leaves.push(value as number | string) > 0;
    case "bigint":
      return typeof value === "bigint" && isSafe(value) && leaves.push(Number(value)) > 0;
    case "shared":
      return typeof value === "object" && value !== null && isLeaf(value, shaping) && leaves.push(value) > 0;
    case "list": {
      const { items } = template;
      if (!Array.isArray(value) || value.length !== items.length || isLeaf(value, shaping)) return false;
      for (let i = 0; i < items.length; i++) if (!matches(items[i]!, value[i], leaves, shaping)) return false;
      return true;
    }
    case "object": {
      if (typeof value !== "object" || value === null || isLeaf(value, shaping)) return false;
      const { keys, fields } = template;
      let count = 0;
      for (const key in value) if (key !== keys[count++]) return false;
      if (count !== keys.length) return false;
      for (let i = 0; i < count; i++)
        if (!matches(fields[i]!, (value as Record<string, unknown>)[keys[i]!], leaves, shaping)) return false;
      return true;
    }
  }
}

/** Whether an object is a leaf as it is: one that is shared, a long list, a map or a compact list. */
function isLeaf(value: object, { shared }: Shaping): boolean {
  if (shared.has(value)) return true;
  if (Array.isArray(value)) return value.length > (typeof value[0] === "object" ? MAX_OBJECTS : MAX_LIST);
  return Symbol.iterator in value;
}

const isSafe = (value: bigint): boolean =>
  value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;

/** Whether two values are the same type of the language. */
function isSameType(a: unknown, b: unknown): boolean {
  return isType(a) && isType(b) && a.kind === b.kind && a.width === b.width;
}

const isType = (value: unknown): value is { kind: unknown; width: unknown } =>
  typeof value === "object" && value !== null && "width" in value && "kind" in value;
