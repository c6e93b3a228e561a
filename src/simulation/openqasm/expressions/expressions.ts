import { type Computed, constant, type Expression, type OperandIndices } from "../../circuit/expression.ts";
import { indicesWithin } from "../../circuit/indexing.ts";
import { CONSTANTS } from "../../circuit/values/functions.ts";
import {
  BIT,
  BOOL,
  bitsOf,
  COMPLEX_TYPE,
  DURATION,
  FLOAT,
  hasBits,
  INT,
  MAX_WIDTH,
  type Type,
  withArticle,
} from "../../circuit/values/types.ts";
import { errorAt, rangeErrorsAt } from "../diagnostics/diagnostic.ts";
import { didYouMean } from "../diagnostics/nearest-name.ts";
import type { DurationUnit, ExpressionNode, IndexNode } from "../syntax/ast.ts";
import { arrayElement, rankOf, resolveArray } from "./arrays.ts";
import { compileBuiltIn } from "./builtins.ts";
import { compileType, convert, declaredAs, fold } from "./compiled.ts";
import type { ExpressionContext } from "./context.ts";
import { compileBinary, compileConcatenation, compileUnary } from "./operations.ts";
import { compileIndices, isRegister, resolveRegister } from "./registers.ts";

/** Nanoseconds of each unit of time; a simulator takes a sample each nanosecond. */
const NANOSECONDS: Readonly<Record<DurationUnit, number>> = { dt: 1, ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

/** Types an expression, folds constants and turns the rest into functions of the classical memory. */
export function compileExpression(
  context: ExpressionContext,
  node: ExpressionNode,
  isReals: boolean,
): Expression {
  switch (node.kind) {
    case "integer":
      return constant(INT, node.value);
    case "float":
      return constant(FLOAT, node.value);
    case "boolean":
      return constant(BOOL, node.value);
    case "bits":
      return constant({ kind: "bit", width: node.text.length }, BigInt(`0b${node.text}`));
    case "imaginary":
      return constant(COMPLEX_TYPE, { re: 0, im: node.value });
    case "duration":
      return constant(DURATION, node.value * NANOSECONDS[node.unit]);
    case "durationof":
      return constant(DURATION, context.durationOf(node));
    case "array":
      throw errorAt(
        node,
        "Values in braces stand where an array is declared or assigned, and nowhere else.",
        'The bits of a register are written as a string, as in `"101"`.',
      );
    case "hardware":
      throw errorAt(node, "A qubit is not a classical value.");
    case "name":
      return compileName(context, node);
    case "index":
      return compileIndex(context, node);
    case "unary":
      return compileUnary(node, context, isReals);
    case "binary":
      return compileBinary(node, context, isReals);
    case "call": {
      const called = compileCall(context, node);
      if (called.kind !== "void") return called;
      throw errorAt(
        node,
        `${node.name} returns no value that could be used here.`,
        "Add `-> type` to its head and return a value, or call it in a separate statement.",
      );
    }
    case "cast": {
      const type = compileType(context, node.type);
      return convert(context.compile(node.operand), type, node, "cast");
    }
    case "measure":
      return context.measure(node.operand);
    case "concatenation":
      return compileConcatenation(node, context);
  }
}

/** Compiles an expression whose value, if it has one, is not used. */
export function compileEffect(context: ExpressionContext, node: ExpressionNode): void {
  if (isRegister(context, node)) resolveRegister(context, node);
  else if (rankOf(context, node) > 0) resolveArray(context, node);
  else if (node.kind === "call") compileCall(context, node);
  else context.compile(node);
}

const compileCall = (context: ExpressionContext, node: ExpressionNode & { kind: "call" }): Expression =>
  context.callSubroutine(node) ?? compileBuiltIn(node, context);

function compileName(context: ExpressionContext, node: ExpressionNode & { kind: "name" }): Expression {
  const { name } = node;
  const known = CONSTANTS.get(name);
  if (known !== undefined && context.scope.find(name) === undefined) return constant(FLOAT, known);
  const symbol = declaredAs(context, node, () => {
    const declared = context.scope.names("constant", "variable", "register");
    const names = [...declared, ...CONSTANTS.keys(), "true", "false"];
    return didYouMean(name, names) ?? `Write a value, or declare it first: \`input float ${name};\`.`;
  });
  switch (symbol.kind) {
    case "constant":
      return constant(symbol.type, symbol.value);
    case "variable":
      return { kind: "slot", type: symbol.type, slot: symbol.slot };
    case "register":
      return readRegister(context, node);
    case "array":
      throw errorAt(
        node,
        `${name} is an array; a single value is needed here.`,
        `Take one, as in \`${name}[0]\`.`,
      );
    case "input":
      context.inputReads++;
      return symbol.value;
    default:
      throw errorAt(node, `${name} is a ${symbol.kind}, not a value.`);
  }
}

/** Compiles the reading of a register of classical bits, or of a part of one. */
function readRegister(context: ExpressionContext, node: ExpressionNode): Expression {
  const ref = resolveRegister(context, node);
  if (ref.kind === "qubit")
    throw errorAt(node, "A qubit is not a classical value.", "Measure it first, as in `c = measure q;`.");
  const width = ref.known?.length === 1 ? 1 : (ref.width ?? MAX_WIDTH.bit);
  return { kind: "bits", type: ref.isSingle ? BIT : { kind: "bit", width }, bits: ref.indices };
}

/** Compiles an index: of a register, of an array, or of the bits of a number. */
function compileIndex(context: ExpressionContext, node: ExpressionNode & { kind: "index" }): Expression {
  if (isRegister(context, node)) return readRegister(context, node);
  if (rankOf(context, node.base) > 0) return arrayElement(context, node);
  const operand = context.compile(node.base);
  const { type, known, positions } = bitPositions(context, operand.type, node);
  const extract: Computed = { kind: "extract", type, operand, positions };
  return known ? fold(extract, [operand], node) : extract;
}

/** Finds which bits of a number an index takes, the lowest first. */
export function bitPositions(
  context: ExpressionContext,
  type: Type,
  node: ExpressionNode & { kind: "index" },
): { type: Type; known: readonly number[] | null; positions: OperandIndices } {
  const [item] = node.items as [IndexNode];
  if (node.items.length > 1) throw errorAt(node, "The bits of a value have one index.");
  if (!hasBits(type)) throw errorAt(node, `${withArticle(type, true)} has no bits to take one by one.`);
  if (type.width === null)
    throw errorAt(
      node,
      `The bits of ${withArticle(type)} without a width cannot be taken one by one.`,
      `Declare it with one, as in \`${type.kind}[32]\`.`,
    );
  const size = bitsOf(type);
  const { known, indices } = compileIndices(context, item, size);
  const isSingle = item.kind !== "range" && item.kind !== "set";
  if (!isSingle && !known) throw errorAt(item, "How many bits these are has to be known before the run.");
  if (!isSingle) context.countMembers(known!.length, item.at);
  const taken: Type = isSingle ? BIT : { kind: "bit", width: known!.length };
  if (!known)
    return { type: taken, known, positions: { kind: "within", indices, size, of: "number", at: item.at } };
  const within = rangeErrorsAt(item, () => indicesWithin(known, size, "number"));
  return { type: taken, known: within, positions: within };
}
