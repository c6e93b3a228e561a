import { type SourceSpan, SourceText } from "../../source-text.ts";
import { DiagnosticError, Diagnostics, errorAt, ProgramError } from "../diagnostics/diagnostic.ts";
import type { StatementNode } from "./ast.ts";
import { describe } from "./lexer.ts";
import { type CompileLimits, DEFAULT_COMPILE_LIMITS } from "./limits.ts";
import type { SourceProgram } from "./source.ts";
import { StatementParser } from "./statement-parser.ts";
import { TokenStream } from "./token-stream.ts";

/** A program that is read statement by statement. */
export interface Reading {
  readonly source: SourceText;
  readonly diagnostics: Diagnostics;
  readonly tokens: TokenStream;
  readonly parser: StatementParser;
  /** The version that the program names, such as `3.0`; null where it names none. */
  readonly version: string | null;
}

export interface ProgramTree {
  readonly version: string | null;
  readonly statements: readonly StatementNode[];
}

/** Parses a program without checking what its names stand for. Throws a {@link ProgramError} where it is not well formed. */
export function parse(program: SourceProgram, limits: Partial<CompileLimits> = {}): ProgramTree {
  return reading(program, { ...DEFAULT_COMPILE_LIMITS, ...limits }, open => {
    const statements: StatementNode[] = [];
    while (!atEnd(open)) {
      const statement = open.parser.statement();
      if (statement) statements.push(statement);
    }
    return { version: open.version, statements };
  });
}

/** Opens a program for reading; what is found wrong is thrown at the end. */
export function reading<T>(
  { format, data, files }: SourceProgram,
  limits: CompileLimits,
  read: (open: Reading) => T,
): T {
  const texts = [data, ...Object.values(files ?? {})];
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const refuse = (message: string) => new ProgramError([{ line: 1, column: 1, message }]);
  if (length > limits.maxSource)
    throw refuse(
      `The program has ${length.toLocaleString("en-US")} characters; at most ${limits.maxSource.toLocaleString("en-US")} are taken.`,
    );
  if (texts.length > limits.maxFiles + 1)
    throw refuse(`The program comes with ${texts.length - 1} files; at most ${limits.maxFiles} are taken.`);
  const source = new SourceText(data, files);
  const diagnostics = new Diagnostics(source);
  const tokens = new TokenStream(source.text, limits, source.program);
  try {
    const version = readVersion(tokens, format, diagnostics);
    const parser = new StatementParser(tokens, diagnostics, format === "qasm2");
    const result = read({ source, diagnostics, tokens, parser, version });
    diagnostics.throwAny();
    return result;
  } catch (error) {
    return diagnostics.fail(error);
  }
}

/** Opens a file that a program includes, for reading in its place. */
export function openFile(
  { source, diagnostics, parser }: Reading,
  span: SourceSpan,
  limits: CompileLimits,
): Reading {
  const tokens = new TokenStream(source.text, limits, span);
  const inner = new StatementParser(tokens, diagnostics, parser.isVersion2);
  return { source, diagnostics, tokens, parser: inner, version: null };
}

/** Whether a program has been read to its end. */
export function atEnd({ tokens, diagnostics }: Reading): boolean {
  for (;;) {
    try {
      return tokens.peek().kind === "end";
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      diagnostics.report(error);
    }
  }
}

/** The versions of the language; one without a dot is its first. */
const VERSIONS = /^(?:2(?:\.0)?|3(?:\.[0-2])?)$/;

/** Reads the version statement, if there is one, and returns the version. */
function readVersion(
  tokens: TokenStream,
  format: SourceProgram["format"],
  diagnostics: Diagnostics,
): string | null {
  const first = tokens.peek();
  if (first.text !== "OPENQASM") return null;
  tokens.take();
  const number = tokens.take();
  const major = VERSIONS.test(number.text) ? number.text[0] : null;
  if (!major)
    throw errorAt(
      number,
      `There is no version ${describe(number)} of OpenQASM.`,
      "Write `OPENQASM 3.0;` (or 3.1, 3.2) or `OPENQASM 2.0;`.",
    );
  if (!tokens.accept(";"))
    diagnostics.report(new DiagnosticError(tokens.lastEnd, "`;` is missing after the version."));
  if (`qasm${major}` !== format)
    throw errorAt(
      number,
      `The program says that it is OpenQASM ${number.text}, and was handed in as ${format}.`,
      `Hand it in with the format qasm${major}.`,
    );
  return number.text;
}
