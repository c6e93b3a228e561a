import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { parseSync } from "oxc-parser";

/** An import that a file makes. */
export interface Import {
  /** The path of the imported file in the folder, or the name of a package or of a file outside; `node` for Node's modules. */
  readonly target: string;
  readonly inside: boolean;
}

/** The imports of every file of a folder, by the file's path in it. */
export type Imports = ReadonlyMap<string, readonly Import[]>;

/** Stands for `host/node.ts` or `host/browser.ts`, which have the same exports. */
const HOST = "#host";

function importOf(file: string, specifier: string): Import {
  if (specifier.startsWith(".")) {
    const target = posix.join(dirname(file), specifier);
    const inside = !target.startsWith("..");
    return { target: inside ? target : posix.basename(target), inside };
  }
  if (specifier === HOST) return { target: "host/node.ts", inside: true };
  const [first = "", second] = specifier.split("/");
  const name = first.startsWith("node:") ? "node" : first.startsWith("@") ? `${first}/${second}` : first;
  return { target: name, inside: false };
}

function importsOf(file: string, source: string): Import[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, source).module;
  return [
    ...staticImports.map(({ moduleRequest }) => importOf(file, moduleRequest.value)),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest ? [importOf(file, moduleRequest.value)] : [])),
    ),
    ...dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const [, specifier] = /^["']([^"']+)["']$/.exec(source.slice(start, end)) ?? [];
      return specifier ? [importOf(file, specifier)] : [];
    }),
  ];
}

/** Returns the folders that have a face, `index.ts`, and a README.md that leads into them. */
export function readFaces(folder: string): Set<string> {
  const files = new Set(readdirSync(folder, { recursive: true, encoding: "utf8" }));
  return new Set(
    [...files]
      .map(file => dirname(file))
      .filter(name => files.has(join(name, "index.ts")) && files.has(join(name, "README.md"))),
  );
}

/** Reads the imports of every TypeScript file in a folder. */
export function readImports(folder: string): Imports {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    file => file.endsWith(".ts") && !file.endsWith(".d.ts"),
  );
  return new Map(files.sort().map(file => [file, importsOf(file, readFileSync(join(folder, file), "utf8"))]));
}
