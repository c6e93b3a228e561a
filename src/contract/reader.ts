import { dereference, type JsonSchema } from "./json-schema.ts";

type Key = string | number;

/** A value is not of the shape that its schema describes. */
export class ShapeError extends Error {
  override name = "ShapeError";
  /** Path to the value: names of members and indices. */
  readonly path: readonly Key[];
  /** Expected kind of value, such as `a number`. */
  readonly wanted: string;
  readonly value: unknown;

  constructor(wanted: string, value: unknown, path: readonly Key[] = []) {
    const kind = Array.isArray(value) ? "a list" : `a ${typeof value}`;
    const found = value === null || value === undefined ? "missing" : kind;
    super(`${path.join(".") || "data"} should be ${wanted}, and is ${found}`);
    this.path = path;
    this.wanted = wanted;
    this.value = value;
  }
}

/** Is called with what is wrong with a value that may be missing; the value then counts as missing. */
export type OnMismatch = (error: ShapeError) => void;

/** Reads a value in place. Throws a {@link ShapeError} for a required value that is missing, or of another shape. */
export type Reader<T> = (value: unknown, onMismatch?: OnMismatch) => T;

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

interface Context {
  /** Whether members may be missing though their schema does not allow it. */
  readonly lenient: boolean;
  readonly exact: boolean;
  readonly path: readonly Key[];
  readonly onMismatch: OnMismatch | undefined;
}

const within = (context: Context, key: Key, lenient: boolean): Context => ({
  ...context,
  lenient,
  path: [...context.path, key],
});

/**
 * Makes the tolerant reader of a record, such as a job, of which only some members are required, or of a map. Decimal
 * strings are numbers, absent is null (or empty, for lists, maps and records), unknown members stay, and undocumented
 * words are kept. What the schema allows to be empty is empty when it is of another shape. The value is changed in place.
 *
 * To refuse what is malformed rather
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
  const { exact = false } = options;
  const readWhole = schema.properties ? readRecord : readMap;
  return (value, onMismatch) =>
    readWhole(schema, value, { lenient: true, exact, path: [], onMismatch }, options) as T;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The types that a schema allows, and its alternatives, without null. */
function kindsOf({ type = [], anyOf, oneOf }: JsonSchema) {
  const options = anyOf ?? oneOf ?? [];
  const types = typeof type === "string" ? [type] : type;
  const nullable = types.includes("null") || options.some(option => option.type === "null");
  if (!nullable) return { types, options, nullable };
  return {
    types: types.filter(each => each !== "null"),
    options: options.filter(option => option.type !== "null"),
    nullable,
  };
}

function read(given: JsonSchema, value: unknown, context: Context): unknown {
  const schema = dereference(given);
  const { types, options } = kindsOf(schema);
  if (options.length > 0) return readUnion(options, value, context);
  if (types[0] === "object") return (schema.properties ? readRecord : readMap)(schema, value, context);
  if (types[0] === "array" && !schema.prefixItems)
    return readList(schema.items as JsonSchema, value, context);
  return readScalar(schema, types, value, context);
}

/** Makes the default of a value that is missing or malformed; undefined where it is required. */
function emptyOf(given: JsonSchema, context: Context): (() => unknown) | undefined {
  const schema = dereference(given);
  const { types, options, nullable } = kindsOf(schema);
  if (nullable || types.length > 1 || (types.length === 0 && options.length === 0)) return () => null;
  if (types[0] === "array" && !schema.prefixItems) return () => [];
  if (types[0] === "object") {
    const mustBe = ([name, member]: [string, JsonSchema]) =>
      schema.required?.includes(name) && !emptyOf(member, context);
    if (!context.lenient && Object.entries(schema.properties ?? {}).some(mustBe)) return undefined;
    return () => read(schema, {}, context);
  }
  if (!context.lenient) return undefined;
  return types[0] === "string" && schema.const === undefined ? () => "" : () => null;
}

/** Reads a value, or takes its default, if it has one, where it is missing or malformed. */
function readOr(schema: JsonSchema, value: unknown, context: Context, emptyFor = emptyOf): unknown {
  if (value === undefined || value === null) {
    const empty = emptyFor(schema, context);
    return empty ? empty() : read(schema, value, context);
  }
  try {
    return read(schema, value, context);
  } catch (error) {
    const empty = emptyFor(schema, context);
    if (!empty || !(error instanceof ShapeError)) throw error;
    context.onMismatch?.(error);
    return empty();
  }
}

