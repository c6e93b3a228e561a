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

/**
 * Returns what stands in for modules of Vega, by absolute path: its canvas without the top-level await that would keep
 * Vega from being loaded at once, its loader without Node's files so that a page can hold it too, and nothing for
 * the parts that are not used.
 */
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
