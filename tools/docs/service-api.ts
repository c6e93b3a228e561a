import type { DescribedOperation, Document } from "../../src/service/http/openapi.ts";

/** Writes the service's API as Markdown, from the OpenAPI document of a service that runs. */
export function serviceApi({ info, tags, paths, components }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  const sections = tags.flatMap(({ name }) => [
    `## ${name}`,
    ...operations.filter(({ operation }) => operation.tags.includes(name)).map(operationText),
  ]);
  const records = Object.entries(components.schemas).map(
    ([name, schema]) => `### ${name}\n\n~~~json\n${JSON.stringify(schema, null, 2)}\n~~~`,
  );
  return [
    "# The service's API",
    `${info.description} Version ${info.version}. Paths are below the address that \`ketbook serve\` prints, and every request
carries an API key in the header \`X-API-KEY\`, where it is not said otherwise. The same as an OpenAPI 3.1 document for programs
is at \`/openapi.json\` of every service.`,
    ...sections,
    "## Records",
    ...records,
  ].join("\n\n");
}

function operationText({ name, operation }: { name: string; operation: DescribedOperation }): string {
  const { summary, parameters, responses, security, requestBody } = operation;
  const rows = parameters.map(
    each =>
      `| \`${each.name}\` | ${each.in}${each.required ? ", required" : ""} | ${cell(each.description ?? "")} |`,
  );
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  return [
    `### ${name}`,
    `${summary}${security.length === 0 ? " No key is needed." : ""}`,
    ...(rows.length > 0 ? [`| parameter | where | what |\n|---|---|---|\n${rows.join("\n")}`] : []),
    ...(body ? [`Body:\n\n~~~json\n${JSON.stringify(body, null, 2)}\n~~~`] : []),
    Object.entries(responses)
      .map(([status, { description }]) => `- \`${status}\` ${description}`)
      .join("\n"),
  ].join("\n\n");
}

const cell = (text: string) => text.replaceAll("|", "\\|").replace(/\s+/g, " ");
