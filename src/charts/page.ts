import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { html, raw } from "../display/html.ts";
import type { VegaLiteSpec } from "./theme.ts";

/** What a page with a chart is made from. */
export interface ChartPage {
  title: string;
  description: string;
  spec: VegaLiteSpec;
  /** The chart as a still picture, safe to stand in a page. */
  svg: string;
  /** The chart's table, safe to stand in a page. */
  table: string;
}

const built = import.meta.url.endsWith(".ts") ? "../../dist/" : "./";

/** Reads a file that the build makes. */
function builtFile(name: string): string {
  const path = fileURLToPath(new URL(`${built}${name}`, import.meta.url));
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new Error(
      `A page needs ${path}, which is missing. Install ketbook again, or build it from its sources.`,
    );
  }
}

let renderer: { code: string; notices: string } | undefined;

/** Vega, and the licences of its parts, as they may stand in a page. */
function pageRenderer() {
  renderer ??= {
    code: builtFile("vega.js").replace(/<\/(script)/gi, "<\\/$1"),
    notices: builtFile("vega.LICENSES.txt").replaceAll("-->", "-- >").replaceAll("<!--", "< !--"),
  };
  return renderer;
}

/** Data that stands in a script element: nothing in it can end the element. */
const scriptData = (data: unknown) =>
  JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Nothing is loaded, from wherever: the page holds all that it shows. Vega makes functions of its expressions. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval'; img-src data:";

const style =
  ":root { color-scheme: light dark } body { margin: 2rem; font: 14px/1.45 system-ui, sans-serif } figure { margin: 0 } svg { max-width: 100%; height: auto }";

/** Writes a chart as a page that needs no network and answers to the pointer. */
export function chartPage({ title, description, spec, svg, table }: ChartPage): string {
  const { code, notices } = pageRenderer();
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${raw(style)}</style></head>
<body><figure data-chart aria-label="${description}">${raw(svg)}</figure>
<details><summary>Table</summary>${raw(table)}</details>
<script type="application/vnd.vegalite.v5+json">${raw(scriptData(spec))}</script>
<script type="module">${raw(code)}</script>
<!--
${raw(notices)}
--></body>
</html>
`.toString();
}
