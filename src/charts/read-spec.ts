import { adviceFor, describeValue } from "../contract/index.ts";
import { marksOf } from "./interaction/views.ts";
import { type VegaLiteSpec, vegaLiteSchema } from "./vega-lite.ts";

/** A change of a chart's specification: of the copy that it is given, or by another one that it returns. */
// biome-ignore lint/suspicious/noConfusingVoidType: what is changed in place returns nothing
// biome-ignore lint/suspicious/noExplicitAny: the members of a specification are of every kind
export type SpecEdit = (spec: { [member: string]: any }) => object | void;

const maxDepth = 64;
const maxValues = 2_000_000;
const maxSequence = 1_000_000;
const marks =
  "arc area bar boxplot circle errorband errorbar line point rect rule square text tick trail".split(" ");
const channels = [
  "x y x2 y2 xOffset yOffset xError yError xError2 yError2 theta theta2 radius radius2 color fill stroke opacity fillOpacity",
  "strokeOpacity strokeWidth strokeDash size angle shape text tooltip description detail key order facet row column time",
].flatMap(names => names.split(" "));
const views = ["mark", "layer", "hconcat", "vconcat", "concat", "facet", "repeat", "spec"];

/** Members that would make a chart load something, or lead the reader elsewhere. */
const loading: { readonly [member: string]: string } = {
  url: "give the rows as data: { values }",
  href: "charts have no links",
  topojson: "give the rows as data: { values }",
};

/**
 * Reads a Vega-Lite specification from outside: plain data of bounded size that loads nothing. The result is a copy.
 *
 * @throws RangeError that says where the specification is wrong.
 */
export function readSpec(given: unknown): VegaLiteSpec {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new RangeError(
      'A specification is an object, such as { data: { values: [] }, mark: "bar", encoding: {} }.',
    );
  const { $schema, usermeta: _, ...spec } = given as { [member: string]: unknown };
  if (typeof $schema === "string" && !/\/vega-lite\//.test($schema))
    throw new RangeError(
      `${JSON.stringify($schema.slice(0, 100))} is not a Vega-Lite schema, and only Vega-Lite is supported.`,
    );
  if (!views.some(member => member in spec))
    throw new RangeError(
      `A specification has one of these members: ${views.join(", ")}. This one has ${Object.keys(spec).slice(0, 12).join(", ") || "none at all"}.`,
    );
  const read = { left: maxValues };
  return { $schema: vegaLiteSchema, ...(plainCopy(spec, "spec", 0, read) as object) };
}

function plainCopy(value: unknown, path: string, depth: number, read: { left: number }): unknown {
  if (read.left-- <= 0)
    throw new RangeError(`The specification has more than ${maxValues.toLocaleString("en-US")} values.`);
  if (depth > maxDepth) throw new RangeError(`${path} is nested more than ${maxDepth} levels deep.`);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || value === null) {
    if (typeof value === "function" || typeof value === "symbol")
      throw new RangeError(`${path} is a ${typeof value}, and a specification is plain data.`);
    return value;
  }
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return Array.from(value as ArrayLike<unknown>, (entry, index) =>
      plainCopy(entry, `${path}[${index}]`, depth + 1, read),
    );
  const isRow = /\.(?:values|datasets\.\w+)\[\d+\]$/.test(path);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const at = `${path}.${name}`;
    if (member === undefined || name === "__proto__") return [];
    if (!isRow) refuseLoading(name, member, at);
    return [[name, plainCopy(member, at, depth + 1, read)] as const];
  });
  return Object.fromEntries(members);
}

function refuseLoading(name: string, member: unknown, path: string): void {
  const advice = Object.hasOwn(loading, name) ? loading[name] : undefined;
  if (advice) throw new RangeError(`${path}: a chart holds all that it shows and loads nothing; ${advice}.`);
  const isConfig = path.startsWith("spec.config.");
  if (name === "mark" && !isConfig)
    refuseUnknown("mark", [typeof member === "string" ? member : Object(member).type], marks, path);
  if (name === "encoding" && !isConfig)
    refuseUnknown(
      "channel",
      Object.keys(Object(member)).filter(channel => !Object.hasOwn(loading, channel)),
      channels,
      path,
    );
  const { start = 0, stop, step = 1 } = Object(name === "sequence" ? member : undefined);
  if (stop !== undefined && !((Number(stop) - Number(start)) / Number(step) <= maxSequence))
    throw new RangeError(
      `${path} is a sequence of more than ${maxSequence.toLocaleString("en-US")} numbers.`,
    );
}

function refuseUnknown(kind: string, names: readonly string[], known: readonly string[], path: string): void {
  for (const name of names)
    if (!known.includes(name))
      throw new RangeError(`${path}: there is no ${kind} ${describeValue(name)}: ${adviceFor(name, known)}`);
}

/** Members of marks that channels of the same name decide. */
const decided = ["color", "fill", "stroke", "opacity", "size", "shape", "strokeWidth", "strokeDash"];

/** Throws a `RangeError` for an edit that changes nothing, or a member of a mark that a channel decides. */
export function checkEffect(before: VegaLiteSpec, after: VegaLiteSpec): void {
  if (JSON.stringify(editSpec(before, spec => spec)) === JSON.stringify(after))
    throw new RangeError(
      "The edit changes nothing. Set members of the specification that it is given, or return another one.",
    );
  const old = marksOf(before);
  for (const [index, { mark, context }] of marksOf(after).entries()) {
    const [is, was] = [Object(mark.mark), Object(old[index]?.mark.mark)];
    const name = decided.find(
      member =>
        is[member] !== undefined &&
        is[member] !== was[member] &&
        ["field", "value", "datum"].some(source => source in Object(context.encoding[member])),
    );
    if (name !== undefined)
      throw new RangeError(
        `The edit sets "${name}" of a mark, but encoding.${name} decides it. Change or delete that one.`,
      );
  }
}

export function editSpec(spec: VegaLiteSpec, edit: SpecEdit): VegaLiteSpec {
  const copy = structuredClone(spec);
  return readSpec(edit(copy) ?? copy);
}
