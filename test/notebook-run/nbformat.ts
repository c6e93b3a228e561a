import { Ajv, type ValidateFunction } from "ajv";

const text = { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] };
const count = { anyOf: [{ type: "integer", minimum: 0 }, { type: "null" }] };
const bundle = {
  type: "object",
  patternProperties: { "^application/(.*\\+)?json$": true },
  additionalProperties: text,
};

function exactly(properties: Record<string, unknown>, optional: string[] = []): object {
  const required = Object.keys(properties).filter(name => !optional.includes(name));
  return { type: "object", additionalProperties: false, required, properties };
}

const outputs = [
  exactly({
    output_type: { const: "execute_result" },
    execution_count: count,
    data: bundle,
    metadata: { type: "object" },
  }),
  exactly({ output_type: { const: "display_data" }, data: bundle, metadata: { type: "object" } }),
  exactly({ output_type: { const: "stream" }, name: { type: "string" }, text }),
  exactly({
    output_type: { const: "error" },
    ename: { type: "string" },
    evalue: { type: "string" },
    traceback: { type: "array", items: { type: "string" } },
  }),
];

const cellMetadata = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    tags: { type: "array", uniqueItems: true, items: { type: "string", pattern: "^[^,]+$" } },
    collapsed: { type: "boolean" },
    scrolled: { enum: [true, false, "auto"] },
  },
};
const common = {
  id: { type: "string", pattern: "^[a-zA-Z0-9-_]+$", minLength: 1, maxLength: 64 },
  metadata: cellMetadata,
  source: text,
};
const attachments = { type: "object", additionalProperties: bundle };

const cells = [
  exactly({
    cell_type: { const: "code" },
    ...common,
    execution_count: count,
    outputs: { type: "array", items: { oneOf: outputs } },
  }),
  exactly({ cell_type: { const: "markdown" }, ...common, attachments }, ["attachments"]),
  exactly({ cell_type: { const: "raw" }, ...common, attachments }, ["attachments"]),
];

const notebook = exactly({
  nbformat: { const: 4 },
  nbformat_minor: { type: "integer", minimum: 5 },
  metadata: {
    type: "object",
    properties: {
      kernelspec: {
        type: "object",
        required: ["name", "display_name"],
        properties: { name: { type: "string" }, display_name: { type: "string" } },
      },
      language_info: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string" },
          codemirror_mode: { anyOf: [{ type: "string" }, { type: "object" }] },
          file_extension: { type: "string" },
          mimetype: { type: "string" },
          pygments_lexer: { type: "string" },
        },
      },
    },
  },
  cells: { type: "array", items: { oneOf: cells } },
});

/** Says whether a value is a notebook by the rules of the format's version 4.5. */
export const isNotebook: ValidateFunction = new Ajv({ allErrors: true }).compile(notebook);
