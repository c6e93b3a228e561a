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
import { DiagnosticError } from "../diagnostics/diagnostic.ts";
import { didYouMean } from "../diagnostics/nearest-name.ts";
import type { ExpressionNode } from "../syntax/ast.ts";
import { convert, errorAt, fold } from "./compiled.ts";
import type { ExpressionCompiler } from "./expressions.ts";
import { binary } from "./operations.ts";

type Call = ExpressionNode & { kind: "call" };

/** The names of the functions that the language brings. */
export const FUNCTIONS: ReadonlySet<string> = new Set([
  ...REAL_FUNCTIONS.keys(),
  ...COMPLEX_FUNCTIONS,
  ...WORD_FUNCTIONS,
  "sizeof",
  "durationof",
]);

/** Functions that take angles. */
const TRIGONOMETRIC: ReadonlySet<string> = new Set(["sin", "cos", "tan"]);

/** Compiles the call of a function that the language brings. */
export function compileBuiltIn(node: Call, expressions: ExpressionCompiler): Expression {
  const { name } = node;
  if (name === "sizeof") return sizeOf(node, expressions);
  const isReal = REAL_FUNCTIONS.has(name);
  if (!FUNCTIONS.has(name)) {
    const names = [...expressions.context.scope.names("subroutine"), ...FUNCTIONS];
    const found = expressions.context.scope.find(name);
    const isGate = typeof found === "object" && found.kind === "gate";
    throw new DiagnosticError(
      node.at,
      isGate ? `${name} is a gate, not a function.` : `There is no function ${name}.`,
      {
        length: name.length,
        hint: isGate
          ? `Write its qubits after it, as in \`${name} ${Array.from({ length: found.gate.numQubits }, (_, i) => `q[${i}]`).join(", ")};\`.`
          : name === "not"
            ? "Write ! for `not`."
            : didYouMean(name, names),
      },
    );
  }
  const count = isReal || name === "real" || name === "imag" || name === "popcount" ? 1 : 2;
  if (node.args.length !== count)
    throw errorAt(
      node,
      `${name} takes ${count} ${count === 1 ? "argument" : "arguments"}, not ${node.args.length}.`,
    );
  const args = node.args.map(arg => expressions.compile(arg));
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
      if (first.value !== undefined) expressions.context.countMembers(bitsOf(first.type), node.at, 0.1);
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

function sizeOf(node: Call, expressions: ExpressionCompiler): Expression {
  const [of, at] = node.args;
  if (!of || node.args.length > 2)
    throw errorAt(node, "sizeof takes an array and the number of a dimension.");
  if (expressions.arrays.rankOf(of) > 0) {
    const { sizes } = expressions.arrays.resolve(of);
    const dimension = at ? expressions.wholeNumber(at) : constant(INT, 0n);
    const isOpen = dimension.value !== undefined && !Number.isFinite(sizes[Number(dimension.value)] ?? 0);
    return fold({ kind: "sizeof", type: UINT, sizes, dimension }, [isOpen ? {} : dimension], at ?? node);
  }
  throw errorAt(of, "sizeof takes an array.");
}
