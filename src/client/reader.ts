import type { z } from "zod";

/** Says which field of an answer is not of the shape that was expected. */
export class ShapeError extends Error {
  override name = "ShapeError";
}

/** Reads a whole answer's payload, or throws a ShapeError. */
export type Reader<T> = (value: unknown) => T;

/** What of a record must be there, and what stands for the rest. */
export interface RecordOptions {
  /** Members without which the record cannot be read; others are null, or empty, when they are missing or odd. */
  required?: readonly string[];
  /** Values in place of null for members that are missing or odd. */
  defaults?: Record<string, unknown>;
}

/** Reads a value in place: mends what a service may write in another way, and throws a ShapeError for the rest. */
type Read = (value: unknown, path: string) => unknown;

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Makes the tolerant reader of a schema. Decimal strings are numbers, absent is null (or empty, for lists, maps and
 * records), unknown fields stay, and words that nobody documented are kept. What the schema allows to be empty is
 * empty when it is of another shape; anything else throws. The value is changed in place, so a page that needs no
 * mending costs hardly more than a look at it.
 */
export function readerOf<T>(schema: z.ZodType): Reader<T> {
  const read = compile(schema);
  return value => read(value, "data") as T;
}

/** Makes the reader of a record, such as a job, of which only some members are required. */
export function recordReader<T>(schema: z.ZodObject, options: RecordOptions = {}): Reader<T> {
  const read = readRecord(schema.def.shape as Record<string, z.ZodType>, options);
  return value => read(value, "data") as T;
}

/** Parts of a schema: its kind, and what it is made of. */
const defOf = (schema: z.ZodType) => (schema as unknown as { def: z.core.$ZodTypes["_zod"]["def"] }).def;

function compile(schema: z.ZodType, lenient = false): Read {
  const def = defOf(schema);
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
    case "optional":
      return compile(def.innerType as z.ZodType, lenient);
    case "array":
      return readList(def.element as z.ZodType);
    case "record":
      return readMap(def.valueType as z.ZodType);
    case "object":
      return readRecord(def.shape as Record<string, z.ZodType>, lenient ? {} : undefined);
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

/** Makes what stands for a value that is missing or odd; undefined where it has to be there. */
function emptyOf(schema: z.ZodType, lenient: boolean): (() => unknown) | undefined {
  const def = defOf(schema);
  switch (def.type) {
    case "nullable":
    case "unknown":
      return () => null;
    case "optional":
      return () => undefined;
    case "array":
      return () => [];
    case "record":
      return () => ({});
    case "object": {
      const members = Object.values(def.shape as Record<string, z.ZodType>);
      if (!lenient && members.some(member => !emptyOf(member, false))) return undefined;
      const read = compile(schema, lenient);
      return () => read({}, "");
    }
    case "union":
      return lenient || isScalarUnion(def.options as readonly z.ZodType[]) ? () => null : undefined;
    case "string":
    case "enum":
      return lenient ? () => "" : undefined;
    default:
      return lenient ? () => null : undefined;
  }
}

function isScalarUnion(options: readonly z.ZodType[]): boolean {
  return options.every(option => ["string", "number", "boolean"].includes(defOf(option).type));
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

/** Reads a value; where it is missing or odd, takes what stands for it, if anything may. */
function readOr(read: Read, empty: (() => unknown) | undefined): Read {
  if (!empty) return read;
  return (value, path) => {
    if (value === undefined || value === null) return empty();
    try {
      return read(value, path);
    } catch (error) {
      if (error instanceof ShapeError) return empty();
      throw error;
    }
  };
}

/** Reads an identifier, which must not be empty. */
const readFilled =
  (read: Read): Read =>
  (value, path) =>
    read(value === "" ? undefined : value, path);

function readList(element: z.ZodType): Read {
  const read = readOr(compile(element), emptyOf(element, false));
  return (value, path) => {
    if (!Array.isArray(value)) throw mismatch(value, path, "a list");
    for (let index = 0; index < value.length; index += 1) {
      const mended = read(value[index], path);
      if (mended !== value[index]) value[index] = mended;
    }
    return value;
  };
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A number that is missing or odd is left out of a map; all else that is has its empty form. */
function readMap(member: z.ZodType): Read {
  const isNumeric = defOf(member).type === "number";
  const read = readOr(compile(member), isNumeric ? () => undefined : emptyOf(member, true));
  return (value, path) => {
    if (!isRecord(value)) throw mismatch(value, path, "an object");
    for (const key of Object.keys(value)) {
      const mended = key === "__proto__" ? undefined : read(value[key], path);
      if (mended === undefined) delete value[key];
      else if (mended !== value[key]) value[key] = mended;
    }
    return value;
  };
}

/** With options, members may be missing or odd though the schema does not allow it, and so in records within. */
function readRecord(shape: Record<string, z.ZodType>, options?: RecordOptions): Read {
  const { required = [], defaults = {} } = options ?? {};
  const fields = Object.entries(shape).map(([name, schema]) => {
    const lenient = options !== undefined && !required.includes(name);
    const empty = Object.hasOwn(defaults, name) ? () => defaults[name] : emptyOf(schema, lenient);
    const read = compile(schema, lenient);
    return { name, read: required.includes(name) ? readFilled(read) : readOr(read, empty) };
  });
  return (value, path) => {
    if (!isRecord(value)) throw mismatch(value, path, "an object");
    for (const { name, read } of fields) {
      const mended = read(value[name], name);
      if (mended !== value[name]) value[name] = mended;
    }
    return value;
  };
}

function readUnion(options: readonly z.ZodType[]): Read {
  if (isScalarUnion(options)) {
    const types = options.map(option => defOf(option).type as string);
    return expect(types.join(" or "), value => types.includes(typeof value));
  }
  const reads = options.map(option => compile(option));
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
