import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { LIBRARY, ownLibrary } from "../own-library.ts";

/** The `tsconfig.json` of a notebook's cells: what they run in, and what the folder's own says besides. */
export function typeConfiguration(folder: string, files: readonly string[]): object {
  const own = ownConfiguration(join(folder, "tsconfig.json"));
  const require = createRequire(join(folder, "notebook.ts"));
  return {
    ...own,
    compilerOptions: {
      ...(own?.compilerOptions as object | undefined),
      ...(!own && {
        strict: false,
        lib: ["esnext"],
        target: "esnext",
        skipLibCheck: true,
        paths: pathsFor(require),
      }),
      types: ["node"],
      typeRoots: typeRoots(folder),
      module: "preserve",
      moduleResolution: "bundler",
      moduleDetection: "force",
      noEmit: true,
      composite: false,
      allowJs: true,
      resolveJsonModule: true,
      allowImportingTsExtensions: true,
      isolatedModules: false,
      verbatimModuleSyntax: false,
      erasableSyntaxOnly: false,
      noUnusedLocals: false,
      noUnusedParameters: false,
    },
    typeAcquisition: { enable: false },
    // A configuration that does not hold for itself has the server load those of the folders above.
    files: [...files, "tsconfig.json"],
    include: [],
  };
}

const COMMENT = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const TRAILING_COMMA = /("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g;

/** The folder's own `tsconfig.json`, in which comments and trailing commas are allowed. */
function ownConfiguration(file: string): Record<string, unknown> | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8").replace(COMMENT, "$1").replace(TRAILING_COMMA, "$1"));
  } catch {
    return undefined;
  }
}

function pathsFor(require: NodeJS.Require): Record<string, string[]> {
  try {
    require.resolve(LIBRARY);
    return {};
  } catch {
    const types = ownLibrary()?.types;
    return types ? { [LIBRARY]: [types] } : {};
  }
}

/** Where the types of Node are: with the notebook, or with the kernel. */
function typeRoots(folder: string): string[] {
  const roots: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    const root = join(at, "node_modules", "@types");
    if (existsSync(root) && readdirSync(root).length > 0) roots.push(root);
    if (dirname(at) === at) break;
  }
  try {
    roots.push(dirname(dirname(createRequire(import.meta.url).resolve("@types/node/package.json"))));
  } catch {
    // Without the types of Node, cells are checked against those of the language.
  }
  return roots;
}
