import { stripVTControlCharacters } from "node:util";
import { chartFigure } from "../../../charts/page.ts";
import type { ErrorOutput, Output } from "../../../ipynb/format.ts";
import { escapeHtml } from "../../../ipynb/prose/escape.ts";
import type { Prose } from "../../../ipynb/prose/markdown.ts";
import { sanitizeHtml } from "./sanitize.ts";

type Fields = Record<string, unknown>;

const CHART = "application/vnd.vegalite.v5+json";
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** One output as HTML that needs nothing from outside. */
export function outputHtml(output: Output, prose: Prose): string {
  switch (output.output_type) {
    case "stream":
      return `<pre class="${output.name}">${plain(output.text)}</pre>`;
    case "error":
      return errorHtml(output);
    default:
      return `<div class="rich">${preferredHtml(output.data, output.metadata, prose)}</div>`;
  }
}

function errorHtml({ ename, evalue, traceback }: ErrorOutput): string {
  const heading = `${ename}: ${evalue}`;
  const trace = stripVTControlCharacters(traceback.join("\n"));
  const rest = trace.startsWith(heading) ? trace.slice(heading.length).replace(/^\n/, "") : trace;
  const title = `<p><strong>${escapeHtml(ename)}</strong> ${plain(evalue)}</p>`;
  return `<div class="error">${title}${rest.trim() && `<pre>${plain(rest)}</pre>`}</div>`;
}

function preferredHtml(data: Fields, metadata: Fields, prose: Prose): string {
  const text = (mime: string) => (typeof data[mime] === "string" ? (data[mime] as string) : undefined);
  const html = text("text/html");
  if (html !== undefined) return sanitizeHtml(html);
  const picture = PICTURES.find(mime => text(mime) !== undefined);
  const caption = text("text/plain") ?? "";
  if (picture) {
    const still = pictureHtml(`data:${picture};base64,${base64(data[picture])}`, metadata[picture], caption);
    return chartHtml(data[CHART], still, caption);
  }
  const svg = text("image/svg+xml");
  if (svg !== undefined) {
    return pictureHtml(
      `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`,
      undefined,
      caption,
    );
  }
  const markdown = text("text/markdown");
  if (markdown !== undefined) return prose.render(markdown);
  const fallback = text("text/plain") ?? text("text/latex") ?? JSON.stringify(data, undefined, 2);
  return `<pre>${plain(fallback)}</pre>`;
}

/** A chart with its picture and its text form; the picture alone where no specification came with it. */
function chartHtml(spec: unknown, still: string, text: string): string {
  if (typeof spec !== "object" || spec === null || Array.isArray(spec)) return still;
  const { description } = spec as Fields;
  const words = typeof description === "string" ? description : text.slice(0, 200);
  const lines = text && `<details><summary>Text</summary><pre tabindex="0">${plain(text)}</pre></details>`;
  return chartFigure({ description: words, spec, still }) + lines;
}

function pictureHtml(source: string, metadata: unknown, caption: string): string {
  const { width: given, alt } = Object(metadata) as Fields;
  const width = Number(given);
  const words = typeof alt === "string" ? alt : caption;
  const size = Number.isFinite(width) && width > 0 ? ` width="${width}"` : "";
  return `<img src="${source}" alt="${escapeHtml(words.slice(0, 2000))}"${size}>`;
}

function base64(value: unknown): string {
  return String(value).replace(/[^A-Za-z0-9+/=]/g, "");
}

function plain(text: string): string {
  return escapeHtml(stripVTControlCharacters(text));
}
