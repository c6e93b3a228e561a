/** What is wrong with a program, and where. Lines and columns begin at 1; columns count UTF-16 units. */
export interface Diagnostic {
  line: number;
  column: number;
  /** A sentence. */
  message: string;
  /** What to do about it, where there is a likely slip. */
  hint?: string;
  /** Length of the place that is meant, where it is known. */
  length?: number;
}

/** Thrown where a program does not compile. The message is `line:column: what is wrong` of the first diagnostic. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
  /** Everything that was found wrong, in the order of the program; never empty. */
  readonly diagnostics: readonly Diagnostic[];

  /** Makes an error of diagnostics, of which there is at least one. */
  constructor(diagnostics: readonly Diagnostic[]) {
    const { line, column, message, hint } = diagnostics[0]!;
    super(`${line}:${column}: ${message}${hint ? ` ${hint}` : ""}`);
    this.diagnostics = diagnostics;
  }
}

/** Thrown inside the front end at a fault; a statement catches it, and the next one is read. */
export class Fault extends Error {
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
  readonly #source: string;
  readonly #list: Diagnostic[] = [];
  #lineStarts: number[] | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  /** Adds a fault; throws a {@link ProgramError} at once where it is fatal or one too many. */
  report(fault: Fault): void {
    const { line, column } = this.locate(fault.at);
    if (this.#list.some(known => known.line === line && known.column === column)) return;
    const diagnostic: Diagnostic = { line, column, message: fault.message };
    if (fault.hint) diagnostic.hint = fault.hint;
    if (fault.length) diagnostic.length = fault.length;
    this.#list.push(diagnostic);
    if (fault.isFatal || this.#list.length >= MAX_DIAGNOSTICS) this.throwAny();
  }

  /** Throws a {@link ProgramError} if there was any fault. */
  throwAny(): void {
    if (this.#list.length > 0)
      throw new ProgramError(this.#list.toSorted((a, b) => a.line - b.line || a.column - b.column));
  }

  /** Returns the line and the column of an offset. */
  locate(at: number): { line: number; column: number } {
    this.#lineStarts ??= lineStartsOf(this.#source);
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#lineStarts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: at - this.#lineStarts[low]! + 1 };
  }
}

function lineStartsOf(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
