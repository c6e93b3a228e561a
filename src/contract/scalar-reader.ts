import type { JsonSchema } from "./json-schema.ts";
import { ShapeError } from "./shape-error.ts";

type ReadScalar = (value: unknown) => unknown;

/**
 * Makes the reader of a value that is read as a whole: a scalar of one of some types, a tuple, or anything.
 *
 * @param types - The types of the schema, without null.
 * @param exact - Whether decimal strings are no numbers, and words no flags.
 */
export function scalarReader(schema: JsonSchema, types: readonly string[], exact: boolean): ReadScalar {
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
