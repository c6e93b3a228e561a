import { formatLocation, type SourceFiles } from "../../source-text.ts";
import type { Diagnostic } from "./diagnostic.ts";

/** Maximum number of characters of a source line that are shown. */
const WIDEST = 100;

/**
 * Returns diagnostics as text for a reader: each with its sentence, the line of the program with carets below
 * what is meant, and the hint; `files` are those that the program may include. Characters that would steer a terminal are shown as `?`.
 */
export function formatDiagnostics(
  source: string,
  diagnostics: readonly Diagnostic[],
  files: SourceFiles = {},
): string {
  const lines = new Map<string | undefined, string[]>([[undefined, source.split("\n")]]);
  for (const { file } of diagnostics)
    if (file !== undefined && !lines.has(file)) lines.set(file, (files[file] ?? "").split("\n"));
  return diagnostics
    .map(diagnostic => formatOne(lines.get(diagnostic.file)![diagnostic.line - 1] ?? "", diagnostic))
    .join("\n\n");
}

function formatOne(text: string, diagnostic: Diagnostic): string {
  const { line, column, message, hint, length = 1 } = diagnostic;
  const number = String(line);
  const gutter = " ".repeat(number.length);
  const start = Math.max(0, Math.min(column - 1 - WIDEST / 2, text.length - WIDEST));
  const shown = text.slice(start, start + WIDEST);
  const before = text.slice(start, column - 1);
  const count = Math.max(1, Math.min(length, shown.length - before.length));
  const marked = text.slice(column - 1, column - 1 + count);
  const cut = start > 0 ? "…" : "";
  const end = start + WIDEST < text.trimEnd().length ? "…" : "";
  return [
    `${plain(formatLocation(diagnostic))}: ${plain(message)}`,
    `${gutter} |`,
    `${number} | ${cut}${plain(shown).trimEnd()}${end}`,
    `${gutter} | ${" ".repeat(cut.length + widthOf(before))}${"^".repeat(Math.max(1, widthOf(marked)))}`,
    ...(hint ? [`${gutter} = ${plain(hint)}`] : []),
  ].join("\n");
}

const plain = (text: string): string => text.replaceAll("\t", " ").replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "?");

const widthOf = (text: string): number => [...plain(text)].length;
