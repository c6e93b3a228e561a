import { DiagnosticError } from "../diagnostics/diagnostic.ts";
import { TYPE_NAMES } from "./keywords.ts";
import type { Shape, StatementParser } from "./statement-parser.ts";
import { isCast } from "./type-parser.ts";

/** Skips what is written in a calibration language; its text is kept as it stands. */
export class CalibrationParser {
  readonly #parser: StatementParser;

  constructor(parser: StatementParser) {
    this.#parser = parser;
  }

  /** Parses what follows `defcalgrammar`. */
  defcalgrammar(at: number): Shape {
    const { kind, at: name } = this.#parser.tokens.take();
    if (kind !== "string")
      throw new DiagnosticError(name, "The name of the grammar is missing here.", { length: 1 });
    this.#parser.semicolon("after the name of the grammar");
    return this.#verbatim(at);
  }

  /** Parses what follows `cal`. */
  cal(at: number): Shape {
    this.#block(at, "cal");
    return this.#verbatim(at);
  }

  /** Parses what follows `defcal`: what is calibrated, its arguments, its qubits and its result. */
  defcal(at: number): Shape {
    const { tokens, expressions } = this.#parser;
    if (["measure", "reset", "delay"].includes(tokens.peek().text)) tokens.take();
    else this.#parser.name("what is calibrated");
    if (tokens.accept("(")) {
      while (!tokens.is(")")) {
        this.#argument();
        if (!tokens.accept(",")) break;
      }
      tokens.expect(")", "after the arguments of the calibration");
    }
    do {
      const qubit = tokens.take();
      if (qubit.kind !== "name" && qubit.kind !== "hardware")
        throw new DiagnosticError(qubit.at, "A qubit is missing here.", {
          length: Math.max(1, qubit.end - qubit.at),
        });
    } while (tokens.accept(",") && !tokens.is("{") && !tokens.is("->"));
    if (tokens.accept("->")) {
      expressions.types.scalar("what a calibration returns");
      if (tokens.is("->"))
        throw new DiagnosticError(tokens.peek().at, "A calibration returns one value at most.", {
          length: 2,
        });
    }
    this.#block(at, "defcal");
    return this.#verbatim(at);
  }

  #argument(): void {
    const { tokens, expressions } = this.#parser;
    const { source } = tokens.lexer;
    const { kind, text, at } = tokens.peek();
    const isDeclared =
      kind === "name" &&
      (TYPE_NAMES.has(text) || ["qubit", "qreg", "creg", "readonly", "mutable"].includes(text));
    if (isDeclared && !isCast(source, at)) this.#parser.declarations.parameter();
    else expressions.expression();
  }

  #verbatim(at: number): Shape {
    const { lexer, lastEnd } = this.#parser.tokens;
    return { kind: "verbatim", text: lexer.source.slice(at, lastEnd) };
  }

  /** Skips a block in a calibration language, up to the brace that closes it. */
  #block(at: number, word: string): void {
    const { tokens } = this.#parser;
    const { lexer } = tokens;
    if (!tokens.is("{")) tokens.expect("{", `where the block of ${word} begins`);
    tokens.rewind();
    let depth = 0;
    for (let i = lexer.offset; i < lexer.end; i++) {
      const character = lexer.source[i];
      if (character === "{") depth++;
      else if (character === "}" && --depth === 0) {
        lexer.offset = i + 1;
        tokens.lastEnd = i + 1;
        return;
      }
    }
    throw new DiagnosticError(at, `The block of ${word} is never closed.`, {
      length: word.length,
      isFatal: true,
    });
  }
}
