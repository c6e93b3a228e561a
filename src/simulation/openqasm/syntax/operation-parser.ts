import { DiagnosticError } from "../diagnostics/diagnostic.ts";
import { NONE } from "./lists.ts";
import type { Shape, StatementParser } from "./statement-parser.ts";

/** Parses what is done to qubits beside gates. */
export class OperationParser {
  readonly #parser: StatementParser;

  constructor(parser: StatementParser) {
    this.#parser = parser;
  }

  /** Parses what follows `measure`. */
  measure(): Shape {
    const { tokens, expressions, isVersion2 } = this.#parser;
    const operand = expressions.operands.one();
    if (tokens.is(","))
      throw new DiagnosticError(tokens.peek().at, "A measurement takes one qubit or register.", {
        length: 1,
        hint: "Measure a register as a whole, or each qubit in a separate statement.",
      });
    const target = tokens.accept("->") ? expressions.operands.one() : null;
    if (!target && isVersion2) tokens.expect("->", "after the measured qubit");
    this.#parser.semicolon("after the measurement");
    return { kind: "measure", operand, target };
  }

  /** Parses what follows `reset`. */
  reset(): Shape {
    const operand = this.#parser.expressions.operands.one();
    this.#parser.semicolon("after the reset");
    return { kind: "reset", operand };
  }

  /** Parses what follows `barrier`. */
  barrier(): Shape {
    return { kind: "barrier", operands: this.#operands("after the barrier") };
  }

  /** Parses what follows `nop`. */
  nop(): Shape {
    return { kind: "nop", operands: this.#operands("after the nop") };
  }

  /** Parses what follows `delay`. */
  delay(): Shape {
    const { tokens, expressions } = this.#parser;
    tokens.expect("[", "after delay, where the duration begins", "A delay is written `delay[100ns] q;`.");
    const duration = expressions.expression();
    tokens.expect("]", "after the duration");
    return { kind: "delay", duration, operands: this.#operands("after the delay") };
  }

  /** Parses what follows `box`. */
  box(): Shape {
    const { tokens, expressions } = this.#parser;
    const duration = tokens.accept("[") ? expressions.expression() : null;
    if (duration) tokens.expect("]", "after the duration");
    return { kind: "box", duration, body: this.#parser.block("the box") };
  }

  #operands(where: string) {
    const operands = this.#parser.tokens.is(";") ? NONE : this.#parser.expressions.operands.list();
    this.#parser.semicolon(where);
    return operands;
  }
}
