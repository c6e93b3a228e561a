import { z } from "zod";
import type { JsonSchema } from "../json-schema.ts";
import * as records from "./records.ts";
import { inputValueSchema } from "./request.ts";

/** The schemas of the interface's records, by name. */
export const RECORDS = {
  RuntimeJob: records.jobSchema,
  JobTimes: records.jobTimesSchema,
  JobsSummary: records.jobsSummarySchema,
  JobsStatuses: records.jobsStatusesSchema,
  JobsDeleted: records.jobsDeletedSchema,
  JobDeleted: records.jobDeletedSchema,
  JobCancelled: records.jobCancelledSchema,
  RuntimeResult: records.resultSchema,
  Program: records.programSchema,
  ProgramAscii: records.programAsciiSchema,
  Quote: records.quoteSchema,
  JobGroup: records.jobGroupSchema,
  RuntimeDevice: records.deviceSchema,
  DeviceCalibration: records.calibrationSchema,
  CreditBalance: records.creditBalanceSchema,
  CreditPricing: records.creditPricingSchema,
  SimulatorUsage: records.simulatorUsageSchema.element,
  UsageDay: records.usageSeriesSchema.element,
  InputValue: inputValueSchema,
  Pagination: records.paginationSchema,
  Error: records.errorBodySchema,
} as const satisfies { [name: string]: z.ZodType };

/**
 * Returns schemas as JSON Schema (2020-12), by name. Wherever one of {@link RECORDS} is in them there is a
 * reference, `#/components/schemas/<name>`.
 *
 * @param io - Whether values are described as they come in, or as they go out. Default: `output`.
 */
export function toJsonSchemas(
  schemas: { [name: string]: z.ZodType },
  io: "input" | "output" = "output",
): { [name: string]: JsonSchema } {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries({ ...schemas, ...RECORDS })) registry.add(schema, { id });
  const described = z.toJSONSchema(registry, {
    io,
    uri: id => `#/components/schemas/${id}`,
    override({ zodSchema, jsonSchema }) {
      const { override } = z.globalRegistry.get(zodSchema) ?? {};
      if (override) {
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
        Object.assign(jsonSchema, override);
      }
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  }).schemas;
  return Object.fromEntries(
    Object.keys(schemas).map(name => {
      const { $schema, $id, ...schema } = described[name]!;
      return [name, schema as JsonSchema];
    }),
  );
}

/**
 * Returns the text of `generated-schemas.ts`: the {@link RECORDS} as JSON Schema, one a line, for what must not load
 * zod. The build writes it.
 */
export function formatSchemas(): string {
  const schemas = Object.entries(toJsonSchemas(RECORDS));
  const names = schemas.map(([name]) => JSON.stringify(name)).join(" | ");
  return `import type { JsonSchema } from "./json-schema.ts";

/** The records of the interface as JSON Schema. Written from \`schemas\` by the build. */
export const SCHEMAS: { readonly [name in ${names}]: JsonSchema } = {
${schemas.map(([name, schema]) => `  ${name}: ${JSON.stringify(schema)},\n`).join("")}};
`;
}
