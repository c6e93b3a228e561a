import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { html, raw } from "../display/index.ts";
import { pageFonts } from "./embed-fonts.ts";
import type { Theme } from "./theme.ts";
import type { VegaLiteSpec } from "./vega-lite.ts";

export interface ChartPage {
  title: string;
  description: string;
  spec: VegaLiteSpec;
  /** The chart as a still picture, safe to embed in a page. */
  svg: string;
  /** The chart's table, safe to embed in a page. */
  table: string;
  font: Theme["font"];
}

const built = import.meta.url.endsWith(".ts") ? "../../dist/" : "./";

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

/** Unpacks the renderer and runs it: both scripts are named by the page's policy. */
const unpack = `const packed = document.getElementById("chart-code").textContent;
const bytes = Uint8Array.from(atob(packed), character => character.charCodeAt(0));
const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
const script = document.createElement("script");
script.type = "module";
script.textContent = await new Response(unpacked).text();
document.body.append(script);`;

let renderer: { scripts: readonly string[]; markup: string } | undefined;

/** Returns the script that draws the charts of a page: Vega, packed to a third, and the licences of its parts. A page has it once, at its end. */
export function pageScript(): { scripts: readonly string[]; markup: string } {
  if (renderer) return renderer;
  const code = builtFile("vega.js");
  const notices = builtFile("vega.LICENSES.txt").replaceAll("-->", "-- >").replaceAll("<!--", "< !--");
  const markup = html`<script type="application/gzip" id="chart-code">${raw(gzipSync(code, { level: 9 }).toString("base64"))}</script>
<script type="module">${raw(unpack)}</script>
<!--
${raw(notices)}
-->`;
  renderer = { scripts: [unpack, code], markup: markup.toString() };
  return renderer;
}

/** Data that is in a script element: nothing in it can end the element. */
const scriptData = (data: unknown) =>
  JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Returns how a policy names a script or style of its page: by its content. */
const hashOf = (content: string) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;

/** Styles that charts add to a page. */
export const chartStyle = `figure[data-chart] { margin: 0 } figure[data-chart] :is(svg, img) { max-width: 100%; height: auto }
.vega-bindings:empty { display: none } figure[data-chart]:has(.vega-bindings) { display: flex; flex-direction: column } .vega-bindings { order: -1; margin-bottom: 8px } .vega-bind:has([name=slider_step]):not(:focus-within) { position: absolute; opacity: 0; pointer-events: none } .vega-bind input { width: min(20rem, 60%); vertical-align: middle }
figure[data-chart]:focus-visible, figure[data-chart] :focus-visible { outline: 2px solid #0072b2; outline-offset: 2px }
figure[data-chart] text { text-rendering: geometricPrecision } figure[data-chart] [role=button] { cursor: pointer }
.chart-tooltip { position: fixed; z-index: 1; display: grid; grid-template-columns: auto auto; gap: 2px 10px; margin: 0; padding: 6px 9px; pointer-events: none;
  max-width: 24rem; font: 12px/1.4 system-ui, sans-serif; color: CanvasText; background: Canvas; border: 1px solid GrayText; border-radius: 5px }
.chart-tooltip[hidden] { display: none } .chart-tooltip dt { opacity: .75 } .chart-tooltip dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums }`;

/** Returns a policy under which a page loads nothing and runs only these scripts, which make no code. */
export function pagePolicy(style: string, scripts: readonly string[]): string {
  return [
    "default-src 'none'",
    "img-src data:",
    "font-src data:",
    `style-src-elem ${hashOf(style)}`,
    "style-src-attr 'unsafe-inline'",
    ...(scripts.length > 0 ? [`script-src ${scripts.map(hashOf).join(" ")}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** Returns a chart in a page: its still picture, and its specification, from which a script of the page draws it again. */
export function chartFigure(description: string, spec: object, still: string): string {
  return html`<figure data-chart tabindex="0" role="img" aria-label="${description}">${raw(still)}</figure><script type="application/vnd.vegalite.v5+json">${raw(scriptData(spec))}</script>`.toString();
}

const look = `:root { color-scheme: light dark } body { margin: 2rem; font: 14px/1.45 system-ui, sans-serif } summary { margin: 1rem 0 }
${chartStyle}`;

/** Writes a chart as a page that needs no network and answers to the pointer and the keyboard. */
export function chartPage({ title, description, spec, svg, table, font }: ChartPage): string {
  const { scripts, markup } = pageScript();
  const style = `${look}\n${pageFonts(description + JSON.stringify(spec), font)}`;
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${pagePolicy(style, scripts)}"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${raw(style)}</style></head>
<body>${raw(chartFigure(description, spec, svg))}
<details><summary>Table</summary>${raw(table)}</details>
${raw(markup)}</body>
</html>
`.toString();
}
