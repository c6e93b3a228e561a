import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LIBRARY } from "./library-name.ts";

/** The files of a library: for `require`, for `import`, and its types. */
export interface LibraryFiles {
  main: string;
  module: string;
  types: string;
}

/** The kernel's own copy of the library, for folders of notebooks that have none. */
export function ownLibrary(): LibraryFiles | undefined {
  const inFolder = (folder: string) => ({
    main: join(folder, "index.cjs"),
    module: join(folder, "index.js"),
    types: join(folder, "index.d.ts"),
  });
  const beside = inFolder(dirname(fileURLToPath(import.meta.url)));
  if (existsSync(beside.types)) return beside;
  try {
    return inFolder(dirname(createRequire(import.meta.url).resolve(LIBRARY)));
  } catch {
    return undefined;
  }
}
