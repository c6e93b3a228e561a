import { pageFonts } from "../../../charts/embed-fonts.ts";
import { chartStyle, pagePolicy, pageScript } from "../../../charts/page.ts";
import type { Cell, CodeCell, Notebook } from "../../../ipynb/format.ts";
import { escapeHtml } from "../../../ipynb/prose/escape.ts";
import { highlight } from "../../../ipynb/prose/highlight.ts";
import { type Heading, openProse, type Prose } from "../../../ipynb/prose/markdown.ts";
import { outputHtml } from "./output.ts";
import { STYLE } from "./style.ts";

const MIN_CONTENTS_HEADINGS = 4;
const CONTROLS = /[^\P{Cc}\n\t]/gu;

/** Opening tag of a chart; outputs with HTML can't keep this attribute. */
const CHART = "<figure data-chart ";

/** Options of a page. */
export interface PageOptions {
  /** Its title where the notebook has no heading. */
  name: string;
  /** A line at the end. */
  note: string;
  /** Markup above the page, as it is. Default: none. */
  header?: string;
  /** Style sheet of that markup. Default: none. */
  style?: string;
}

/**
 * A whole HTML page of an executed notebook. It loads nothing: pictures are part of it, and what the outputs bring
 * along as HTML is cut down to what can only be looked at. What draws charts anew stands in it once, and nothing else
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
