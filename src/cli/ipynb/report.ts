import type { CodeCell, Notebook } from "../../ipynb/index.ts";
import { eraseLine, rewriteLine } from "../../kernels/terminal.ts";
import type { Progress } from "./execute.ts";

const REDRAW_INTERVAL_MS = 100;
const MAX_TITLE_LENGTH = 60;

/**
 * Writes to standard output how an execution goes, one line a cell. In a terminal the line of the running cell counts
 * the seconds. The execution continues when nobody reads any more.
 */
export function reportProgress(notebook: Notebook): Progress {
  const live = process.stdout.isTTY;
  let line = "";
  let since = 0;
  let ticking: NodeJS.Timeout | undefined;
  process.stdout.on("error", () => undefined);
  const elapsed = () => `${((performance.now() - since) / 1000).toFixed(1)} s`;

  return {
    begin(cell, number, total) {
      line = `[${String(number).padStart(String(total).length)}/${total}] ${cellTitle(notebook, cell)}`;
      since = performance.now();
      if (live) ticking = setInterval(() => rewriteLine(`${line} … ${elapsed()}`), REDRAW_INTERVAL_MS);
    },
    end(_cell, failed) {
      clearInterval(ticking);
      if (live) eraseLine();
      process.stdout.write(`${line} … ${failed ? "failed after " : ""}${elapsed()}\n`);
    },
  };
}

/** Returns a cell's title: the heading right above it, or its first line. */
function cellTitle(notebook: Notebook, cell: CodeCell): string {
  const above = notebook.cells[notebook.cells.indexOf(cell) - 1];
  const heading =
    above?.cell_type === "markdown" ? [...above.source.matchAll(/^#{1,6}\s+(.+)$/gm)].at(-1)?.[1] : undefined;
  return clip((heading ?? firstLine(cell)).replace(/[`*_]/g, ""));
}

/** The first line of a cell that is not empty. */
export function firstLine(cell: CodeCell): string {
  return clip(
    cell.source
      .trim()
      .split("\n", 1)[0]!
      .replace(/^\/\/\s*/, ""),
  );
}

function clip(text: string): string {
  const printable = text.replace(/\p{Cc}/gu, " ");
  const characters = Array.from(printable);
  return characters.length > MAX_TITLE_LENGTH
    ? `${characters.slice(0, MAX_TITLE_LENGTH - 1).join("")}…`
    : printable;
}
