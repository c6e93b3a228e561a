import type { Compute } from "../circuit/memory.ts";
import { binaryOperation, comparison, conversionOf } from "./arithmetic.ts";
import { fault, type Operand, type QirOperands } from "./operands.ts";
import type { QirToken, QirTokens } from "./tokens.ts";

/** Reads what computes a value of others: selections, comparisons, conversions and arithmetic. */
export class QirComputations {
  readonly #tokens: QirTokens;
  readonly #operands: QirOperands;
  readonly #locate: (at: number) => string;

  constructor(tokens: QirTokens, operands: QirOperands, locate: (at: number) => string) {
    this.#tokens = tokens;
    this.#operands = operands;
    this.#locate = locate;
  }

  /** Reads what follows the word of an operation, and hands over what it computes. */
  read(operation: QirToken, assign: (value: Compute) => void): void {
    const tokens = this.#tokens;
    const { text } = operation;
    if (text === "select") {
      const [condition, yes, no] = this.#operands.list(3) as [Operand, Operand, Operand];
      assign(memory => (condition.run(memory) ? yes.run(memory) : no.run(memory)));
      return;
    }
    if (text === "icmp" || text === "fcmp") {
      const predicate = tokens.take();
      const type = this.#operands.type();
      const left = this.#operands.value(type);
      tokens.expect(",");
      const right = this.#operands.value(type);
      const compare = comparison(predicate.text, type);
      if (!compare) throw fault(predicate, `\`${predicate.text}\` compares nothing.`);
      assign(memory => compare(left.run(memory), right.run(memory)));
      return;
    }
    const convert = conversionOf(text);
    if (convert) {
      const from = this.#operands.type();
      const value = this.#operands.value(from);
      tokens.expect("to");
      const to = this.#operands.type();
      assign(memory => convert(value.run(memory), from, to));
      return;
    }
    while (["nsw", "nuw", "exact", "fast", "nnan", "ninf"].includes(tokens.peek().text)) tokens.take();
    const type = this.#operands.type();
    const apply = binaryOperation(text, type);
    if (!apply) throw fault(operation, `\`${text}\` is outside of QIR's base and adaptive profiles.`);
    const left = this.#operands.value(type);
    tokens.expect(",");
    const right = this.#operands.value(type);
    const where = this.#locate(operation.at);
    assign(memory => apply(left.run(memory), right.run(memory), where));
  }
}
