import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { LIBRARY, LIBRARY_FILES } from "../library-name.ts";
import { ownLibrary } from "../own-library.ts";
import { CELL_OPTIONS, DEFAULT_OPTIONS } from "../typing/compiler-options.ts";
import { readConfiguration } from "./folder-configuration.ts";

/** The `tsconfig.json` of a notebook's cells: what they run in, and what the folder's own says besides. */
export function typeConfiguration(folder: string, files: readonly string[]): object {
  const own = readConfiguration(join(folder, "tsconfig.json"));
  const require = createRequire(join(folder, "notebook.ts"));
  return {
    ...own,
    compilerOptions: {
      jsx: "preserve",
      ...(own?.compilerOptions as object | undefined),
      ...(!own && { ...DEFAULT_OPTIONS, paths: pathsFor(require) }),
      ...nodeTypes(require),
      ...CELL_OPTIONS,
    },
    typeAcquisition: { enable: false },
    // A configuration that does not hold for itself has the server load those of the folders above.
    files: [...files, "tsconfig.json"],
    include: [],
  };
}

function pathsFor(require: NodeJS.Require): Record<string, string[]> {
  try {
    require.resolve(LIBRARY);
    return {};
  } catch {
    const own = ownLibrary();
    if (!own) return {};
    return Object.fromEntries(
      Array.from(LIBRARY_FILES, ([name, file]) => [name, [join(own, `${file}.d.ts`)]]),
    );
  }
}

/** Types of Node that the kernel brings along, under a name that nothing else takes for its own. */
const OWN_TYPES = "types-node";

/** The types of Node: the notebook's own, otherwise those that the kernel brings along. */
function nodeTypes(require: NodeJS.Require): { types: string[]; typeRoots: string[] } {
  const rootOf = (manifest: string) => dirname(dirname(manifest));
  try {
    return { types: ["node"], typeRoots: [rootOf(require.resolve("@types/node/package.json"))] };
  } catch {
    const own = createRequire(import.meta.url).resolve(`${OWN_TYPES}/package.json`);
    return { types: [OWN_TYPES], typeRoots: [rootOf(own)] };
  }
}
