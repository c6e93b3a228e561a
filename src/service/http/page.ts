import type { describeOperations } from "./openapi.ts";

type Document = ReturnType<typeof describeOperations>;

interface Described {
  operationId: string;
  tags: string[];
  summary: string;
  security: unknown[];
  parameters: { name: string; in: string; required: boolean; schema: object; description?: string }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content: Record<string, { schema: object }> }>;
}

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #8886; }
article { margin: 1rem 0; padding: .2rem 1rem; border: 1px solid #8886; border-radius: 6px; }
code, pre { font-family: ui-monospace, monospace; font-size: 13px; }
pre { overflow: auto; max-height: 24rem; }
table { border-collapse: collapse; width: 100%; }
td, th { padding: .2rem .6rem .2rem 0; text-align: left; vertical-align: top; }
summary { cursor: pointer; }
.method { font-weight: 700; }
`;

/** Shows an OpenAPI document as one page for people, which needs nothing from the network. */
export function documentPage(document: Document): string {
  const { info, paths, tags } = document as {
    info: { title: string; version: string; description: string };
    paths: Record<string, Record<string, Described>>;
    tags: { name: string }[];
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = tags.map(({ name }) => {
    const mine = operations.filter(each => each.operation.tags.includes(name));
    return `<h2>${escapeHtml(name)}</h2>${mine.map(each => article(each.method, each.path, each.operation)).join("")}`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(info.title)}</title>
<meta name="viewport" content="width=device-width"><style>${style}</style></head>
<body><h1>${escapeHtml(info.title)}</h1>
<p>${escapeHtml(info.description)} For programs: <a href="openapi.json">openapi.json</a>.</p>
${sections.join("\n")}</body></html>`;
}

function article(method: string, path: string, operation: Described): string {
  const { operationId, summary, parameters, requestBody, responses, security } = operation;
  const rows = parameters.map(
    each =>
      `<tr><td><code>${escapeHtml(each.name)}</code></td><td>${each.in}${each.required ? ", required" : ""}</td><td><code>${escapeHtml(JSON.stringify(each.schema))}</code></td></tr>`,
  );
  const answers = Object.entries(responses).map(
    ([status, each]) => `<tr><td><code>${status}</code></td><td>${escapeHtml(each.description)}</td></tr>`,
  );
  const success = Object.entries(responses).find(([status]) => status < "300")?.[1];
  return `<article id="${escapeHtml(operationId)}">
<p><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code> · ${escapeHtml(operationId)}${security.length === 0 ? " · no key needed" : ""}</p>
<p>${escapeHtml(summary)}</p>
${rows.length > 0 ? `<table>${rows.join("")}</table>` : ""}
${requestBody ? details("Body", requestBody.content["application/json"]?.schema) : ""}
${success ? details("Answer", success.content["application/json"]?.schema) : ""}
<table>${answers.join("")}</table></article>`;
}

function details(title: string, schema: object | undefined): string {
  return `<details><summary>${title}</summary><pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