function readList(element: JsonSchema, value: unknown, context: Context): unknown {
  if (!Array.isArray(value)) throw new ShapeError("a list", value, context.path);
  for (const [index, given] of value.entries()) {
    const mended = readOr(element, given, within(context, index, false));
    if (mended !== given) value[index] = mended;
  }
  return value;
}

/** A number that is missing or malformed is left out of a map; anything else has its default. */
function readMap(schema: JsonSchema, value: unknown, context: Context): unknown {
  if (!isRecord(value)) throw new ShapeError("an object", value, context.path);
  const member = schema.additionalProperties as JsonSchema;
  const isNumeric = member.type === "number" || member.type === "integer";
  const emptyFor: typeof emptyOf = (_, at) =>
    isNumeric ? () => undefined : emptyOf(member, { ...at, lenient: true });
  for (const [key, given] of Object.entries(value)) {
    const mended =
      key === "__proto__" ? undefined : readOr(member, given, within(context, key, false), emptyFor);
    if (mended === undefined) delete value[key];
    else if (mended !== given) value[key] = mended;
  }
  return value;
}

/** In a lenient context, members may be missing or malformed though the schema does not allow it, and so in records within. */
function readRecord(
  schema: JsonSchema,
  value: unknown,
  context: Context,
  { required = [], defaults = {}, unread = [] }: RecordOptions = {},
): unknown {
  if (!isRecord(value)) throw new ShapeError("an object", value, context.path);
  for (const [name, described] of Object.entries(schema.properties ?? {})) {
    const member = unread.includes(name) ? {} : described;
    const isRequired = required.includes(name);
    const at = within(context, name, context.lenient && !isRequired);
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const absent = schema.required?.includes(name) ? emptyOf : () => () => undefined;
    const emptyFor = Object.hasOwn(defaults, name) ? () => () => defaults[name] : absent;
    const mended = isRequired
      ? read(member, given === "" ? undefined : given, at)
      : readOr(member, given, at, emptyFor);
    if (mended !== given) value[name] = mended;
  }
  return value;
}

function readUnion(options: readonly JsonSchema[], value: unknown, context: Context): unknown {
  if (options.length === 1) return read(options[0]!, value, context);
  let problem: unknown;
  for (const option of options) {
    try {
      return read(option, value, { ...context, lenient: false });
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Reads a value that is read as a whole: a scalar of one of some types, a tuple, or anything. */
function readScalar(
  schema: JsonSchema,
  types: readonly string[],
  value: unknown,
  { exact, path }: Context,
): unknown {
  if (types.length === 0 && schema.const === undefined) return value;
  const mended = typeof value === "string" && !exact ? fromWord(value, types) : value;
  const [wanted, fits] = scalarOf(schema, types, exact);
  if (fits(mended)) return mended;
  throw new ShapeError(wanted, value, path);
}

/** Decimal strings are numbers, and words flags, where the schema has nothing else. */
function fromWord(word: string, [type, ...others]: readonly string[]): unknown {
  if (others.length > 0) return word;
  if (type === "boolean") return word !== "" && word !== "false" && !word.startsWith("un");
  const isNumeric = type === "number" || type === "integer";
  return isNumeric && decimal.test(word) ? Number(word) : word;
}

/** Says what a scalar must be, in words, and whether a value is that. */
function scalarOf(
  { const: only, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: JsonSchema,
  types: readonly string[],
  exact: boolean,
): [wanted: string, fits: (value: unknown) => boolean] {
  const [type] = types;
  if (types.length > 1) return [types.join(" or "), value => types.includes(typeof value)];
  if (only !== undefined) return [String(only), value => value === only];
  if (type === "array") return ["a list", Array.isArray];
  if (type === "string") return ["a string", value => typeof value === "string"];
  if (type === "boolean") return ["true or false", value => typeof value === "boolean"];
  if (!exact) return ["a number", value => typeof value === "number"];
  const isNumber = (value: unknown): value is number =>
    type === "integer" ? Number.isSafeInteger(value) : Number.isFinite(value);
  const wanted = type === "integer" ? "a whole number" : "a number";
  const upper = Number.isFinite(maximum) ? `to ${maximum}` : "or more";
  const bounds = Number.isFinite(minimum) ? `, ${minimum} ${upper}` : "";
  return [wanted + bounds, value => isNumber(value) && value >= minimum && value <= maximum];
}
