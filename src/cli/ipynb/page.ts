import { stripVTControlCharacters } from "node:util";
import sanitize from "sanitize-html";
import { chartFigure, chartStyle, pageFonts, pagePolicy, pageScript } from "../../charts/html/index.ts";
import type { Cell, CodeCell, ErrorOutput, Notebook, Output } from "../../ipynb/index.ts";
import { escapeHtml, type Heading, highlight, openProse, type Prose } from "../../ipynb/prose/index.ts";

/** The look of the page: one column of prose and code, in light and dark. */
export const STYLE = `
:root { color-scheme: light dark;
  --page: #fff; --text: #1d2126; --soft: #5c6570; --line: #e3e7eb; --code: #f6f8fa; --accent: #0072b2;
  --comment: #667380; --string: #0a6b4f; --number: #9a4a00; --keyword: #8b2f8f; --call: #0b5c8f;
  --error: #b3261e; --error-back: #fdf1ef; --warn: #b07400; --shade: #0003; }
@media (prefers-color-scheme: dark) { :root {
  --page: #111; --text: #e4e7ea; --soft: #98a2ad; --line: #2b3036; --code: #1a1d21; --accent: #5cb6e8;
  --comment: #8b96a2; --string: #6fcfa8; --number: #eda35c; --keyword: #dd9be0; --call: #7cc3ee;
  --error: #ff8a80; --error-back: #2b1a19; --warn: #e0ac4a; --shade: #fff4; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; } @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body { margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.65 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
main > :first-child, main > :first-child > :first-child { margin-top: 0; }
a { color: var(--accent); text-underline-offset: .15em; }
h1, h2, h3, h4 { line-height: 1.25; margin: 2.2em 0 .6em; text-wrap: balance; }
h1 { font-size: 2.1rem; letter-spacing: -.02em; } h2 { font-size: 1.45rem; letter-spacing: -.01em; } h3 { font-size: 1.15rem; }
p, ul, ol, blockquote { margin: .8em 0; }
blockquote { padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft); }
img { max-width: 100%; height: auto; vertical-align: top; }
pre, code, kbd, samp { font-family: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { font-size: .875em; background: var(--code); padding: .15em .35em; border-radius: 4px; }
pre { margin: 0; font-size: .84rem; line-height: 1.55; overflow: auto; tab-size: 2; }
pre code { font-size: inherit; background: none; padding: 0; }
.prose pre { --under: var(--code); background-color: var(--code); padding: .8rem 1rem; border-radius: 8px; margin: 1em 0; }
.cell { margin: 1.4rem 0; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.prose > * { max-width: 48rem; }
.source { display: flex; flex-direction: row-reverse; --under: var(--code); background: var(--code); }
.source pre { flex: 1; min-width: 0; padding: .85rem 1rem; }
.count { padding: .8rem .9rem 0 .5rem; color: var(--soft); font-size: .75rem; font-variant-numeric: tabular-nums; user-select: none; }
.output { border-top: 1px solid var(--line); padding: .9rem 1rem; overflow-x: auto; }
.output > * + * { margin-top: .8rem; }
.output pre { max-height: 34rem; }
.output .stderr { border-left: 3px solid var(--warn); padding-left: .75rem; }
.error { --under: var(--error-back); background: var(--error-back); border-left: 3px solid var(--error); border-radius: 4px; padding: .7rem .9rem; }
.error p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; } .error strong { color: var(--error); }
.error pre { margin-top: .5rem; color: var(--soft); }
.rich { overflow-x: auto; } .rich td[style*="overflow-wrap"] { overflow-wrap: anywhere !important; }
:is(pre, .rich, .prose table, .rich div[style*="overflow-x"]) { --ground: var(--under, var(--page));
  background: linear-gradient(90deg, var(--ground) 1rem, transparent 2.5rem) left / 3rem 100% no-repeat local,
    linear-gradient(-90deg, var(--ground) 1rem, transparent 2.5rem) right / 3rem 100% no-repeat local,
    linear-gradient(90deg, var(--shade), transparent) left / .75rem 100% no-repeat scroll,
    linear-gradient(-90deg, var(--shade), transparent) right / .75rem 100% no-repeat scroll var(--ground); }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .45rem; vertical-align: top; } .rich :is(th, td) { vertical-align: middle; } :is(th, td):not([align]) { text-align: left; }
.prose table { display: block; overflow-x: auto; margin: 1em 0; }
.prose th, .prose td { border-bottom: 1px solid var(--line); }
.comment { color: var(--comment); font-style: italic; } :is(.string, .regexp) { color: var(--string); } .subst { color: var(--text); }
:is(.number, .literal) { color: var(--number); } :is(.keyword, .meta) { color: var(--keyword); } :is(.function_, .class_, .built_in, .type) { color: var(--call); }
nav { display: none; }
summary { color: var(--soft); font-size: .84rem; margin-top: .4rem; } :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
footer { margin-top: 3.5rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .82rem; }
@media (min-width: 86rem) { nav { display: block; position: fixed; top: 2.5rem; left: calc(50% - 42rem); width: 11.5rem;
    max-height: calc(100vh - 5rem); overflow: auto; font-size: .84rem; line-height: 1.4; }
  nav a { display: block; padding: .25rem 0; color: var(--soft); text-decoration: none; }
  nav a:hover { color: var(--accent); } nav .deeper { padding-left: .9rem; } }
@media (max-width: 40rem) { main { padding: 1.5rem 1rem 3rem; } h1 { font-size: 1.7rem; } }
@media print { .cell { break-inside: avoid; } nav { display: none; } .output pre { max-height: none; } }
`;

