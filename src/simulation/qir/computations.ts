import type { Expression } from "../circuit/expression.ts";
import { binaryOperation, comparison, conversion, isBinary, isConversion } from "./arithmetic.ts";
import { errorAt, type Operand, type QirOperands } from "./operands.ts";
import type { QirToken, QirTokens } from "./tokens.ts";

/** Words that promise something about an operation, which computes the same without them. */
const FLAGS: ReadonlySet<string> = new Set(
  "nsw nuw exact fast nnan ninf nsz arcp contract afn reassoc".split(" "),
);

/** Reads what computes a value of others: selections, comparisons, conversions and arithmetic. */
export class QirComputations {
  readonly #tokens: QirTokens;
  readonly #operands: QirOperands;

  constructor(tokens: QirTokens, operands: QirOperands) {
    this.#tokens = tokens;
    this.#operands = operands;
  }

  /** Reads what follows the word of an operation, and returns what it computes. */
  read(operation: QirToken): Expression {
    const tokens = this.#tokens;
    const { text, at } = operation;
    while (FLAGS.has(tokens.peek().text)) tokens.take();
    if (text === "select") {
      const [{ node: condition }, { node: yes }, { node: no }] = this.#operands.list(3) as [
        Operand,
        Operand,
        Operand,
      ];
      return { kind: "select", type: yes.type, condition, yes, no };
    }
    if (text === "icmp" || text === "fcmp") {
      const predicate = tokens.take();
      const [left, right] = this.#pair();
      const compared = comparison(predicate.text, left, right, at);
      if (!compared) throw errorAt(predicate, `\`${predicate.text}\` compares nothing.`);
      return compared;
    }
    if (isConversion(text)) {
      const { node } = this.#operands.value(this.#operands.type());
      tokens.expect("to");
      return conversion(text, node, this.#operands.type(), at)!;
    }
    if (text === "fneg") {
      const { node: operand } = this.#operands.operand();
      return { kind: "unary", operator: "-", type: operand.type, operand, at };
    }
    if (!isBinary(text))
      throw errorAt(operation, `\`${text}\` is outside of QIR's base and adaptive profiles.`);
    const [left, right] = this.#pair();
    return binaryOperation(text, left, right, at)!;
  }

  /** Reads two values after the type of both. */
  #pair(): [Expression, Expression] {
    const type = this.#operands.type();
    const left = this.#operands.value(type);
    this.#tokens.expect(",");
    return [left.node, this.#operands.value(type).node];
  }
}
