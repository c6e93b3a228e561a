import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { TslabModules } from "./internals.ts";
import type { Tslab } from "./locate.ts";

const COMPILER = "@tslab/typescript-for-tslab";

/**
 * Loads tslab's own modules so that what they export can be replaced before its kernel starts. What a version of
 * tslab lacks, or can't load, is left out.
 */
export function loadModules({ manifest }: Tslab): TslabModules {
  const require = createRequire(manifest);
  const dist = (name: string) => join(dirname(manifest), "dist", name);
  const modules: Record<string, unknown> = {};
  const load = (name: string, id: string) => {
    try {
      modules[name] = require(id);
    } catch {
      modules[name] = undefined;
    }
  };
  load("zeromq", "zeromq");
  load("typescript", COMPILER);
  if (modules.typescript) {
    // Its exports can't be written: tslab gets a copy of which they can.
    modules.typescript = { ...modules.typescript };
    const cached = require.cache[require.resolve(COMPILER)];
    if (cached) cached.exports = modules.typescript;
  }
  for (const name of ["converter", "executor", "jupyter", "main"]) load(name, dist(`${name}.js`));
  return modules;
}
