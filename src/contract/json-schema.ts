import { SCHEMAS } from "./generated-schemas.ts";

/** What of JSON Schema the records of the interface are described with. */
export interface JsonSchema {
  /** `#/components/schemas/<name>`, in place of everything else. */
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  /** Members of an object, by name. */
  readonly properties?: { readonly [name: string]: JsonSchema };
  /** Members that an object must have. */
  readonly required?: readonly string[];
  /** What all other members of an object are; false for none. */
  readonly additionalProperties?: JsonSchema | boolean;
  /** What the entries of a list are; false for none after `prefixItems`. */
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

/** The schema that a reference leads to; any other schema as it is. */
export function dereference(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.replace("#/components/schemas/", "");
  return name === undefined ? schema : SCHEMAS[name as keyof typeof SCHEMAS];
}
