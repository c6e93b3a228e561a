import { dereference, type JsonSchema } from "./json-schema.ts";

/** A value is not of the shape that its schema describes. */
export class ShapeError extends Error {
  override name = "ShapeError";
  /** Path to the value: names of members and indices. */
  readonly path: (string | number)[] = [];
  /** Expected kind of value, such as `a number`. */
  readonly wanted: string;
  readonly value: unknown;

  constructor(wanted: string, value: unknown) {
    super();
    this.wanted = wanted;
    this.value = value;
    this.message = this.#describe();
  }

  /** Puts the member or place that the value was found in before the path, and returns the error. */
  within(key: string | number): this {
    this.path.unshift(key);
    this.message = this.#describe();
    return this;
  }

  #describe(): string {
    const { value } = this;
    const kind = Array.isArray(value) ? "a list" : `a ${typeof value}`;
    const found = value === null || value === undefined ? "missing" : kind;
    return `${this.path.join(".") || "data"} should be ${this.wanted}, and is ${found}`;
  }
}

/** Is called with what is wrong with a value that may be missing; the value then counts as missing. */
export type OnMismatch = (error: ShapeError) => void;

/** Reads a value in place. Throws a {@link ShapeError} for a required value that is missing, or of another shape. */
export type Reader<T> = (value: unknown, onMismatch?: OnMismatch) => T;

/** Options for reading a record. */
interface RecordOptions {
  /** Members without which the record cannot be read; others are null, or empty, when they are missing or malformed. */
  required?: readonly string[];
  /** Values in place of null for members that are missing or malformed. */
  defaults?: Record<string, unknown>;
  /** Members that stay as they are; null where they are missing. */
  unread?: readonly string[];
  /**
   * Whether numbers must be numbers, within the bounds of the schema, and flags true or false. Default: false, so that
   * decimal strings are numbers, and words flags.
   */
  exact?: boolean;
}

type Read = Reader<unknown>;

/** Settings for everything within the value being read. */
interface Mode {
  /** Whether members may be missing though their schema does not allow it. */
  lenient: boolean;
  exact: boolean;
}

/**
 * Makes the tolerant reader of a schema. Decimal strings are numbers, absent is null (or empty, for lists, maps and
 * records), unknown members stay, and undocumented words are kept. What the schema allows to be empty is
 * empty when it is of another shape; anything else throws. The value is changed in place.
 *
 * @example
 * const readStatuses = readerOf<{ [status: string]: number }>(SCHEMAS.JobsStatuses);
 */
export function readerOf<T>(schema: JsonSchema): Reader<T> {
  return compile(schema, { lenient: false, exact: false }) as Reader<T>;
}

/**
 * Makes the reader of a record, such as a job, of which only some members are required. To refuse what is malformed rather
 * than to take it for missing, throw in `onMismatch`: the error has the path, what was wanted, and the value. What
 * somebody else holds must be copied before it is read.
 *
 * @example
 * const readJob = recordReader<RuntimeJob>(SCHEMAS.RuntimeJob, { required: ["jobQrn"] });
 * const job = readJob(structuredClone(value), ({ path, wanted }) => {
 *   throw new KetbookError(`job.${path.join(".")} must be ${wanted}.`);
 * });
 */
