/** What a statement has of its own beside its shape. */
export type Leaf = number | string | object;

/** What statements of one shape have in common, with places for that in which they differ. */
export type Template =
  | { readonly kind: "number" | "bigint" | "string" | "shared" }
  | { readonly kind: "fixed"; readonly value: unknown }
  | { readonly kind: "list"; readonly items: readonly Template[] }
  | { readonly kind: "object"; readonly keys: readonly string[]; readonly fields: readonly Template[] };

/** Keys of strings and of types, in which statements of one shape agree. */
const SHAPE: ReadonlySet<string> = new Set(["kind", "operator", "name", "conversion", "of", "type"]);
/** The longest list of numbers that is taken apart. */
const MAX_LIST = 8;

/** Returns the template of a value and adds its leaves; objects of `shared` are leaves as they are. */
export function templateOf(value: unknown, leaves: Leaf[], shared: WeakSet<object>, key = ""): Template {
  if (SHAPE.has(key)) return { kind: "fixed", value };
  if (typeof value === "number" || typeof value === "string") {
    leaves.push(value);
    return { kind: typeof value } as Template;
  }
  if (typeof value === "bigint" && isSafe(value)) {
    leaves.push(Number(value));
    return { kind: "bigint" };
  }
  if (typeof value !== "object" || value === null) return { kind: "fixed", value };
  if (isLeaf(value, shared)) {
    leaves.push(value);
    return { kind: "shared" };
  }
  if (Array.isArray(value))
    return { kind: "list", items: value.map(item => templateOf(item, leaves, shared)) };
  const keys = Object.keys(value);
  const fields = keys.map(name => templateOf((value as Record<string, unknown>)[name], leaves, shared, name));
  return { kind: "object", keys, fields };
}

/** Whether a value has the shape of a template; adds its leaves. */
export function matches(
  template: Template,
  value: unknown,
  leaves: Leaf[],
  shared: WeakSet<object>,
): boolean {
  switch (template.kind) {
    case "fixed":
      return template.value === value || isSameType(template.value, value);
    case "number":
    case "string":
      return typeof value === template.kind && leaves.push(value as number | string) > 0;
    case "bigint":
      return typeof value === "bigint" && isSafe(value) && leaves.push(Number(value)) > 0;
    case "shared":
      return typeof value === "object" && value !== null && isLeaf(value, shared) && leaves.push(value) > 0;
    case "list": {
      const { items } = template;
      if (!Array.isArray(value) || value.length !== items.length || isLeaf(value, shared)) return false;
      for (let i = 0; i < items.length; i++) if (!matches(items[i]!, value[i], leaves, shared)) return false;
      return true;
    }
    case "object": {
      if (typeof value !== "object" || value === null || isLeaf(value, shared)) return false;
      const { keys, fields } = template;
      let count = 0;
      for (const key in value) if (key !== keys[count++]) return false;
      if (count !== keys.length) return false;
      for (let i = 0; i < count; i++)
        if (!matches(fields[i]!, (value as Record<string, unknown>)[keys[i]!], leaves, shared)) return false;
      return true;
    }
  }
}

/** Whether an object is shared by statements: one that is said to be, a long list, or a map. */
function isLeaf(value: object, shared: WeakSet<object>): boolean {
  if (shared.has(value)) return true;
  if (Array.isArray(value)) return value.length > MAX_LIST && typeof value[0] !== "object";
  return value instanceof Map;
}

const isSafe = (value: bigint): boolean =>
  value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;

/** Whether two values are the same type of the language. */
function isSameType(a: unknown, b: unknown): boolean {
  return isType(a) && isType(b) && a.kind === b.kind && a.width === b.width;
}

const isType = (value: unknown): value is { kind: unknown; width: unknown } =>
  typeof value === "object" && value !== null && "width" in value && "kind" in value;
