import { z } from "zod";
import { calibrationSchema } from "../../contract/calibration.ts";
import { deviceSchema } from "../../contract/device.ts";
import { paginationSchema } from "../../contract/envelope.ts";
import { ERROR_STATUS, type ErrorCode, errorBodySchema } from "../../contract/errors.ts";
import { jobGroupSchema } from "../../contract/group.ts";
import { jobSchema } from "../../contract/job.ts";
import { programSchema } from "../../contract/program.ts";
import { resultSchema } from "../../contract/result.ts";
import type { Operation } from "./operation.ts";

type Json = Record<string, unknown>;

/** Records that the document names. */
const records: Readonly<Record<string, z.ZodType>> = {
  Error: errorBodySchema,
  RuntimeJob: jobSchema,
  RuntimeResult: resultSchema,
  Program: programSchema,
  RuntimeDevice: deviceSchema,
  DeviceCalibration: calibrationSchema,
  JobGroup: jobGroupSchema,
  Pagination: paginationSchema,
};

const guardErrors: ErrorCode[] = [
  "NO_VALID_AUTHENTICATION",
  "INVALID_API_KEY_FORMAT",
  "INVALID_API_KEY",
  "FORBIDDEN",
];

const meanings: Readonly<Record<number, string>> = {
  200: "Done.",
  201: "Made.",
  202: "Accepted; it happens soon after.",
};

/** Describes the operations as an OpenAPI 3.1 document, from the same schemas that check what comes in. */
export function describeOperations(operations: readonly Operation[], base: string, version: string): Json {
  const named = Object.entries(records).map(([name, schema]) => [name, toSchema(schema, "output")] as const);
  const names = new Map(named.map(([name, schema]) => [JSON.stringify(schema), name]));
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation) };
  }
  const definitions: Json = {};
  const references = nameRecords(paths, names, definitions);
  return {
    openapi: "3.1.0",
    info: {
      title: "Quantum Job Runtime Service",
      version,
      description: "Version 2: jobs, job groups, devices and account. Every answer is JSON.",
    },
    servers: [{ url: base }],
    tags: [...new Set(operations.map(operation => operation.tag))].map(name => ({ name })),
    paths: references,
    components: {
      schemas: { ...Object.fromEntries(named), ...definitions },
      securitySchemes: { key: { type: "apiKey", in: "header", name: "X-API-KEY" } },
    },
  };
}

function describe(operation: Operation): Json {
  const { id, tag, summary, status, guarded, body } = operation;
  const validates = operation.query || body || operation.path.includes("{");
  return {
    operationId: id,
    tags: [tag],
    summary,
    security: guarded ? [{ key: [] }] : [],
    parameters: [...pathParameters(operation), ...queryParameters(operation), ...headerParameters(operation)],
    ...(body
      ? { requestBody: { required: !operation.bodyOptional, ...inJson(toSchema(body, "input")) } }
      : {}),
    responses: {
      [status]: { description: meanings[status], ...inJson(toSchema(operation.answer, "output")) },
      ...errorResponses([
        ...operation.errors,
        ...(guarded ? guardErrors : []),
        "RATE_LIMITED",
        ...(validates ? (["VALIDATION_ERROR"] as const) : []),
        "INTERNAL",
        "STORE_UNAVAILABLE",
        "STORAGE_FULL",
      ]),
      ...(operation.invalidStatus === 400
        ? {}
        : errorResponses(["VALIDATION_ERROR"], operation.invalidStatus)),
    },
  };
}

function pathParameters({ path }: Operation): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", minLength: 1 },
  }));
}

function queryParameters({ query }: Operation): Json[] {
  if (!query) return [];
  const { properties = {}, required = [] } = toSchema(query, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function headerParameters({ acceptsIdempotencyKey }: Operation): Json[] {
  if (!acceptsIdempotencyKey) return [];
  return [
    {
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description: "A request with the same key and the same body gives what the first one made.",
      schema: { type: "string", minLength: 1, maxLength: 255 },
    },
  ];
}

function errorResponses(codes: readonly ErrorCode[], status?: number): Record<string, Json> {
  const byStatus = Map.groupBy(new Set(codes), code => status ?? ERROR_STATUS[code]);
  return Object.fromEntries(
    [...byStatus].map(([each, known]) => [
      each,
      { description: known.join(", "), ...inJson({ $ref: "#/components/schemas/Error" }) },
    ]),
  );
}

const inJson = (schema: Json) => ({ content: { "application/json": { schema } } });

/** Gives a schema the form of JSON Schema; what is text in a query has its own description there. */
function toSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema, ...described } = z.toJSONSchema(schema, {
    io,
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
  });
  return JSON.parse(JSON.stringify(described).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** Puts a reference wherever a schema is that of a named record, and gathers what recursive schemas define. */
function nameRecords(value: unknown, records: ReadonlyMap<string, string>, definitions: Json): unknown {
  if (typeof value !== "object" || value === null) return value;
  const name = records.get(JSON.stringify(value));
  if (name) return { $ref: `#/components/schemas/${name}` };
  if (Array.isArray(value)) return value.map(each => nameRecords(each, records, definitions));
  const { $defs = {}, ...members } = value as Json;
  Object.assign(definitions, $defs);
  return Object.fromEntries(
    Object.entries(members).map(([key, each]) => [key, nameRecords(each, records, definitions)]),
  );
}
