import { readFileSync } from "node:fs";
import { type Node, parse } from "acorn";

/** What of Sucrase does anything but strip types, and what of Kysely SQLite or the service do without. */
const UNUSED_MODULE =
  /\/kysely\/dist\/(?:query-builder\/merge-query-builder|operation-node\/operation-node-transformer|plugin\/with-schema\/with-schema-transformer|schema\/(?:alter-[\w-]+|(?:create|drop|refresh)-(?:materialized-)?(?:type|view)-builder))\.js$|\/sucrase\/dist\/esm\/(?:CJSImportProcessor|parser\/plugins\/(?:flow|jsx\/index)|transformers\/(?:CJSImport|Flow|JestHoist|JSX|NumericSeparator|OptionalCatchBinding|OptionalChainingNullish|ReactDisplayName|ReactHotLoader)Transformer)\.js$/;
const OPTIONS = /\/sucrase\/dist\/esm\/Options\.js$/;
const SQLITE = /\/sqlite-wasm\/dist\/index\.mjs$/;

/** What a page's service does not use of SQLite, by what its parts begin with: other storages, virtual tables, and workers. */
const UNUSED_INITIALIZERS = [
  "config.disable?.vfs?.kvvfs) return",
  'config.disable.vfs["opfs-vfs"]) return',
  "config.disable?.vfs?.opfs) return",
  'config.disable?.vfs?.["opfs-wl"]) return',
  "sqlite3.initWorker1API = ",
  "if (!sqlite3.wasm.exports.sqlite3_declare_vtab) return",
];
const BEGINNING_LENGTH = 300;

/** A bundler's plugin that leaves out what a page uses of no library, a sixth of SQLite's scripts and half of Sucrase. */
export const withoutUnusedParts = {
  name: "without-unused-parts",
  load(id: string) {
    if (UNUSED_MODULE.test(id)) return throwing(readFileSync(id, "utf8"));
    if (OPTIONS.test(id)) return "export function validateOptions() {}";
    return SQLITE.test(id) ? withoutInitializers(readFileSync(id, "utf8")) : null;
  },
};

/** Returns a module with the same exports, each of which throws when it is used. */
function throwing(module: string): string {
  const exported = module.matchAll(/^export (default )?(?:class|function) (\w+)/gm);
  return Array.from(
    exported,
    ([, isDefault = "", name]) =>
      `export ${isDefault}function ${name}() { throw new Error("${name} is no part of the page."); }`,
  ).join("\n");
}

type Call = Node & { callee: Node; arguments: Node[] };

function withoutInitializers(module: string): string {
  const unused = findCalls(parse(module, { ecmaVersion: "latest", sourceType: "module" })).filter(call => {
    if (!module.slice(call.callee.start, call.callee.end).endsWith("initializers.push")) return false;
    const [{ start } = call] = call.arguments;
    return UNUSED_INITIALIZERS.some(part => module.slice(start, start + BEGINNING_LENGTH).includes(part));
  });
  if (unused.length !== UNUSED_INITIALIZERS.length)
    throw new Error(`SQLite has changed: ${unused.length} of its unused parts are found.`);
  return unused.reduceRight(
    (left, { start, end }) => `${left.slice(0, start)}undefined${left.slice(end)}`,
    module,
  );
}

/** Finds the calls of a script in order, without those within others. */
function findCalls(node: unknown): Call[] {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(findCalls);
  const { type, callee } = node as { type?: string; callee?: { property?: { name?: string } } };
  if (type === "CallExpression" && callee?.property?.name === "push") return [node as Call];
  return Object.values(node).flatMap(findCalls);
}
