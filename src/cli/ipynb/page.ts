import { chartStyle, pageFonts, pagePolicy, pageScript } from "../../charts/html/index.ts";
import type { Cell, CodeCell, Notebook } from "../../ipynb/index.ts";
import { escapeHtml, type Heading, highlight, openProse, type Prose } from "../../ipynb/prose/index.ts";
import { outputHtml } from "./page-output.ts";

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
const CHART = "<figure data-chart ";

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
  const language = String(
    (notebook.metadata.language_info as { name?: unknown } | undefined)?.name ?? "typescript",
  );
  const body = notebook.cells.map(cell => cellHtml(cell, prose, language)).join("\n");
  const title = prose.headings.find(heading => heading.level === 1)?.text ?? name;
  const script = body.includes(CHART) ? pageScript() : undefined;
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
