import type { JsonSchema } from "../../contract/json-schema.ts";
import type { DescribedOperation, Document } from "./openapi.ts";

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
export function docsPage({ info, servers, tags, paths, components }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const sections = tags.map(({ name }) => {
    const mine = operations.filter(each => each.operation.tags.includes(name));
    return `<h2>${escapeHtml(name)}</h2>${mine.map(article).join("")}`;
  });
  const records = Object.entries(components.schemas).map(([name, schema]) => details(name, schema));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(info.title)}</title>
<meta name="viewport" content="width=device-width"><style>${style}</style></head>
<body><h1>${escapeHtml(info.title)}</h1>
<p>${escapeHtml(info.description)} All paths are below <code>${escapeHtml(servers[0]?.url ?? "")}</code>, and
requests carry an API key in the header <code>X-API-KEY</code> unless stated otherwise. Machine-readable: <a href="openapi.json">openapi.json</a>.</p>
${sections.join("\n")}
<h2>Records</h2>${records.join("")}</body></html>`;
}

function article({
  method,
  path,
  operation,
}: {
  method: string;
  path: string;
  operation: DescribedOperation;
}): string {
  const { operationId, summary, parameters, requestBody, responses, security } = operation;
  const answers = Object.entries(responses);
  const success = answers.find(([status]) => status < "300")?.[1];
  const given = parameters.map(each => [
    `<code>${escapeHtml(each.name)}</code>`,
    escapeHtml(each.required ? "required" : each.in),
    escapeHtml([describeSchema(each.schema), each.description].filter(Boolean).join(". ")),
  ]);
  const said = answers.map(([status, each]) => [`<code>${status}</code>`, escapeHtml(each.description)]);
  return `<article id="${escapeHtml(operationId)}">
<p><b>${escapeHtml(method.toUpperCase())}</b><code>${escapeHtml(path)}</code></p>
<p>${escapeHtml(summary)} <small>${escapeHtml(operationId)}${security.length === 0 ? ", no key needed" : ""}</small></p>
${table(given)}${details("Body", schemaIn(requestBody))}${details("Example", contentIn(requestBody)?.example)}
${details("Answer", schemaIn(success))}${table(said)}</article>`;
}

const contentIn = (body?: Pick<DescribedOperation["responses"][string], "content">) =>
  Object.values(body?.content ?? {})[0];
const schemaIn = (body?: Parameters<typeof contentIn>[0]) => contentIn(body)?.schema;

/** Describes what a parameter may be. */
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

function table(rows: string[][]): string {
  if (rows.length === 0) return "";
  return `<table>${rows.map(cells => `<tr>${cells.map(cell => `<td>${cell}</td>`).join("")}</tr>`).join("")}</table>`;
}

function details(title: string, schema: object | undefined): string {
  if (!schema) return "";
  const text = escapeHtml(JSON.stringify(schema, null, 2));
  return `<details><summary>${escapeHtml(title)}</summary><pre>${text}</pre></details>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
