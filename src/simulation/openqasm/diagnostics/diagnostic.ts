import { formatLocation, type SourceFiles, type SourceText } from "../../source-text.ts";

/** Problem in a program, with its place. Lines and columns begin at 1; columns count UTF-16 units. */
export interface Diagnostic {
  line: number;
  column: number;
  /** The included file that it is in; absent for the program itself. */
  file?: string;
  /** A sentence. */
  message: string;
  /** Suggested fix, if there is a likely mistake. */
  hint?: string;
  /** Length of the place that is meant, where it is known. */
  length?: number;
}

/** Thrown where a program does not compile. The message is `line:column: what is wrong` of the first diagnostic, after the file if it is in an included one. */
export class ProgramError extends Error {
  override name = "ProgramError";
  /** Everything that was found wrong, in the order of the program; never empty. */
  readonly diagnostics: readonly Diagnostic[];

  /** Makes an error of diagnostics, of which there is at least one. */
  constructor(diagnostics: readonly Diagnostic[]) {
    const { message, hint } = diagnostics[0]!;
    super(`${formatLocation(diagnostics[0]!)}: ${message}${hint ? ` ${hint}` : ""}`);
    this.diagnostics = diagnostics;
  }
}

/** Thrown inside the front end where a program is wrong; a statement catches it, and the next one is read. */
export class DiagnosticError extends Error {
  override name = "DiagnosticError";
  readonly at: number;
  readonly length: number | undefined;
  readonly hint: string | undefined;
  /** Whether reading stops here. */
  readonly isFatal: boolean;

  constructor(
    at: number,
    message: string,
    { length, hint, isFatal = false }: { length?: number; hint?: string; isFatal?: boolean } = {},
  ) {
    super(message);
    this.at = at;
    this.length = length;
    this.hint = hint;
    this.isFatal = isFatal;
  }
}

/** Place in the source: the offsets of the first character and of the end. */
export interface Place {
  readonly at: number;
  readonly end: number;
}

export const errorAt = ({ at, end }: Place, message: string, hint?: string): DiagnosticError =>
  new DiagnosticError(at, message, { length: Math.max(1, end - at), hint });

export const fatalAt = (at: number, message: string, hint?: string): DiagnosticError =>
  new DiagnosticError(at, message, { hint, isFatal: true });

/** Returns the result of work; a RangeError becomes an error of the program at a place. */
export function rangeErrorsAt<T>(place: Place, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof RangeError ? errorAt(place, error.message) : error;
  }
}

/** Makes the error of a program that exceeds a limit, which ends the reading. */
export const tooMany = (at: number, what: string, max: number, things: string): DiagnosticError =>
  fatalAt(at, `${what} more than ${max.toLocaleString("en-US")} ${things}.`);

const MAX_DIAGNOSTICS = 20;

/** Collects the faults of a program and turns offsets into lines and columns. */
export class Diagnostics {
  readonly #source: SourceText;
  /** By the offset of each error, with the offsets of the includes that lead to it and its own. */
  readonly #list = new Map<number, { readonly path: readonly number[]; readonly diagnostic: Diagnostic }>();
  #includes: readonly number[] = [];

  constructor(source: SourceText) {
    this.#source = source;
  }

  /** Adds an error; throws a {@link ProgramError} at once where it is fatal or one too many. */
  report(error: DiagnosticError): void {
    if (this.#list.has(error.at)) return;
    const diagnostic: Diagnostic = { ...this.#source.locate(error.at), message: error.message };
    if (error.hint) diagnostic.hint = error.hint;
    if (error.length) diagnostic.length = error.length;
    this.#list.set(error.at, { path: [...this.#includes, error.at], diagnostic });
    if (error.isFatal || this.#list.size >= MAX_DIAGNOSTICS) this.throwAny();
  }

  /** Reads a file that is included at an offset, so what is wrong in it comes in its place. */
  within(at: number, read: () => void): void {
    const outer = this.#includes;
    this.#includes = [...outer, at];
    read();
    this.#includes = outer;
  }

  /** Throws what has ended the reading: with all other errors, if it is one of the program. */
  fail(error: unknown): never {
    if (error instanceof DiagnosticError) {
      this.report(error);
      this.throwAny();
    }
    throw error;
  }

  throwAny(): void {
    if (this.#list.size === 0) return;
    const inOrder = [...this.#list.values()].sort((a, b) => comparePaths(a.path, b.path));
    throw new ProgramError(inOrder.map(({ diagnostic }) => diagnostic));
  }
}

function comparePaths(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((at, i) => at !== b[i]);
  return (a[differing] ?? -1) - (b[differing] ?? -1);
}

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
