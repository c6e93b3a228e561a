import { Fault } from "../diagnostics/diagnostic.ts";
import type { Shape, StatementParser } from "./statement-parser.ts";

/** Passes over what is written in a calibration language; its text is kept as it stands. */
export class CalibrationParser {
  readonly #parser: StatementParser;

  constructor(parser: StatementParser) {
    this.#parser = parser;
  }

  /** Parses what follows `defcalgrammar`. */
  defcalgrammar(at: number): Shape {
    const { kind, at: name } = this.#parser.tokens.take();
    if (kind !== "string") throw new Fault(name, "The name of the grammar is missing here.", { length: 1 });
    this.#parser.semicolon("behind the name of the grammar");
    return this.#verbatim(at);
  }

  /** Parses what follows `cal`. */
  cal(at: number): Shape {
    this.#skip(at, "cal");
    return this.#verbatim(at);
  }

  /** Parses what follows `defcal`. */
  defcal(at: number): Shape {
    this.#skip(at, "defcal");
    return this.#verbatim(at);
  }

  #verbatim(at: number): Shape {
    const { lexer, lastEnd } = this.#parser.tokens;
    return { kind: "verbatim", text: lexer.source.slice(at, Math.max(lexer.offset, lastEnd)) };
  }

  /** Passes over a block in a calibration language, up to the brace that closes it. */
  #skip(at: number, word: string): void {
    this.#parser.tokens.rewind();
    const { lexer } = this.#parser.tokens;
    const open = lexer.source.indexOf("{", lexer.offset);
    const head = lexer.source.slice(at, Math.max(at, open));
    if (head.split("->").length > 2)
      throw new Fault(at + head.lastIndexOf("->"), "A calibration returns one value at most.", { length: 2 });
    let depth = 0;
    for (let i = open; i >= 0 && i < lexer.source.length; i++) {
      const character = lexer.source[i];
      if (character === "{") depth++;
      else if (character === "}" && --depth === 0) {
        lexer.offset = i + 1;
        return;
      }
    }
    throw new Fault(at, `The block of ${word} is never closed.`, { length: word.length, isFatal: true });
  }
}
