import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { parseSync } from "oxc-parser";

/** An import that a file makes. */
export interface Import {
  /** The path of the imported file in the folder, or the name of a package or of a file outside; `node` for Node's modules. */
  readonly target: string;
  readonly inside: boolean;
  /** Whether types alone are imported, of which nothing is left when the program runs. */
  readonly typeOnly: boolean;
}

/** The imports of every file of a folder, by the file's path in it. */
export type Imports = ReadonlyMap<string, readonly Import[]>;

function importOf(file: string, specifier: string, typeOnly: boolean): Import {
  if (specifier.startsWith(".")) {
    const target = posix.join(dirname(file), specifier);
    const inside = !target.startsWith("..");
    return { target: inside ? target : posix.basename(target), inside, typeOnly };
  }
  const [first = "", second] = specifier.split("/");
  const name = first.startsWith("node:") ? "node" : first.startsWith("@") ? `${first}/${second}` : first;
  return { target: name, inside: false, typeOnly };
}

function importsOf(file: string, source: string): Import[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, source).module;
  return [
    ...staticImports.map(({ moduleRequest, entries }) =>
      importOf(file, moduleRequest.value, entries.length > 0 && entries.every(({ isType }) => isType)),
    ),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? [importOf(file, moduleRequest.value, isType)] : [],
      ),
    ),
    ...dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const [, specifier] = /^["']([^"']+)["']$/.exec(source.slice(start, end)) ?? [];
      return specifier ? [importOf(file, specifier, false)] : [];
    }),
  ];
}

/** Reads the imports of every TypeScript file in a folder. */
export function readImports(folder: string): Imports {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    file => file.endsWith(".ts") && !file.endsWith(".d.ts"),
  );
  return new Map(files.sort().map(file => [file, importsOf(file, readFileSync(join(folder, file), "utf8"))]));
}
