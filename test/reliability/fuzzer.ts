import type { Random } from "./random.ts";

// biome-ignore lint/suspicious/noExplicitAny: a document of every shape
export type Json = any;

/** A request that the document of a service describes, more or less. */
export interface FuzzedRequest {
  /** Name of the operation. */
  id: string;
  method: string;
  path: string;
  /** Path as the document has it. */
  template: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const ODD_TEXTS = [
  "",
  "\0",
  "a\u0000b",
  "💥",
  "%",
  "../..",
  "'; drop table jobs; --",
  "\ud800",
  "null",
  "__proto__",
  "*",
  "1e400",
  "{}",
  "[]",
  "-0",
  " ",
  "0x10",
  "\r\nX-Y: z",
  "ä".repeat(300),
  "x".repeat(5000),
];
const ODD_VALUES = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  "",
  [],
  {},
  [[]],
  { a: { b: {} } },
  "x".repeat(300),
];
const MAX_DEPTH = 6;

/** Makes requests from an OpenAPI document: most are as it describes them, and many are not in a place or two. */
export function createFuzzer(
  document: Json,
  random: Random,
  known: { readonly [parameter: string]: readonly string[] },
  samples: { readonly [id: string]: readonly Json[] },
): () => FuzzedRequest {
  const operations = Object.entries<Json>(document.paths).flatMap(([template, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({ template, method, operation })),
  );

  function resolve(schema: Json): Json {
    return typeof schema?.$ref === "string"
      ? document.components.schemas[schema.$ref.split("/").at(-1)]
      : (schema ?? {});
  }

  function value(given: Json, depth = 0): Json {
    const schema = resolve(given);
    if (depth > MAX_DEPTH || random.chance(0.04)) return random.pick([...ODD_VALUES, ...ODD_TEXTS]);
    const options = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (options) return value(random.pick(options), depth + 1);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return random.pick(schema.enum);
    const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
    if (type === "integer" || type === "number") return number(schema);
    if (type === "boolean") return random.chance(0.5);
    if (type === "null") return null;
    if (type === "array")
      return Array.from({ length: random.below(4) }, () => value(schema.items, depth + 1));
    if (type === "object") return object(schema, depth);
    if (type === "string")
      return random.chance(0.2)
        ? random.pick(ODD_TEXTS)
        : "x".repeat(random.below(12) + (schema.minLength ?? 0));
    return random.pick(ODD_VALUES);
  }

  function number({ minimum = -5, maximum = 1000 }: Json): number {
    if (random.chance(0.15)) return random.pick([minimum - 1, minimum, maximum, maximum + 1, 0.5, 2 ** 53]);
    return minimum + random.below(Math.min(1000, maximum - minimum) + 1);
  }

  function object(schema: Json, depth: number): Json {
    const members = Object.entries<Json>(schema.properties ?? {}).flatMap(([name, member]) => {
      const isWanted = schema.required?.includes(name) ? !random.chance(0.05) : random.chance(0.4);
      return isWanted ? [[name, value(member, depth + 1)]] : [];
    });
    if (schema.additionalProperties || random.chance(0.05)) {
      const more = typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
      for (let count = random.below(3); count > 0; count -= 1) {
        members.push([random.pick(ODD_TEXTS.slice(3, 12)), value(more, depth + 1)]);
      }
    }
    return Object.fromEntries(members);
  }

  /** A sample with a member or two that are something else, or not there. */
  function mutate(sample: Json, schema: Json): Json {
    if (random.chance(0.3)) return sample;
    const copy = structuredClone(sample);
    const properties = Object.entries<Json>(resolve(schema).properties ?? {});
    for (let count = 1 + random.below(2); count > 0 && properties.length > 0; count -= 1) {
      const [name, member] = random.pick(properties);
      if (random.chance(0.15)) delete copy[name];
      else copy[name] = value(member);
    }
    return copy;
  }

  function body(id: string, operation: Json): string | undefined {
    const schema = operation.requestBody?.content?.["application/json"]?.schema;
    if (!schema) return random.chance(0.02) ? "{}" : undefined;
    if (random.chance(0.03))
      return random.pick([
        undefined,
        "",
        "{",
        "[1",
        '{"a":1}}',
        "nul",
        "\xff",
        "1",
        '"x"',
        `${"[".repeat(5000)}`,
      ]);
    const sample = samples[id];
    return JSON.stringify(sample && random.chance(0.8) ? mutate(random.pick(sample), schema) : value(schema));
  }

  return () => {
    const { template, method, operation } = random.pick(operations);
    const path = template.replaceAll(/\{(\w+)\}/g, (_: string, name: string) => {
      const odd = random.chance(0.1) || !known[name]?.length;
      return encode(odd ? random.pick(ODD_TEXTS) || "x" : random.pick(known[name]!), random);
    });
    const query = (operation.parameters as Json[])
      .filter(each => each.in === "query" && (each.required ? !random.chance(0.05) : random.chance(0.3)))
      .map(({ name, schema }) => {
        const text = known[name] && random.chance(0.7) ? random.pick(known[name]) : value(schema);
        return `${name}=${encode(typeof text === "object" ? JSON.stringify(text) : String(text), random)}`;
      });
    const headers: Record<string, string> = random.chance(0.02)
      ? { "content-type": random.pick(["text/plain", "application/json; charset=utf-16", "x"]) }
      : { "content-type": "application/json" };
    if (random.chance(0.1)) headers["idempotency-key"] = random.pick(["a", "b", "c", "x".repeat(256)]);
    const isJoined = query.length > 0 ? `?${query.join(random.chance(0.01) ? "&&" : "&")}` : "";
    return {
      id: operation.operationId,
      method: method.toUpperCase(),
      template,
      path: path + isJoined,
      headers,
      body: body(operation.operationId, operation),
    };
  };
}

/** Encodes a part of an address; now and then wrongly. */
function encode(text: string, random: Random): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  return random.chance(0.01) ? `${encoded}%` : encoded;
}
