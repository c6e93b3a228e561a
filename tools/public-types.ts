import { parseSync } from "oxc-parser";
import { type Edits, openEdits } from "../src/kernels/cells/edits.ts";
import { childrenOf, type SyntaxNode } from "../src/kernels/cells/syntax.ts";
import type { Emitter } from "./chunks.ts";

type Identifier = SyntaxNode & { name: string };

/** Types that the public types name and a notebook's libraries may lack. Where those have them, the declarations merge. */
const GLOBALS = `
declare global {
	interface AbortSignal {}
	interface SymbolConstructor {
		readonly asyncDispose: unique symbol
	}
}
`;

/**
 * The bundler's plugin for the public types. They import each other and nothing else, since every notebook cell is checked
 * against them: a package that only schemas name would cost each cell half a second. They check by themselves under any
 * TypeScript from 5.0 on, and there are two copies, for ES modules and for CommonJS.
 */
export const publicTypes = {
  name: "public-types",
  renderChunk: (code: string, { fileName }: { fileName: string }) =>
    fileName.endsWith(".d.ts")
      ? selfContained(fileName, code) + (fileName === "types/client.d.ts" ? GLOBALS : "")
      : null,
  generateBundle(this: Emitter, _options: unknown, bundle: { [file: string]: { code?: string } }) {
    for (const [file, { code }] of Object.entries(bundle))
      if (file.endsWith(".d.ts"))
        this.emitFile({
          type: "asset",
          fileName: file.replace(/ts$/, "cts"),
          source: code!.replace(/^(.* from "\.\.?\/.*)\.js";$/gm, '$1.cjs";'),
        });
  },
};

/** Returns a file of declarations without imports of packages and private fields, each exported name its own again. */
function selfContained(fileName: string, code: string): string {
  const { program, errors } = parseSync(fileName, code, { lang: "dts" });
  if (errors.length > 0) throw new Error(`${fileName} can't be parsed: ${errors[0]!.message}`);
  const body = program.body as unknown as SyntaxNode[];
  const edits = openEdits(code);
  const names = exportedNames(body, edits);
  const visit = (node: SyntaxNode): void => {
    if (isOfPackage(node) || isPrivateField(node)) {
      edits.replace(Math.max(0, code.lastIndexOf("\n", node.start)), node.end, "");
      return;
    }
    const { name } = node as Identifier;
    const own = node.type === "Identifier" && names.get(name);
    if (own) edits.replace(node.start, node.start + name.length, own);
    for (const child of childrenOf(node)) visit(child);
  };
  for (const statement of body) if (statement.type !== "ExportNamedDeclaration") visit(statement);
  return edits.apply("").text;
}

const isOfPackage = ({ type, source }: SyntaxNode): boolean =>
  type === "ImportDeclaration" && !(source as SyntaxNode & { value: string }).value.startsWith(".");

const isPrivateField = (node: SyntaxNode): boolean =>
  node.type === "PropertyDefinition" && (node.key as SyntaxNode).type === "PrivateIdentifier";

/** The names that the bundler numbered, as it does beside members of the same name, though they stay free. */
function exportedNames(body: readonly SyntaxNode[], edits: Edits): ReadonlyMap<string, string> {
  const declared = new Set(body.flatMap(statement => (statement.id as Identifier | null)?.name ?? []));
  const specifiers = body.flatMap(
    ({ specifiers = [] }) => specifiers as (SyntaxNode & { local: Identifier; exported: Identifier })[],
  );
  const renamed = specifiers.filter(
    ({ local, exported }) => exported && local.name !== exported.name && !declared.has(exported.name),
  );
  for (const { local, exported } of renamed) edits.replace(local.start, exported.end, exported.name);
  return new Map(renamed.map(({ local, exported }) => [local.name, exported.name]));
}
