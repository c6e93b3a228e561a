import type { z } from "zod";
import { ERROR_STATUS, type ErrorCode } from "../../contract/errors.ts";
import { SCHEMAS } from "../../contract/generated-schemas.ts";
import type { JsonSchema } from "../../contract/json-schema.ts";
import { toJsonSchemas } from "../../contract/schemas.ts";
import { errorsOf, type Operation } from "./operation.ts";

/** Parameter of an operation in an OpenAPI document. */
export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

/** Body in an OpenAPI document: schema and example, by media type. */
interface Content {
  content: { [mediaType: string]: { schema: JsonSchema; example?: object } };
}

/** An operation in an OpenAPI document. */
export interface DescribedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  security: { key: [] }[];
  parameters: Parameter[];
  requestBody?: Content & { required: boolean };
  responses: { [status: string]: Content & { description: string } };
}

/** An OpenAPI 3.1 document. */
export interface Document {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: { [path: string]: { [method: string]: DescribedOperation } };
  components: { schemas: { [name: string]: JsonSchema }; securitySchemes: object };
}

const DESCRIPTIONS: { readonly [status: number]: string } = {
  200: "Success.",
  201: "Created.",
  202: "Accepted.",
};

/** Describes the operations as an OpenAPI 3.1 document, from the same schemas that check what comes in. */
export function describeOperations(
  operations: readonly Operation[],
  base: string,
  version: string,
): Document {
  const schemasOf = (part: "query" | "body" | "answer", io: "input" | "output") => {
    const declared = operations.flatMap(each => (each[part] ? [[each.id, each[part]] as const] : []));
    return toJsonSchemas(Object.fromEntries<z.ZodType>(declared), io);
  };
  const [queries, bodies] = [schemasOf("query", "input"), schemasOf("body", "input")];
  const answers = schemasOf("answer", "output");
  const paths: Document["paths"] = {};
  for (const operation of operations) {
    const { id, path, method, tag, summary, status } = operation;
    const body = bodies[id];
    paths[path] = {
      ...paths[path],
      [method]: {
        operationId: id,
        tags: [tag],
        summary,
        security: operation.requiresAuth ? [{ key: [] }] : [],
        parameters: [
          ...pathParameters(operation),
          ...queryParameters(queries[id]),
          ...headerParameters(operation),
        ],
        ...(body
          ? { requestBody: { required: !operation.bodyOptional, ...contentOf(body, operation) } }
          : {}),
        responses: {
          [status]: {
            description: DESCRIPTIONS[status] ?? "Success.",
            ...contentOf(answers[id]!, { mediaType: operation.mediaType }),
          },
          ...errorResponses(operation),
        },
      },
    };
  }
  const written = JSON.stringify([paths, SCHEMAS]);
  const isUsed = ([name]: [string, JsonSchema]) => written.includes(`schemas/${name}"`);
  return {
    openapi: "3.1.0",
    info: {
      title: "Quantum Job Runtime Service",
      version,
      description: "Version 2: jobs, job groups, devices and account.",
    },
    servers: [{ url: base }],
    tags: [...new Set(operations.map(operation => operation.tag))].map(name => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries<JsonSchema>(SCHEMAS).filter(isUsed)),
      securitySchemes: { key: { type: "apiKey", in: "header", name: "X-API-KEY" } },
    },
  };
}

const contentOf = (
  schema: JsonSchema,
  { mediaType = "application/json", example }: { mediaType?: string; example?: object | undefined } = {},
): Content => ({
  content: { [mediaType]: { schema, ...(example === undefined ? {} : { example }) } },
});

function pathParameters({ path }: Operation): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", minLength: 1 },
  }));
}

function queryParameters({ properties = {}, required = [] }: JsonSchema = {}): Parameter[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

const IDEMPOTENCY_KEY: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "A repeated request with the same key and body returns what the first one created.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const PREFER: Parameter = {
  name: "Prefer",
  in: "header",
  required: false,
  description:
    "`wait=5` (RFC 7240) delays the answer until the job changes, for at most 5 seconds. A service that is not notified of changes answers at once.",
  schema: { type: "string" },
};

const headerParameters = ({ acceptsIdempotencyKey, acceptsWait }: Operation): Parameter[] => [
  ...(acceptsIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
  ...(acceptsWait ? [PREFER] : []),
];

/** Errors by status. An invalid request may have a status of its own. */
function errorResponses(operation: Operation): DescribedOperation["responses"] {
  const codes = [...errorsOf(operation)].map(code => [ERROR_STATUS[code] as number, code] as const);
  if (operation.invalidStatus !== 400) codes.push([operation.invalidStatus, "VALIDATION_ERROR"]);
  const byStatus = Map.groupBy(codes, ([status]) => status);
  return Object.fromEntries(
    Array.from(byStatus, ([status, known]) => [
      status,
      {
        description: known.map(([, code]: readonly [number, ErrorCode]) => code).join(", "),
        ...contentOf({ $ref: "#/components/schemas/Error" }),
      },
    ]),
  );
}
