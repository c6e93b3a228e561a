import { createRequire } from "node:module";
import { join } from "node:path";
import { LIBRARY, ownLibrary } from "../own-library.ts";
import type { Evaluation } from "./evaluation.ts";

/** Makes everything that the library exports known to the cells, as if the first of them had imported it. */
export async function preloadLibrary(evaluation: Evaluation, folder: string): Promise<void> {
  const names = exportedNames(folder);
  const outcome = await evaluation.run(`import { ${names.join(", ")} } from "${LIBRARY}";`, 0);
  if ("failure" in outcome) process.stderr.write(`${outcome.failure.traceback.join("\n")}\n`);
}

function exportedNames(folder: string): string[] {
  const require = createRequire(join(folder, "notebook.js"));
  let library: object;
  try {
    library = require(LIBRARY);
  } catch {
    library = require(ownLibrary()?.main ?? LIBRARY);
  }
  return Object.keys(library).filter(name => /^[A-Za-z_$][\w$]*$/.test(name) && name !== "default");
}
