import type { CircuitParts } from "./circuit-parts.ts";
import { type Expression, isList } from "./expression.ts";

/** Returns an expression as a reader knows it, such as `c[0] == 1`; bits outside of all registers are called "result". */
export function formatExpression(node: Expression, classical: CircuitParts["classical"]): string {
  const format = (inner: Expression): string => {
    switch (inner.kind) {
      case "constant":
        return String(inner.value);
      case "bits":
        return isList(inner.bits)
          ? inner.bits.map(bit => bitName(bit, classical) ?? "result").join(" ++ ")
          : "result";
      case "cast":
        return format(inner.operand);
      case "unary":
        return `${inner.operator}${format(inner.operand)}`;
      case "binary":
        return `${format(inner.left)} ${inner.operator} ${format(inner.right)}`;
      case "chain":
        return [inner.first, ...inner.steps.map(({ operand }) => operand)]
          .map(format)
          .reduce((text, operand, i) => `${text} ${inner.steps[i - 1]!.operator} ${operand}`);
      case "call":
        return `${inner.name}(${inner.args.map(format).join(", ")})`;
      default:
        return "…";
    }
  };
  return format(node);
}

/** Returns the name of a bit of a register, such as `c[0]`; null for one outside of all registers. */
export function bitName(bit: number, classical: CircuitParts["classical"]): string | null {
  const register = classical.find(({ offset, width }) => bit >= offset && bit < offset + width);
  return register ? `${register.name}[${bit - register.offset}]` : null;
}
