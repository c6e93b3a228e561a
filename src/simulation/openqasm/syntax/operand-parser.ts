import { DiagnosticError } from "../diagnostics/diagnostic.ts";
import type { ExpressionNode } from "./ast.ts";
import type { ExpressionParser } from "./expression-parser.ts";
import { habitHint } from "./habits.ts";
import { fitted } from "./lists.ts";
import { literalOf } from "./literals.ts";
import { describe } from "./token.ts";

/** Parses what gates and measurements are applied to. */
export class OperandParser {
  readonly #expressions: ExpressionParser;

  constructor(expressions: ExpressionParser) {
    this.#expressions = expressions;
  }

  /** Parses an operand of a gate: a name with indices, or a hardware qubit. */
  one(): ExpressionNode {
    const { tokens } = this.#expressions;
    const token = tokens.peek();
    if (token.kind === "hardware") return literalOf(tokens.take());
    if (token.kind !== "name")
      throw new DiagnosticError(token.at, `A qubit or register is missing here, before ${describe(token)}.`, {
        length: Math.max(1, token.end - token.at),
        hint:
          token.text === "("
            ? "Qubits stand without parentheses."
            : token.kind === "float" || token.kind === "integer"
              ? "Put the numbers of a gate in parentheses, as in `rx(0.5) q;`."
              : undefined,
      });
    this.#expressions.checkName(token, "qubit", habitHint("", "", tokens.before()));
    tokens.take();
    return this.#expressions.indexed({
      kind: "name",
      name: token.text,
      at: token.at,
      end: token.end,
      depth: 1,
    });
  }

  /** Parses a list of operands. */
  list(): ExpressionNode[] {
    const { tokens } = this.#expressions;
    const operands = [this.one()];
    for (;;) {
      if (tokens.isOperandNext()) {
        const next = tokens.peek();
        throw new DiagnosticError(tokens.lastEnd, "A comma is missing between two operands.", {
          length: Math.max(1, next.end - next.at),
          hint: `Write \`,\` before ${describe(next)}.`,
        });
      }
      if (!tokens.accept(",") || tokens.is(";") || tokens.is("->")) return fitted(operands);
      operands.push(this.one());
    }
  }
}
