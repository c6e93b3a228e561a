import type { DataType, Vector } from "apache-arrow";
import { KetbookError, rethrowAsKetbookError } from "../../client/index.ts";
import { dereference, type JsonSchema, SCHEMAS } from "../../contract/index.ts";
import { columnsOf, type Scalar } from "../../results/index.ts";

type Arrow = typeof import("apache-arrow");

/**
 * Writes rows as the bytes of an Arrow IPC file; columns are those of `columnsOf`. Truth values become `Bool`, numbers
 * `Float64`, whole ones too, ISO 8601 times with a zone `Timestamp` in milliseconds of UTC, and the rest `Utf8`. A
 * column of a record that the service or this library describes has the described type, whatever its values are, so
 * that the files of two runs are alike; only values that are of another kind make it `Utf8`. What is missing stays null.
 *
 * @throws KetbookError when the package `apache-arrow`, which is loaded only now, is not installed.
 */
export async function rowsToArrow(rows: readonly object[]): Promise<Uint8Array> {
  const columns = rethrowAsKetbookError("toArrow()", () => columnsOf(rows));
  const [arrow, kinds] = [await loadArrow(), columnKinds()];
  const vectors: Record<string, Vector> = {};
  for (const [name, values] of columns) vectors[name] = vectorOf(arrow, values, kinds.get(name));
  return arrow.tableToIPC(new arrow.Table(vectors), "file");
}

async function loadArrow(): Promise<Arrow> {
  try {
    return await import("apache-arrow");
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new KetbookError(
      "toArrow() needs the package apache-arrow, which is not installed: npm install apache-arrow",
      { cause },
    );
  }
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;
const isMoment = (value: Scalar) =>
  typeof value === "string" && moment.test(value) && !Number.isNaN(Date.parse(value));

function vectorOf(arrow: Arrow, values: readonly Scalar[], described?: ColumnKind): Vector {
  const isEmpty = values.every(value => value === null);
  const fits = (kind: ColumnKind, is: (value: Scalar) => boolean) =>
    (described ?? (isEmpty ? "text" : kind)) === kind && values.every(value => value === null || is(value));
  const make = <T>(type: DataType, write: (value: NonNullable<Scalar>) => T) =>
    arrow.vectorFromArray(
      values.map(value => (value === null ? null : write(value))),
      type,
    ) as Vector;
  if (fits("flag", value => typeof value === "boolean")) return make(new arrow.Bool(), Boolean);
  if (fits("number", value => typeof value === "number")) return make(new arrow.Float64(), Number);
  if (fits("moment", isMoment))
    return make(new arrow.TimestampMillisecond("UTC"), value => Date.parse(String(value)));
  return make(new arrow.Utf8(), String);
}

type ColumnKind = "flag" | "number" | "moment" | "text";

const ofResults = {
  outcome: "text",
  program: "number",
  count: "number",
  probability: "number",
  low: "number",
  high: "number",
  energy: "number",
  occurrences: "number",
  time: "number",
  constraint: "flag",
} as const;

const kinds: { readonly [described: string]: ColumnKind | undefined } = {
  string: "text",
  "string date-time": "moment",
  number: "number",
  integer: "number",
  boolean: "flag",
};

function columnKinds(): ReadonlyMap<string, ColumnKind> {
  const { RuntimeJob, RuntimeDevice, JobGroup, SimulatorUsage } = SCHEMAS;
  const described = [RuntimeJob, RuntimeDevice, JobGroup, SimulatorUsage].flatMap(schema =>
    describedIn(schema),
  );
  return new Map<string, ColumnKind>([...described, ...Object.entries(ofResults)]);
}

function describedIn(given: JsonSchema, name = ""): [string, ColumnKind][] {
  const { properties, anyOf, type, format = "" } = dereference(given);
  if (properties)
    return Object.entries(properties).flatMap(([member, inner]) =>
      describedIn(inner, name ? `${name}.${member}` : member),
    );
  const options = (anyOf ?? []).filter(option => option.type !== "null");
  if (options.length === 1) return describedIn(options[0]!, name);
  const types = [type ?? []].flat().filter(each => each !== "null");
  const kind = types.length === 1 ? kinds[`${types[0]} ${format}`.trim()] : undefined;
  return kind ? [[name, kind]] : [];
}
