import type { z } from "zod";
import { simulatorUsageSchema } from "../../contract/account.ts";
import { deviceSchema } from "../../contract/device.ts";
import { jobGroupSchema } from "../../contract/group.ts";
import { jobSchema } from "../../contract/job.ts";

/** What the values of a column are. */
export type ColumnKind = "flag" | "number" | "moment" | "text";

/** Columns of outcomes and of an annealer's solutions. */
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

/** Kinds of the columns of described records, by name, such as `timeStamps.endedAt`. */
export const columnKinds: ReadonlyMap<string, ColumnKind> = new Map<string, ColumnKind>([
  ...[jobSchema, deviceSchema, jobGroupSchema, simulatorUsageSchema.element].flatMap(schema =>
    describedIn(schema),
  ),
  ...Object.entries(ofResults),
]);

function describedIn(schema: z.core.$ZodType, name = ""): [string, ColumnKind][] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "nullable":
    case "optional":
      return describedIn(def.innerType, name);
    case "object":
      return Object.entries(def.shape).flatMap(([member, inner]) =>
        describedIn(inner, name ? `${name}.${member}` : member),
      );
    case "number":
      return [[name, "number"]];
    case "boolean":
      return [[name, "flag"]];
    case "string":
      return [[name, "format" in def && def.format === "datetime" ? "moment" : "text"]];
    case "enum":
      return [[name, "text"]];
    default:
      return [];
  }
}
