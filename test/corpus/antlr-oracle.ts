import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

/**
 * Whether a program in OpenQASM 3 is well formed by the language's own grammar.
 *
 * The grammar is not part of this project and no package brings it, so that this oracle is there on request alone:
 * `KETBOOK_OPENQASM_GRAMMAR` names a folder in or above which `antlr4ng` is installed, with `qasm3Lexer.interp` and
 * `qasm3Parser.interp`, which the package `antlr-ng` makes of the grammar of github.com/openqasm/openqasm.
 */
export type Oracle = (program: string) => boolean;

interface Recognizer {
  removeErrorListeners(): void;
  addErrorListener(listener: object): void;
}
interface Lexing extends Recognizer {
  inputStream: object;
}
interface Parsing extends Recognizer {
  inputStream: object;
  reset(): void;
  parse(rule: number): unknown;
}
interface Grammar {
  readonly vocabulary: object;
  readonly ruleNames: readonly string[];
  readonly channels?: readonly string[];
  readonly modes?: readonly string[];
  readonly atn: object;
}
interface Runtime {
  CharStream: { fromString(text: string): object };
  CommonTokenStream: new (lexer: object) => object;
  BaseErrorListener: new () => { syntaxError(): void };
  InterpreterDataReader: { parseInterpreterData(data: string): Grammar };
  LexerInterpreter: new (file: string, ...grammar: unknown[]) => Lexing;
  ParserInterpreter: new (file: string, ...grammar: unknown[]) => Parsing;
}

/** Loads the oracle, or gives null where there is none. */
export function loadOracle(): Oracle | null {
  const folder = process.env.KETBOOK_OPENQASM_GRAMMAR;
  if (!folder) return null;
  const fileOf = (name: string) => join(resolve(folder), `qasm3${name}.interp`);
  const runtime = createRequire(fileOf("Lexer"))("antlr4ng") as Runtime;
  const grammarOf = (name: string) =>
    runtime.InterpreterDataReader.parseInterpreterData(readFileSync(fileOf(name), "utf8"));
  const [lexing, parsing] = [grammarOf("Lexer"), grammarOf("Parser")];
  const start = parsing.ruleNames.indexOf("program");
  return program => {
    let isWellFormed = true;
    const listener = new runtime.BaseErrorListener();
    listener.syntaxError = () => {
      isWellFormed = false;
    };
    const lexer = new runtime.LexerInterpreter(
      "",
      lexing.vocabulary,
      lexing.ruleNames,
      lexing.channels,
      lexing.modes,
      lexing.atn,
      runtime.CharStream.fromString(program),
    );
    lexer.removeErrorListeners();
    lexer.addErrorListener(listener);
    const tokens = new runtime.CommonTokenStream(lexer);
    const parser = new runtime.ParserInterpreter(
      "",
      parsing.vocabulary,
      parsing.ruleNames,
      parsing.atn,
      tokens,
    );
    parser.removeErrorListeners();
    parser.addErrorListener(listener);
    parser.parse(start);
    return isWellFormed;
  };
}
