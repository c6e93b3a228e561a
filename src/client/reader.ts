import type { z } from "zod";

/** Says which field of an answer is not of the shape that was expected. */
export class ShapeError extends Error {
  override name = "ShapeError";
}

/** Reads a whole answer's payload, or throws a ShapeError. */
export type Reader<T> = (value: unknown) => T;

/** Reads a value in place: mends what a service may write in another way, and throws a ShapeError for the rest. */
type Read = (value: unknown, path: string) => unknown;

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Makes the tolerant reader of a schema. Decimal strings are numbers, absent is null (or empty, for lists, maps and
 * records), unknown fields stay, and words that nobody documented are kept instead of breaking a whole list. The
 * value is changed in place, so a page that needs no mending costs hardly more than a look at it.
 */
export function readerOf<T>(schema: z.ZodType<T>): Reader<T> {
  const read = compile(schema);
  return value => read(value, "data") as T;
}

function compile(schema: z.ZodType): Read {
  const { def } = schema as unknown as { def: z.core.$ZodTypes["_zod"]["def"] };
  switch (def.type) {
    case "string":
    case "enum":
      return expect("a text", value => typeof value === "string");
    case "number":
      return readNumber;
    case "boolean":
      return readFlag;
    case "literal":
      return expect(def.values.map(String).join(" or "), value => def.values.includes(value as never));
    case "nullable":
      return orElse(null, compile(def.innerType as z.ZodType));
    case "optional":
      return whenThere(compile(def.innerType as z.ZodType));
    case "array":
      return readList(compile(def.element as z.ZodType));
    case "record":
      return readMap(compile(def.valueType as z.ZodType));
    case "object":
      return readRecord(def.shape as Record<string, z.ZodType>);
    case "union":
      return readUnion(def.options as readonly z.ZodType[]);
    case "tuple":
      return expect("a list", Array.isArray);
    case "unknown":
      return value => value;
    default:
      throw new TypeError(`There is no reader for a schema of type ${def.type}.`);
  }
}

function mismatch(value: unknown, path: string, wanted: string): ShapeError {
  const found =
    value === null || value === undefined ? "missing" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
  return new ShapeError(`${path} should be ${wanted}, and is ${found}`);
}

function expect(wanted: string, fits: (value: unknown) => boolean): Read {
  return (value, path) => {
    if (fits(value)) return value;
    throw mismatch(value, path, wanted);
  };
}

const whenThere =
  (read: Read): Read =>
  (value, path) =>
    value === undefined || value === null ? value : read(value, path);

const orElse =
  (empty: unknown, read: Read): Read =>
  (value, path) =>
    value === undefined || value === null ? empty : read(value, path);

const readNumber: Read = (value, path) => {
  if (typeof value === "number") return value;
  if (typeof value === "string" && decimal.test(value)) return Number(value);
  throw mismatch(value, path, "a number");
};

const readFlag: Read = (value, path) => {
  if (typeof value === "boolean") return value;
  if (typeof value === "string") return value !== "" && value !== "false" && !value.startsWith("un");
  throw mismatch(value, path, "true or false");
};

function readList(read: Read): Read {
  return (value, path) => {
    if (!Array.isArray(value)) throw mismatch(value, path, "a list");
    for (let index = 0; index < value.length; index += 1) {
      const mended = read(value[index], path);
      if (mended !== value[index]) value[index] = mended;
    }
    return value;
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readMap(read: Read): Read {
  return (value, path) => {
    if (!isRecord(value)) throw mismatch(value, path, "an object");
    for (const key of Object.keys(value)) {
      if (key === "__proto__") {
        delete value[key];
        continue;
      }
      const mended = read(value[key], path);
      if (mended !== value[key]) value[key] = mended;
    }
    return value;
  };
}

/** What stands in a record for a field that is missing, or undefined where it must not be. */
function whenMissing(type: string): (() => unknown) | undefined {
  if (type === "array") return () => [];
  return type === "record" || type === "object" ? () => ({}) : undefined;
}

function readRecord(shape: Record<string, z.ZodType>): Read {
  const fields = Object.entries(shape).map(([name, schema]) => {
    return { name, read: compile(schema), empty: whenMissing(schema.def.type) };
  });
  return (value, path) => {
    if (!isRecord(value)) throw mismatch(value, path, "an object");
    for (const { name, read, empty } of fields) {
      const found = value[name] ?? empty?.();
      const mended = read(found, name);
      if (mended !== value[name]) value[name] = mended;
    }
    return value;
  };
}

function readUnion(options: readonly z.ZodType[]): Read {
  const types = options.map(option => option.def.type as string);
  if (types.every(type => ["string", "number", "boolean"].includes(type))) {
    return expect(types.join(" or "), value => types.includes(typeof value));
  }
  const reads = options.map(compile);
  return (value, path) => {
    let problem: unknown;
    for (const read of reads) {
      try {
        return read(value, path);
      } catch (error) {
        problem = error;
      }
    }
    throw problem;
  };
}
