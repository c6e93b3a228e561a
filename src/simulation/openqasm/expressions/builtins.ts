import { constant, type Expression } from "../../circuit/expression.ts";
import { COMPLEX_FUNCTIONS, REAL_FUNCTIONS, WORD_FUNCTIONS } from "../../circuit/values/functions.ts";
import { resolveOperator } from "../../circuit/values/operators.ts";
import {
  bitsOf,
  COMPLEX_TYPE,
  FLOAT,
  hasBits,
  INT,
  isInteger,
  type Type,
  UINT,
  withArticle,
} from "../../circuit/values/types.ts";
import { errorAt } from "../diagnostics/diagnostic.ts";
import { didYouMean } from "../diagnostics/nearest-name.ts";
import type { ExpressionNode } from "../syntax/ast.ts";
import { rankOf, resolveArray } from "./arrays.ts";
import { convert, fold, wholeNumber } from "./compiled.ts";
import type { ExpressionContext } from "./context.ts";
import { binary } from "./operations.ts";

type Call = ExpressionNode & { kind: "call" };

export const FUNCTIONS: ReadonlySet<string> = new Set([
  ...REAL_FUNCTIONS.keys(),
  ...COMPLEX_FUNCTIONS,
  ...WORD_FUNCTIONS,
  "sizeof",
  "durationof",
]);

/** Functions that take angles. */
const TRIGONOMETRIC: ReadonlySet<string> = new Set(["sin", "cos", "tan"]);

export function compileBuiltIn(node: Call, context: ExpressionContext): Expression {
  const { name } = node;
  if (name === "sizeof") return sizeOf(node, context);
  const isReal = REAL_FUNCTIONS.has(name);
  if (!FUNCTIONS.has(name)) {
    const names = [...context.scope.names("subroutine"), ...FUNCTIONS];
    const found = context.scope.entry(name, "gate");
    const place = { at: node.at, end: node.at + name.length };
    if (found) {
      const qubits = Array.from({ length: found.gate.numQubits }, (_, i) => `q[${i}]`).join(", ");
      const hint = `Write its qubits after it, as in \`${name} ${qubits};\`.`;
      throw errorAt(place, `${name} is a gate, not a function.`, hint);
    }
    const hint = name === "not" ? "Write ! for `not`." : didYouMean(name, names);
    throw errorAt(place, `There is no function ${name}.`, hint);
  }
  const count = isReal || name === "real" || name === "imag" || name === "popcount" ? 1 : 2;
  if (node.args.length !== count)
    throw errorAt(
      node,
      `${name} takes ${count} ${count === 1 ? "argument" : "arguments"}, not ${node.args.length}.`,
    );
  const args = node.args.map(arg => context.compile(arg));
  const [first, second] = args as [Expression, Expression];
  const call = (type: Type, ...given: Expression[]) =>
    fold({ kind: "call", type, name, args: given }, given, node);
  if (first.type.kind === "complex" && (name === "exp" || name === "sqrt")) return call(first.type, first);
  if (isReal)
    return call(
      FLOAT,
      convert(first, FLOAT, node.args[0]!, TRIGONOMETRIC.has(name) ? "argument" : "promotion"),
    );
  switch (name) {
    case "real":
    case "imag": {
      const inner = convert(first, { ...COMPLEX_TYPE, width: first.type.width }, node.args[0]!, "promotion");
      return call({ kind: "float", width: inner.type.width }, inner);
    }
    case "mod":
    case "pow": {
      const operator = name === "mod" ? "%" : "**";
      if (!resolveOperator(operator, first.type, second.type, false))
        throw errorAt(node, `${name} takes two numbers.`);
      return binary(node, operator, first, second);
    }
    case "popcount":
      requireBits(first, node, name);
      if (first.value !== undefined) context.countMembers(bitsOf(first.type), node.at, 0.1);
      return call(UINT, first);
    default:
      requireBits(first, node, name);
      if (!isInteger(second.type)) throw errorAt(node.args[1]!, `${name} turns by a whole number.`);
      return call(first.type, first, second);
  }
}

function requireBits({ type }: Expression, node: Call, name: string): void {
  if (!hasBits(type) || type.kind === "int")
    throw errorAt(node.args[0]!, `${name} takes bits, not ${withArticle(type)}.`);
}

function sizeOf(node: Call, context: ExpressionContext): Expression {
  const [of, at] = node.args;
  if (!of || node.args.length > 2)
    throw errorAt(node, "sizeof takes an array and the number of a dimension.");
  if (rankOf(context, of) > 0) {
    const { sizes } = resolveArray(context, of);
    const dimension = at ? wholeNumber(context, at) : constant(INT, 0n);
    const isOpen = dimension.value !== undefined && !Number.isFinite(sizes[Number(dimension.value)] ?? 0);
    return fold({ kind: "sizeof", type: UINT, sizes, dimension }, [isOpen ? {} : dimension], at ?? node);
  }
  throw errorAt(of, "sizeof takes an array.");
}
