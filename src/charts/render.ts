import { createRequire } from "node:module";

const chunk = import.meta.url.endsWith(".ts") ? "../../tools/vega/development.ts" : "./vega.js";

let renderer: { renderSvg(spec: object): string } | undefined;

/** Draws a Vega-Lite specification as SVG, at once. Vega itself is loaded by the first chart that is drawn. */
export function renderSvg(spec: object): string {
  renderer ??= createRequire(import.meta.url)(chunk) as typeof import("./vega/renderer.ts");
  return renderer.renderSvg(spec);
}
