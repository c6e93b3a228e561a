import { SCHEMAS } from "./generated-schemas.ts";

/** Subset of JSON Schema that describes the interface's records. */
export interface JsonSchema {
  /** `#/components/schemas/<name>`, in place of everything else. */
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  /** Schema of all other members; false if there are none. */
  readonly additionalProperties?: JsonSchema | boolean;
  /** Schema of a list's entries; false if there are none after `prefixItems`. */
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

/** The schema that a reference leads to; any other schema as it is. */
export function dereference(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.replace("#/components/schemas/", "");
  return name === undefined ? schema : SCHEMAS[name as keyof typeof SCHEMAS];
}
