import { formatLocation, type SourceText } from "../../source-text.ts";

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
  /** Whether there is no sense in reading on. */
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

const MAX_DIAGNOSTICS = 20;

/** Collects the faults of a program and turns offsets into lines and columns. */
export class Diagnostics {
  readonly #source: SourceText;
  /** By the offset of each errorAt, with the offsets of the includes that lead to it and its own. */
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

  /** Reads a file that is included at an offset, so that what is wrong in it comes in its place. */
  within(at: number, read: () => void): void {
    const outer = this.#includes;
    this.#includes = [...outer, at];
    read();
    this.#includes = outer;
  }

  /** Throws a {@link ProgramError} if there was any error. */
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
