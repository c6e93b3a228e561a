import { readFileSync } from "node:fs";
import { type Node, parse } from "acorn";

/** Modules of Sucrase that do more than strip types, and those of Kysely that SQLite and the service do without. */
const UNUSED_MODULE =
  /\/kysely\/dist\/(?:query-builder\/(?:case|cte|json-path|merge-query|over)-builder|operation-node\/operation-node-transformer|plugin\/with-schema\/with-schema-transformer|schema\/(?:alter-[\w-]+|[\w-]+-constraint-builder|(?!create-table-builder)(?:create|drop|refresh)-[\w-]+-builder))\.js$|\/sucrase\/dist\/esm\/(?:CJSImportProcessor|parser\/plugins\/(?:flow|jsx\/index)|transformers\/(?:CJSImport|Flow|JestHoist|JSX|NumericSeparator|OptionalCatchBinding|OptionalChainingNullish|ReactDisplayName|ReactHotLoader)Transformer)\.js$/;
const OPTIONS = /\/sucrase\/dist\/esm\/Options\.js$/;
const WORD_TREE = /\/sucrase\/dist\/esm\/parser\/tokenizer\/readWordTree\.js$/;
const SQLITE = /\/sqlite-wasm\/dist\/index\.mjs$/;

/** Parts of SQLite that a page's service does not use, by their beginnings: other storages, virtual tables, and workers. */
const UNUSED_INITIALIZERS = [
  "config.disable?.vfs?.kvvfs) return",
  'config.disable.vfs["opfs-vfs"]) return',
  "config.disable?.vfs?.opfs) return",
  'config.disable?.vfs?.["opfs-wl"]) return',
  "sqlite3.initWorker1API = ",
  "if (!sqlite3.wasm.exports.sqlite3_declare_vtab) return",
];
const BEGINNING_LENGTH = 300;

/** A bundler's plugin that leaves out what a page uses of no library, a sixth of SQLite's scripts and half of Sucrase, whose keywords take less as words. */
export const withoutUnusedParts = {
  name: "without-unused-parts",
  load(id: string) {
    if (UNUSED_MODULE.test(id)) return throwing(readFileSync(id, "utf8"));
    if (OPTIONS.test(id)) return "export function validateOptions() {}";
    if (WORD_TREE.test(id)) return growingTree(readFileSync(id, "utf8"));
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

/** Returns the module of Sucrase's tree of keywords, a node of 27 numbers for each of their beginnings, with the words alone. */
function growingTree(module: string): string {
  const words = Array.from(
    module.matchAll(/\/\/ "(\w+)"\n\s*(\(?(?:ContextualKeyword|tt)\.[^,]+),/g),
    ([, word, value]) => `["${word}", ${value}]`,
  );
  if (words.length === 0) throw new Error("Sucrase has changed: its keywords are not found.");
  return `${module.slice(0, module.indexOf("// prettier-ignore"))}
const newNode = () => Array(27).fill(-1);
export const READ_WORD_TREE = newNode();
for (const [word, value] of [${words}]) {
  let at = 0;
  for (const letter of word) {
    const place = at + letter.charCodeAt(0) - 96;
    if (READ_WORD_TREE[place] < 0) READ_WORD_TREE[place] = READ_WORD_TREE.push(...newNode()) - 27;
    at = READ_WORD_TREE[place];
  }
  READ_WORD_TREE[at] = value;
}`;
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
