import { dereference, type JsonSchema, SCHEMAS } from "../../contract/index.ts";

export type ColumnKind = "flag" | "number" | "moment" | "text";

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

/** Kinds of the columns of described records, by name, such as `timeStamps.endedAt`. */
export const columnKinds: ReadonlyMap<string, ColumnKind> = new Map<string, ColumnKind>([
  ...[SCHEMAS.RuntimeJob, SCHEMAS.RuntimeDevice, SCHEMAS.JobGroup, SCHEMAS.SimulatorUsage].flatMap(schema =>
    describedIn(schema),
  ),
  ...Object.entries(ofResults),
]);

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