const MIN_CONTENTS_HEADINGS = 4;
const CONTROLS = /[^\P{Cc}\n\t]/gu;

/** Opening tag of a chart; outputs with HTML can't keep this attribute. */
const CHART_FIGURE = "<figure data-chart ";

interface PageOptions {
  /** Its title where the notebook has no heading. */
  name: string;
  note: string;
  /** Markup above the page, as it is. Default: none. */
  header?: string;
  /** Style sheet of that markup. Default: none. */
  style?: string;
}

/**
 * A whole HTML page of an executed notebook. It loads nothing: pictures are part of it, and what the outputs bring
 * along as HTML is cut down to what can only be looked at. What draws charts again is in it once, and nothing else
 * runs; where nothing does, their pictures stay.
 */
export function notebookPage(
  notebook: Notebook,
  { name, note, header = "", style = "" }: PageOptions,
): string {
  const prose = openProse();
  const info = Object(notebook.metadata.language_info) as { name?: unknown };
  const language = String(info.name ?? "typescript");
  const body = notebook.cells.map(cell => cellHtml(cell, prose, language)).join("\n");
  const title = prose.headings.find(heading => heading.level === 1)?.text ?? name;
  const script = body.includes(CHART_FIGURE) ? pageScript() : undefined;
  const look = `${STYLE}${chartStyle}${style}${script ? pageFonts(body) : ""}`;
  const policy = pagePolicy(look, script?.scripts ?? []);
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${look}</style>
</head>
<body>
${header}${contents(prose.headings)}<main>
${body}
<footer>${escapeHtml(note)}</footer>
</main>
`;
  return `${page.replace(CONTROLS, "")}${script?.markup ?? ""}
</body>
</html>
`;
}

function cellHtml(cell: Cell, prose: Prose, language: string): string {
  if (cell.cell_type === "code") return cell.source.trim() === "" ? "" : codeHtml(cell, prose, language);
  if (cell.cell_type === "markdown")
    return `<div class="prose">${prose.render(cell.source, cell.attachments)}</div>`;
  return `<div class="prose"><pre>${escapeHtml(cell.source)}</pre></div>`;
}

function codeHtml(cell: CodeCell, prose: Prose, language: string): string {
  const count = cell.execution_count === null ? "" : `<span class="count">${cell.execution_count}</span>`;
  const source = `<div class="source">${count}<pre><code>${highlight(cell.source, language)}</code></pre></div>`;
  const outputs = cell.outputs.map(output => outputHtml(output, prose)).join("\n");
  return `<section class="cell">${source}${outputs && `<div class="output">${outputs}</div>`}</section>`;
}

function contents(headings: readonly Heading[]): string {
  const listed = headings.filter(heading => heading.level <= 3);
  if (listed.length < MIN_CONTENTS_HEADINGS) return "";
  const links = listed.map(({ level, id, text }) => {
    const deeper = level > 2 ? ' class="deeper"' : "";
    return `<a href="#${escapeHtml(encodeURIComponent(id))}"${deeper}>${escapeHtml(text)}</a>`;
  });
  return `<nav aria-label="Contents">${links.join("\n")}</nav>\n`;
}

const TAGS =
  "a abbr b blockquote br caption code col colgroup dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 " +
  "hr i img kbd li meter ol p picture pre progress s samp section small source span strong sub summary sup table tbody td tfoot th " +
  "thead time tr u ul var wbr";
const ATTRIBUTES =
  "align alt aria-hidden aria-label cellpadding colspan datetime dir height high lang low max min open optimum role " +
  "rowspan scope span start style title valign value width";
/** Elements that go with all they contain. */
const DROPPED =
  "embed frame frameset head iframe math noscript object option script style svg template textarea title xmp";

/** Properties that style an element and what is in it, and that neither move it nor cover others. */
const PROPERTIES =
  "align-content align-items align-self background background-color background-image background-position " +
  "background-repeat background-size border border-bottom border-bottom-color border-bottom-style " +
  "border-bottom-width border-collapse border-color border-left border-left-color border-left-style " +
  "border-left-width border-radius border-right border-right-color border-right-style border-right-width " +
  "border-spacing border-style border-top border-top-color border-top-style border-top-width border-width " +
  "box-sizing caption-side color column-gap direction display flex flex-basis flex-direction flex-grow flex-shrink " +
  "flex-wrap font font-family font-size font-style font-variant-numeric font-weight gap grid-auto-flow grid-column " +
  "grid-row grid-template-columns grid-template-rows height hyphens justify-content justify-items justify-self " +
  "list-style list-style-type max-height max-width min-height min-width object-fit opacity order overflow " +
  "overflow-wrap overflow-x overflow-y padding padding-bottom padding-left padding-right padding-top row-gap " +
  "table-layout tab-size text-align text-decoration text-overflow text-transform user-select vertical-align " +
  "white-space width word-break word-wrap";
const SPACING =
  "letter-spacing line-height margin margin-bottom margin-left margin-right margin-top word-spacing";

const FUNCTIONS = "calc|clamp|color-mix|hsla?|light-dark|linear-gradient|max|min|minmax|repeat|rgba?|var";
const VALUE = new RegExp(`^(?:[\\w\\s#%.,'"+*/)-]|(?<![\\w-])(?:${FUNCTIONS})\\()*$`, "i");
const NOT_NEGATIVE = /^(?:(?:auto|normal|\d*\.?\d+(?:ch|em|ex|pt|px|rem|%)?)\s*){1,4}$/i;
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=\s]*$/;
const MAX_DEPTH = 200;

const allow = (names: string, pattern: RegExp) =>
  Object.fromEntries(names.split(" ").map(name => [name, [pattern]]));

const OPTIONS: Parameters<typeof sanitize>[1] = {
  allowedTags: TAGS.split(" "),
  nonTextTags: DROPPED.split(" "),
  allowedAttributes: { "*": ATTRIBUTES.split(" "), a: ["href"], img: ["src"], source: ["media", "srcset"] },
  allowedSchemes: ["http", "https", "mailto"],
  allowedSchemesByTag: { img: ["data"], source: ["data"] },
  allowProtocolRelative: false,
  allowedStyles: { "*": { ...allow(PROPERTIES, VALUE), ...allow(SPACING, NOT_NEGATIVE) } },
  exclusiveFilter: ({ tag, attribs }) =>
    (tag === "img" && !PICTURE.test(attribs.src ?? "")) ||
    (tag === "source" && !PICTURE.test(attribs.srcset ?? "")),
};

/**
 * Keeps of an HTML fragment what shows text, tables, bars and embedded pictures, and nothing that could run, load,
 * send or cover anything. Every element that is opened gets closed.
 */
export function sanitizeHtml(fragment: string): string {
  let depth = 0;
  const onOpenTag = () => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new RangeError(`nested more than ${MAX_DEPTH} elements deep`);
  };
  const onCloseTag = () => {
    depth -= 1;
  };
  try {
    return sanitize(fragment, { ...OPTIONS, onOpenTag, onCloseTag });
  } catch (error) {
    if (depth <= MAX_DEPTH) throw error;
    return `<p>[HTML that is ${(error as RangeError).message} is left out.]</p>`;
  }
}

type Fields = Record<string, unknown>;

const CHART = "application/vnd.vegalite.v5+json";
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** One output as HTML that needs nothing from outside. */
function outputHtml(output: Output, prose: Prose): string {
  if (output.output_type === "stream") return `<pre class="${output.name}">${plain(output.text)}</pre>`;
  if (output.output_type === "error") return errorHtml(output);
  return `<div class="rich">${preferredHtml(output.data, output.metadata, prose)}</div>`;
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
    const base64 = String(data[picture]).replace(/[^A-Za-z0-9+/=]/g, "");
    const still = pictureHtml(`data:${picture};base64,${base64}`, metadata[picture], caption);
    return chartHtml(data[CHART], still, caption);
  }
  const svg = text("image/svg+xml");
  if (svg !== undefined) {
    const base64 = Buffer.from(svg).toString("base64");
    return pictureHtml(`data:image/svg+xml;base64,${base64}`, undefined, caption);
  }
  const markdown = text("text/markdown");
  if (markdown !== undefined) return prose.render(markdown);
  const fallback = text("text/plain") ?? text("text/latex") ?? JSON.stringify(data, undefined, 2);
  return `<pre>${plain(fallback)}</pre>`;
}

/** A chart with its picture and its text form; only the picture if no specification came with it. */
function chartHtml(spec: unknown, still: string, text: string): string {
  if (typeof spec !== "object" || spec === null || Array.isArray(spec)) return still;
  const { description } = spec as Fields;
  const words = typeof description === "string" ? description : text.slice(0, 200);
  const lines = text && `<details><summary>Text</summary><pre tabindex="0">${plain(text)}</pre></details>`;
  return chartFigure(words, spec, still) + lines;
}

function pictureHtml(source: string, metadata: unknown, caption: string): string {
  const { width: given, alt } = Object(metadata) as Fields;
  const width = Number(given);
  const words = typeof alt === "string" ? alt : caption;
  const size = Number.isFinite(width) && width > 0 ? ` width="${width}"` : "";
  return `<img src="${source}" alt="${escapeHtml(words.slice(0, 2000))}"${size}>`;
}

function plain(text: string): string {
  return escapeHtml(stripVTControlCharacters(text));
}
