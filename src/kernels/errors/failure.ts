import { inspect, isNativeError, stripVTControlCharacters } from "#host";
import { clip, terminalWidth, visible } from "../../display/index.ts";

/** A place in a cell, or in a module of the notebook's folder. Lines are counted from 1, columns from 0. */
export interface Place {
  /** Title, such as `Cell [3], line 2` or `helper.ts:6:25`. */
  title: string;
  source: string;
  line: number;
  column: number;
  /** Enclosing item, such as a function. */
  within?: string;
}

/** Knows where in the cells, and in the notebook's own modules, a running program is. */
export interface Places {
  /** Whether a line of a stack trace speaks of the kernel itself, of its library or of the engine. */
  isOfKernel(frame: string): boolean;
  /** The place that a line of a stack trace speaks of, if that is in one of them. */
  placeOf(frame: string): Place | undefined;
  /** Returns the places where cells awaited the failed operation, innermost first. */
  awaitedAt(error: object): Place[];
}

/** Problem in a cell, or in a module that it imports. Lines and characters are counted from 0. */
export interface CellDiagnostic {
  start: { line: number; character: number };
  end: { line: number; character: number };
  messageText: string;
  /** The module, when it is not the cell itself. */
  fileName?: string | undefined;
}

export class Interrupted extends Error {
  override name = "Interrupted";

  constructor() {
    super("The cell was interrupted.");
  }
}

/** A run of a cell that can be interrupted: its signal aborts then, and `stopped` rejects. */
export interface Run {
  signal: AbortSignal;
  stopped: Promise<never>;
  interrupt(): void;
}

export function openRun(): Run {
  const controller = new AbortController();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  stopped.catch(() => undefined);
  return {
    signal: controller.signal,
    stopped,
    interrupt() {
      controller.abort(new Interrupted());
      reject(controller.signal.reason);
    },
  };
}

export interface Failure {
  ename: string;
  evalue: string;
  /** Lines for a reader; colours are the only control characters in them. */
  traceback: string[];
}

const MAX_TEXT_LENGTH = 10_000;
const MAX_FRAMES = 20;
const MAX_CAUSES = 3;
const heading = (name: string, message: string) => `\u001b[1;31m${name}\u001b[22;39m: ${message}`;

/** Describes a failure that no line of a cell has led to. */
export const plainFailure = (ename: string, evalue: string): Failure => ({
  ename,
  evalue,
  traceback: [`${ename}: ${evalue}`],
});

/** Describes what a cell threw: its message, and the lines of the cells that led there. */
export function thrownFailure(thrown: unknown, places: Places): Failure {
  const interrupted = (thrown as { code?: unknown } | null)?.code === "ERR_SCRIPT_EXECUTION_INTERRUPTED";
  const error = interrupted ? new Interrupted() : thrown;
  const { ename, evalue } = described(error);
  return { ename, evalue, traceback: tracebackOf(error, places) };
}

/** Describes what is wrong with a cell that does not compile, with a note under each wrong line. */
export function compileFailure(source: string, diagnostics: readonly CellDiagnostic[]): Failure {
  const [own, elsewhere] = [true, false].map(wanted =>
    diagnostics.filter(({ fileName }) => (fileName === undefined) === wanted),
  );
  const marks = own!.map(({ start, end, messageText }) => ({
    line: start.line + 1,
    column: start.character,
    length: end.line === start.line ? end.character - start.character : source.length,
    notes: [messageText],
  }));
  const sentences = diagnostics.map(({ fileName, start, messageText }) => {
    const place = `line ${start.line + 1}:${start.character + 1}`;
    return `${fileName ? `${fileName}, ` : ""}${place} - ${visible(messageText)}`;
  });
  const more = sentences.length > 1 ? ` (and ${sentences.length - 1} more)` : "";
  const evalue = `${sentences[0]}${more}`;
  return {
    ename: "TypeScriptError",
    evalue,
    traceback: [
      heading("TypeScriptError", evalue),
      "",
      ...(marks.length > 0 ? excerpt(source, marks) : []),
      ...(elsewhere!.length > 0 ? sentences.slice(own!.length) : []),
    ],
  };
}

export function syntaxFailure(
  source: string,
  mistakes: readonly { message: string; start: number; end: number }[],
): Failure {
  const placeOf = (offset: number) => {
    const before = source.slice(0, offset).split("\n");
    return { line: before.length - 1, character: before.at(-1)!.length };
  };
  const diagnostics = mistakes.map(({ message, start, end }) => ({
    start: placeOf(start),
    end: placeOf(end),
    messageText: message,
  }));
  return compileFailure(source, diagnostics);
}

function tracebackOf(error: unknown, places: Places, depth = 0): string[] {
  const { ename, evalue } = described(error);
  const lines = [heading(ename, evalue)];
  const frames = framesOf(error, places);
  for (const frame of frames) {
    const place = places.placeOf(frame);
    if (place) lines.push("", ...placeLines(place));
    else if (!frame.includes("Cell[")) lines.push(visible(frame));
  }
  if (isError(error) && !frames.some(frame => frame.includes("Cell["))) {
    for (const place of places.awaitedAt(error)) lines.push("", ...placeLines(place));
  }
  if (depth >= MAX_CAUSES) return lines;
  for (const cause of causesOf(error)) {
    lines.push("", `Caused by ${tracebackOf(cause, places, depth + 1).join("\n")}`);
  }
  return lines;
}

function placeLines({ title, source, line, column, within }: Place): string[] {
  const where = within ? `, in ${visible(clip(within))}` : "";
  return [`${title}${where}`, ...excerpt(source, [{ line, column }])];
}

function described(error: unknown): { ename: string; evalue: string } {
  try {
    if (isError(error)) {
      const name = error.name || error.constructor.name;
      return { ename: visible(clip(String(name))), evalue: readable(String(error.message)) };
    }
    return { ename: "Error", evalue: readable(typeof error === "string" ? error : inspect(error)) };
  } catch {
    return { ename: "Error", evalue: "What was thrown can't be shown." };
  }
}

/** The lines of a stack trace down to the cell that ran, without those of the kernel and of Node itself. */
function framesOf(error: unknown, places: Places): string[] {
  if (!isError(error) || error instanceof Interrupted || typeof error.stack !== "string") return [];
  const frames = error.stack.split("\n").filter(line => /^\s+at /.test(line));
  const outermost = frames.findLastIndex(frame => frame.includes("Cell["));
  return frames
    .slice(0, outermost < 0 ? undefined : outermost + 1)
    .filter(frame => !places.isOfKernel(frame))
    .slice(0, MAX_FRAMES);
}

function causesOf(error: unknown): unknown[] {
  if (!isError(error)) return [];
  const errors = (error as AggregateError).errors;
  const causes = Array.isArray(errors) ? errors.slice(0, MAX_CAUSES) : [];
  return error.cause === undefined || saysAll(error, error.cause) ? causes : [error.cause, ...causes];
}
const saysAll = (error: Error, cause: unknown) =>
  isError(cause) && cause.message !== "" && error.message.includes(cause.message);

function isError(value: unknown): value is Error {
  return value instanceof Error || isNativeError(value);
}

function readable(text: string): string {
  return visible(clip(stripVTControlCharacters(text), MAX_TEXT_LENGTH));
}

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
