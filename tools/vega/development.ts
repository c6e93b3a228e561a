import { createRequire, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { vegaAliases } from "./aliases.ts";

const aliases = vegaAliases();

registerHooks({
  resolve: (specifier, context, next) => {
    const path = aliases[specifier];
    return path ? { url: pathToFileURL(path).href, shortCircuit: true } : next(specifier, context);
  },
});

/** The renderer, unbundled: what the sources use where the built package uses `vega.js`. */
export const { renderSvg } = createRequire(import.meta.url)(
  "../../src/charts/vega/renderer.ts",
) as typeof import("../../src/charts/vega/renderer.ts");