export function recordReader<T>(schema: JsonSchema, options: RecordOptions = {}): Reader<T> {
  return readRecord(schema, { lenient: true, exact: options.exact ?? false }, options) as Reader<T>;
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The types that a schema allows, and its alternatives, without null. */
function kindsOf(schema: JsonSchema): {
  types: readonly string[];
  options: readonly JsonSchema[];
  nullable: boolean;
} {
  const types = [schema.type ?? []].flat();
  const options = schema.anyOf ?? schema.oneOf ?? [];
  const isNull = (each: JsonSchema) => each.type === "null";
  return {
    types: types.filter(type => type !== "null"),
    options: options.filter(option => !isNull(option)),
    nullable: types.includes("null") || options.some(isNull),
  };
}

function compile(given: JsonSchema, mode: Mode): Read {
  const schema = dereference(given);
  const { types, options } = kindsOf(schema);
  if (options.length > 0) return options.length === 1 ? compile(options[0]!, mode) : readUnion(options, mode);
  if (types[0] === "object")
    return schema.properties
      ? readRecord(schema, mode)
      : readMap(schema.additionalProperties as JsonSchema, mode);
  if (types[0] === "array" && !schema.prefixItems) return readList(schema.items as JsonSchema, mode);
  return scalarReader(schema, types, mode.exact);
}

/** Makes the default of a value that is missing or malformed; undefined where it is required. */
function emptyOf(given: JsonSchema, mode: Mode): (() => unknown) | undefined {
  const schema = dereference(given);
  const { types, options, nullable } = kindsOf(schema);
  if (nullable || types.length > 1 || (types.length === 0 && options.length === 0)) return () => null;
  if (types[0] === "array" && !schema.prefixItems) return () => [];
  if (types[0] === "object") {
    if (!schema.properties) return () => ({});
    const mustBe = ([name, member]: [string, JsonSchema]) =>
      schema.required?.includes(name) && !emptyOf(member, mode);
    if (!mode.lenient && Object.entries(schema.properties).some(mustBe)) return undefined;
    const read = compile(schema, mode);
    return () => read({});
  }
  if (!mode.lenient) return undefined;
  return types[0] === "string" && schema.const === undefined ? () => "" : () => null;
}

/** Reads a value, or takes its default, if it has one, where it is missing or malformed. */
function readOr(read: Read, empty: (() => unknown) | undefined): Read {
  if (!empty) return read;
  return (value, onMismatch) => {
    if (value === undefined || value === null) return empty();
    try {
      return read(value, onMismatch);
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      onMismatch?.(error);
      return empty();
    }
  };
}

/** Reads an identifier, which must not be empty. */
const readFilled =
  (read: Read): Read =>
  (value, onMismatch) =>
    read(value === "" ? undefined : value, onMismatch);

/** Reads a member or an entry; errors get its name or index. */
function readAt(read: Read, value: unknown, key: string | number, onMismatch?: OnMismatch): unknown {
  try {
    return read(value, onMismatch && (error => onMismatch(error.within(key))));
  } catch (error) {
    throw error instanceof ShapeError ? error.within(key) : error;
  }
}

function readList(element: JsonSchema, { exact }: Mode): Read {
  const mode = { lenient: false, exact };
  const read = readOr(compile(element, mode), emptyOf(element, mode));
  return (value, onMismatch) => {
    if (!Array.isArray(value)) throw new ShapeError("a list", value);
    for (let index = 0; index < value.length; index += 1) {
      const mended = readAt(read, value[index], index, onMismatch);
      if (mended !== value[index]) value[index] = mended;
    }
    return value;
  };
}

/** A number that is missing or malformed is left out of a map; anything else has its default. */
function readMap(member: JsonSchema, { exact }: Mode): Read {
  const isNumeric = member.type === "number" || member.type === "integer";
  const empty = isNumeric ? () => undefined : emptyOf(member, { lenient: true, exact });
  const read = readOr(compile(member, { lenient: false, exact }), empty);
  return (value, onMismatch) => {
    if (!isRecord(value)) throw new ShapeError("an object", value);
    for (const key of Object.keys(value)) {
      const given = value[key];
      const mended = key === "__proto__" ? undefined : readAt(read, given, key, onMismatch);
      if (mended === undefined) delete value[key];
      else if (mended !== given) value[key] = mended;
    }
    return value;
  };
}

/** In a lenient mode, members may be missing or malformed though the schema does not allow it, and so in records within. */
function readRecord(schema: JsonSchema, mode: Mode, options: RecordOptions = {}): Read {
  const { required = [], defaults = {}, unread = [] } = options;
  const fields = Object.entries(schema.properties ?? {}).map(([name, described]) => {
    const member = unread.includes(name) ? {} : described;
    const inner = { ...mode, lenient: mode.lenient && !required.includes(name) };
    const read = compile(member, inner);
    const absent = schema.required?.includes(name) ? emptyOf(member, inner) : () => undefined;
    const empty = Object.hasOwn(defaults, name) ? () => defaults[name] : absent;
    return { name, read: required.includes(name) ? readFilled(read) : readOr(read, empty) };
  });
  return (value, onMismatch) => {
    if (!isRecord(value)) throw new ShapeError("an object", value);
    for (const { name, read } of fields) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      const mended = readAt(read, given, name, onMismatch);
      if (mended !== given) value[name] = mended;
    }
    return value;
  };
}

function readUnion(options: readonly JsonSchema[], mode: Mode): Read {
  const reads = options.map(option => compile(option, { ...mode, lenient: false }));
  return (value, onMismatch) => {
    let problem: unknown;
    for (const read of reads) {
      try {
        return read(value, onMismatch);
      } catch (error) {
        problem = error;
      }
    }
    throw problem;
  };
}

type ReadScalar = (value: unknown) => unknown;

/**
 * Makes the reader of a value that is read as a whole: a scalar of one of some types, a tuple, or anything.
 *
 * @param types - The types of the schema, without null.
 * @param exact - If true, decimal strings are not read as numbers, nor words as flags.
 */
function scalarReader(schema: JsonSchema, types: readonly string[], exact: boolean): ReadScalar {
  if (types.length > 1) return expect(types.join(" or "), value => types.includes(typeof value));
  if (schema.const !== undefined) return expect(String(schema.const), value => value === schema.const);
  switch (types[0]) {
    case undefined:
      return value => value;
    case "string":
      return expect("a string", value => typeof value === "string");
    case "number":
    case "integer":
      return exact ? exactNumber(schema) : readNumber;
    case "boolean":
      return exact ? expect("true or false", value => typeof value === "boolean") : readFlag;
    case "array":
      return expect("a list", Array.isArray);
    default:
      throw new TypeError(`There is no reader for a schema of type ${types[0]}.`);
  }
}

function expect(wanted: string, fits: (value: unknown) => boolean): ReadScalar {
  return value => {
    if (fits(value)) return value;
    throw new ShapeError(wanted, value);
  };
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

const readNumber: ReadScalar = value => {
  if (typeof value === "number") return value;
  if (typeof value === "string" && decimal.test(value)) return Number(value);
  throw new ShapeError("a number", value);
};

function exactNumber({ type, minimum }: JsonSchema): ReadScalar {
  const isNumber = type === "integer" ? Number.isSafeInteger : Number.isFinite;
  const kind = type === "integer" ? "a whole number" : "a number";
  const wanted = minimum === undefined ? kind : `${kind}, ${minimum} or more`;
  return expect(wanted, value => isNumber(value) && (minimum === undefined || Number(value) >= minimum));
}

const readFlag: ReadScalar = value => {
  if (typeof value === "boolean") return value;
  if (typeof value === "string") return value !== "" && value !== "false" && !value.startsWith("un");
  throw new ShapeError("true or false", value);
};
