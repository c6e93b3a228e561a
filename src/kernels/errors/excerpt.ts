import { terminalWidth, visible } from "../../display/index.ts";

/** A place to mark in a string. The line is counted from 1, the column from 0. */
export interface Mark {
  line: number;
  column: number;
  /** Characters that are meant. Default 1. */
  length?: number;
  notes?: readonly string[];
}

const MAX_LINE_WIDTH = 120;
const red = (text: string) => `\u001b[31m${text}\u001b[39m`;

/** Lines of a string around the places that are marked in it, with their numbers. */
export function excerpt(source: string, marks: readonly Mark[], around = 2): string[] {
  const lines = source.split("\n");
  const wanted = lines.keys().filter(at => marks.some(mark => Math.abs(at + 1 - mark.line) <= around));
  const digits = String(Math.max(...marks.map(mark => mark.line)) + around).length;
  const shown: string[] = [];
  let last = -1;
  for (const at of wanted) {
    if (last >= 0 && at > last + 1) shown.push(`  ${" ".repeat(digits)} …`);
    last = at;
    const here = marks.filter(mark => mark.line === at + 1);
    const line = lines[at]!;
    const first = Math.min(...here.map(mark => mark.column), line.length);
    const from =
      line.length > MAX_LINE_WIDTH ? Math.max(0, Math.min(first, line.length - 1) - MAX_LINE_WIDTH / 2) : 0;
    const text = line.slice(here.length > 0 ? from : 0);
    const gutter = `${here.length > 0 ? red(">") : " "} ${String(at + 1).padStart(digits)} | `;
    shown.push(gutter + clean(text.slice(0, MAX_LINE_WIDTH)).trimEnd());
    for (const mark of here) shown.push(...below(text, { ...mark, column: mark.column - from }, digits));
  }
  return shown;
}

function below(text: string, { column, length = 1, notes = [] }: Mark, digits: number): string[] {
  const indent = `  ${" ".repeat(digits)} | ${" ".repeat(terminalWidth(clean(text.slice(0, column))))}`;
  const marked = terminalWidth(clean(text.slice(column, Math.min(column + length, MAX_LINE_WIDTH))));
  return [indent + red("^".repeat(Math.max(1, marked))), ...notes.map(note => indent + clean(note))];
}

const clean = (text: string): string => visible(text.replaceAll("\t", "  ")).replaceAll("\n", " ");
