import { html, raw } from "hono/html";
import type { z } from "zod";
import { ERROR_STATUS, type ErrorCode, type JsonSchema, SCHEMAS } from "../../contract/index.ts";
import { toJsonSchemas } from "../../contract/schemas/index.ts";
import { errorsOf, type Operation } from "./operation.ts";

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

interface Content {
  content: { [mediaType: string]: { schema: JsonSchema; example?: object } };
}

export interface DescribedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  security: { key: [] }[];
  parameters: Parameter[];
  requestBody?: Content & { required: boolean };
  responses: { [status: string]: Content & { description: string } };
}

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
            ...contentOf(answers[id]!),
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

const contentOf = (schema: JsonSchema, { example }: { example?: object | undefined } = {}): Content => ({
  content: { "application/json": { schema, ...(example === undefined ? {} : { example }) } },
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

/** Errors by status. An invalid request may have its own status. */
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

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #8886; }
article { margin: 1rem 0; padding: .6rem 1rem; border: 1px solid #8886; border-radius: 6px; }
article p { margin: .2rem 0; }
code, pre { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { overflow: auto; max-height: 24rem; }
table { border-collapse: collapse; margin: .4rem 0; }
td { padding: .1rem 1rem .1rem 0; vertical-align: top; }
td:first-child { white-space: nowrap; }
summary { cursor: pointer; }
b { display: inline-block; min-width: 4rem; }
small { opacity: .7; }
`;

/** Shows an OpenAPI document as one page for people, which needs nothing from the network. */
export function docsPage({ info, servers, tags, paths, components }: Document): Html {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  );
  const sections = tags.map(({ name }) => {
    const mine = operations.filter(each => each.tags.includes(name));
    return html`<h2>${name}</h2>${mine.map(article)}`;
  });
  const records = Object.entries(components.schemas).map(([name, schema]) => details(name, schema));
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${info.title}</title>
<meta name="viewport" content="width=device-width"><style>${raw(style)}</style></head>
<body><h1>${info.title}</h1>
<p>${info.description} All paths are below <code>${servers[0]?.url ?? ""}</code>, and
requests carry an API key in the header <code>X-API-KEY</code> unless stated otherwise. Machine-readable: <a href="openapi.json">openapi.json</a>.</p>
${sections}
<h2>Records</h2>${records}</body></html>`;
}

function article(operation: DescribedOperation & { method: string; path: string }) {
  const { method, path, operationId, summary, parameters, requestBody, responses, security } = operation;
  const answers = Object.entries(responses);
  const success = answers.find(([status]) => status < "300")?.[1];
  const given = parameters.map(each => [
    html`<code>${each.name}</code>`,
    each.required ? "required" : each.in,
    [describeSchema(each.schema), each.description].filter(Boolean).join(". "),
  ]);
  const said = answers.map(([status, each]) => [html`<code>${status}</code>`, each.description]);
  return html`<article id="${operationId}">
<p><b>${method.toUpperCase()}</b><code>${path}</code></p>
<p>${summary} <small>${operationId}${security.length === 0 ? ", no key needed" : ""}</small></p>
${table(given)}${details("Body", schemaIn(requestBody))}${details("Example", contentIn(requestBody)?.example)}
${details("Answer", schemaIn(success))}${table(said)}</article>`;
}

const contentIn = (body?: Pick<DescribedOperation["responses"][string], "content">) =>
  Object.values(body?.content ?? {})[0];
const schemaIn = (body?: Parameters<typeof contentIn>[0]) => contentIn(body)?.schema;

function describeSchema(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength } = schema;
  const parts = [
    schema.description ??
      (schema.enum ? `one of ${schema.enum.join(", ")}` : [schema.type].flat().join(" or ")),
    minimum !== undefined && `${minimum} to ${maximum}`,
    maxLength !== undefined && `${minLength ?? 0} to ${maxLength} characters`,
    schema.default !== undefined && `${schema.default} if left out`,
  ];
  return parts.filter(Boolean).join(", ");
}

type Html = ReturnType<typeof html>;

const table = (rows: (string | Html)[][]) =>
  rows.length > 0 &&
  html`<table>${rows.map(cells => html`<tr>${cells.map(cell => html`<td>${cell}</td>`)}</tr>`)}</table>`;

const details = (title: string, schema: object | undefined) =>
  schema && html`<details><summary>${title}</summary><pre>${JSON.stringify(schema, null, 2)}</pre></details>`;
