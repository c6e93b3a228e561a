import { memoized } from "./memoized.ts";

/** Texts that a program may include, by the names of their files. */
export type SourceFiles = Readonly<Record<string, string>>;

/** A range of the text: the program's own, or that of a file. */
export interface SourceSpan {
  readonly start: number;
  readonly end: number;
}

/** Place in a source: line and column, from 1, and the included file, if any. */
export interface SourceLocation {
  readonly line: number;
  readonly column: number;
  readonly file?: string;
}

/** Ends a file: no token goes beyond it. */
const SEPARATOR = "\n\0\n";

/** The text of a program with those of its files after it, so one offset says where in which of them something stands. */
export class SourceText {
  readonly text: string;
  /** The program's own text. */
  readonly program: SourceSpan;
  readonly #files = new Map<string, SourceSpan>();
  #lineStarts: number[] | undefined;

  constructor(data: string, files: SourceFiles = {}) {
    this.program = { start: 0, end: data.length };
    let { length } = data;
    const parts = [data];
    for (const [name, text] of Object.entries(files)) {
      const start = length + SEPARATOR.length;
      length = start + text.length;
      parts.push(text);
      this.#files.set(name, { start, end: length });
    }
    if (parts.length > 1) parts.push("");
    this.text = parts.join(SEPARATOR);
  }

  get files(): string[] {
    return [...this.#files.keys()];
  }

  /** Returns where the text of a file is, or undefined where there is none of that name. */
  file(name: string): SourceSpan | undefined {
    return this.#files.get(name);
  }

  /** Returns where an offset is. */
  locate(at: number): SourceLocation {
    const [file, { start, end }] = [...this.#files].find(
      ([, span]) => span.start <= at && at <= span.end,
    ) ?? [undefined, this.program];
    const place = Math.min(at, end);
    const line = this.#lineOf(place);
    const location = { line: line - this.#lineOf(start) + 1, column: place - this.#lineStarts![line]! + 1 };
    return file === undefined ? location : { ...location, file };
  }

  /** Returns the index of the line of an offset in the whole text. */
  #lineOf(at: number): number {
    this.#lineStarts ??= lineStartsOf(this.text);
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#lineStarts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Returns the text of a source, in which places are found. */
export const textOf = memoized(
  ({ data, files }: { data: string; files?: SourceFiles | undefined }) => new SourceText(data, files),
);

/** Returns `line:column` of a location, after the name of its file if it has one. */
export const formatLocation = ({ line, column, file }: SourceLocation): string =>
  `${file === undefined ? "" : `${file}:`}${line}:${column}`;

function lineStartsOf(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
