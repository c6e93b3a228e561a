import { stripVTControlCharacters } from "#host/inspect";
import type { ErrorOutput, Output, RichOutput } from "../../ipynb/format.ts";
import { openProse } from "../../ipynb/prose/markdown.ts";
import { element } from "./element.ts";
import { stillOf } from "./pictures.ts";
import { sanitized } from "./sanitize.ts";

type Bundle = Readonly<Record<string, unknown>>;

const CHART = "application/vnd.vegalite.v5+json";
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const MAX_TEXT = 200_000;

/** Draws charts, once what does is loaded. */
let drawChart: typeof import("./chart.ts")["drawChart"] | undefined;

/** One output of a cell, as an element that can only be looked at. */
export function outputElement(output: Output): HTMLElement {
  if (output.output_type === "stream") return element("pre", { class: output.name }, plain(output.text));
  if (output.output_type === "error") return errorElement(output);
  const shown = element("div", { class: "rich" });
  void fill(shown, output);
  return shown;
}

function errorElement({ ename, evalue, traceback }: ErrorOutput): HTMLElement {
  const trace = plain(traceback.join("\n"));
  const heading = `${ename}: ${evalue}`;
  const rest = trace.startsWith(heading) ? trace.slice(heading.length).trimStart() : trace;
  // Lines after the first may be a program's, with a caret under the place.
  const [sentence, ...lines] = plain(evalue).split("\n");
  const title = element("p", {}, element("strong", {}, ename), ` ${sentence}`);
  const details = [lines.join("\n").replace(/^\n+|\s+$/g, ""), rest].filter(text => text !== "").join("\n\n");
  return element(
    "div",
    { class: "error", role: "alert" },
    title,
    details !== "" && element("pre", {}, details),
  );
}

async function fill(shown: HTMLElement, { data, metadata }: RichOutput): Promise<void> {
  const bundle = data as Bundle;
  const text = plain(textOf(bundle["text/plain"]) ?? "");
  const mime = PICTURES.find(each => typeof bundle[each] === "string");
  const file = stillOf(metadata);
  const src = mime ? `data:${mime};base64,${textOf(bundle[mime])}` : file;
  const still = src && picture(src, text, (metadata as Bundle)[mime ?? "image/png"]);
  if (still && file) still.classList.add("still");
  const spec = bundle[CHART];
  if (typeof spec === "object" && spec !== null)
    return fillChart(shown, spec, still || element("pre", {}, text));
  const html = textOf(bundle["text/html"]);
  if (html !== undefined) return shown.replaceChildren(sanitized(html));
  if (still) return shown.replaceChildren(still);
  const svg = textOf(bundle["image/svg+xml"]);
  if (svg !== undefined)
    return shown.replaceChildren(picture(`data:image/svg+xml,${encodeURIComponent(svg)}`, text));
  const markdown = textOf(bundle["text/markdown"]);
  if (markdown !== undefined) return shown.replaceChildren(sanitized(openProse().render(markdown)));
  shown.replaceChildren(
    element("pre", {}, text || plain(textOf(bundle["text/latex"]) ?? JSON.stringify(data, undefined, 2))),
  );
}

/** Puts a chart into its place, in which its still or text is while the first one's Vega is loaded, and stays where that fails. */
async function fillChart(shown: HTMLElement, spec: object, still: HTMLElement): Promise<void> {
  const { description } = spec as { description?: unknown };
  try {
    if (!drawChart) shown.replaceChildren(still);
    drawChart ??= (await import("./chart.ts")).drawChart;
    const figure = element("figure", {
      "data-chart": "",
      tabindex: "0",
      role: "group",
      "aria-label": String(description ?? "Chart"),
    });
    shown.replaceChildren(figure);
    await drawChart(figure, spec);
  } catch {
    shown.replaceChildren(still);
  }
}

function picture(src: string, text: string, about?: unknown): HTMLElement {
  const { width, height, alt = text } = (about ?? {}) as { [name: string]: unknown };
  const image = element("img", { loading: "lazy", src, alt: String(alt).slice(0, 2000) });
  if (typeof width === "number" && typeof height === "number") Object.assign(image, { width, height });
  return image;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function plain(text: string): string {
  const shown = stripVTControlCharacters(text);
  return shown.length > MAX_TEXT
    ? `${shown.slice(0, MAX_TEXT)}\n… (${shown.length - MAX_TEXT} more characters)`
    : shown;
}
