import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const unused = [
  "vega-crossfilter",
  "vega-force",
  "vega-geo",
  "vega-hierarchy",
  "vega-label",
  "vega-voronoi",
  "vega-wordcloud",
];

/** Returns replacements for modules of Vega: no top-level await, no files of Node, and no unused parts. */
export function vegaAliases(): { [module: string]: string } {
  const { resolve } = createRequire(import.meta.url);
  const beside = (name: string, file: string) => join(dirname(resolve(name)), file);
  const nothing = fileURLToPath(new URL("./nothing.ts", import.meta.url));
  return {
    "vega-canvas": beside("vega-canvas", "vega-canvas.browser.js"),
    "vega-loader": beside("vega-loader", "vega-loader.browser.js"),
    ...Object.fromEntries(unused.map(name => [name, nothing])),
  };
}
