import { z } from "zod";

/**
 * The building blocks of every schema. A record is described once, as a function of a kit, and read in two ways:
 * `strict` is what the service writes and documents; `tolerant` is what the client accepts from any service.
 */
export interface Kit {
  text(): z.ZodType<string>;
  count(): z.ZodType<number>;
  amount(): z.ZodType<number>;
  flag(): z.ZodType<boolean>;
  time(): z.ZodType<string>;
  oneOf<const T extends readonly string[]>(values: T): z.ZodType<T[number]>;
  /** A value that may be missing; always present, as null, in what comes out. */
  maybe<T>(inner: z.ZodType<T>): z.ZodType<T | null>;
  /** A list that may be missing; empty then. */
  list<T>(inner: z.ZodType<T>): z.ZodType<T[]>;
  /** Keys to values; may be missing, and is empty then. */
  map<T>(inner: z.ZodType<T>): z.ZodType<Record<string, T>>;
  object<S extends z.ZodRawShape>(shape: S): z.ZodType<z.output<z.ZodObject<S>>>;
  /** A record inside another, which may be missing; its members are missing then. */
  part<S extends z.ZodRawShape>(shape: S): z.ZodType<z.output<z.ZodObject<S>>>;
}

/** What the service writes: exact types, nothing missing, nothing more. */
export const strict: Kit = {
  text: () => z.string(),
  count: () => z.int().min(0),
  amount: () => z.number(),
  flag: () => z.boolean(),
  time: () => z.iso.datetime(),
  oneOf: values => z.enum(values),
  maybe: inner => inner.nullable(),
  list: inner => z.array(inner),
  map: inner => z.record(z.string(), inner),
  object: shape => z.strictObject(shape),
  part: shape => z.strictObject(shape),
};

const decimal = z.string().regex(/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/);
const number = z.union([z.number(), decimal.transform(Number)]);
const noted = z.union([
  z.boolean(),
  z.string().transform(word => word !== "" && word !== "false" && !word.startsWith("un")),
]);

/**
 * What the client reads: decimal strings are numbers, absent is null, unknown fields pass through, and words that
 * nobody documented are kept as they are instead of breaking a whole list.
 */
export const tolerant: Kit = {
  text: () => z.string(),
  count: () => number,
  amount: () => number,
  flag: () => noted,
  time: () => z.string(),
  oneOf: <const T extends readonly string[]>() => z.string() as unknown as z.ZodType<T[number]>,
  maybe: inner => inner.nullish().transform(value => value ?? null),
  list: inner =>
    z
      .array(inner)
      .nullish()
      .transform(value => value ?? []),
  map: inner =>
    z
      .record(z.string(), inner)
      .nullish()
      .transform(value => value ?? {}),
  object: shape => z.looseObject(shape) as unknown as z.ZodType<z.output<z.ZodObject<typeof shape>>>,
  part: shape => z.preprocess(value => value ?? {}, tolerant.object(shape)),
};
