import type { Complex, Value } from "../../circuit/memory.ts";
import { Fault } from "../diagnostics/diagnostic.ts";
import { didYouMean } from "../diagnostics/nearest-name.ts";
import type { ExpressionNode } from "../syntax/ast.ts";
import { radiansOf } from "../values/angles.ts";
import { exponential, squareRoot } from "../values/complex.ts";
import {
  COMPLEX_FUNCTIONS,
  popcount,
  REAL_FUNCTIONS,
  rotateLeft,
  WORD_FUNCTIONS,
} from "../values/functions.ts";
import { operate } from "../values/operators.ts";
import {
  aType,
  bitsOf,
  COMPLEX_TYPE,
  FLOAT,
  hasBits,
  INT,
  isInteger,
  type Type,
  UINT,
} from "../values/types.ts";
import { UNKNOWN_SIZE } from "./arrays.ts";
import { type Compiled, combine, constant, convert, fault, map } from "./compiled.ts";
import type { ExpressionCompiler } from "./expressions.ts";

type Call = ExpressionNode & { kind: "call" };

/** Compiles the call of a function that the language brings. */
export function compileBuiltIn(node: Call, expressions: ExpressionCompiler): Compiled {
  const { name } = node;
  const { locate } = expressions.context;
  if (name === "sizeof") return sizeOf(node, expressions);
  const known = REAL_FUNCTIONS.get(name);
  if (!known && ![...COMPLEX_FUNCTIONS, ...WORD_FUNCTIONS].includes(name)) {
    const names = [
      ...expressions.context.scope.names("subroutine"),
      ...[...REAL_FUNCTIONS.keys(), ...COMPLEX_FUNCTIONS, ...WORD_FUNCTIONS, "sizeof", "durationof"],
    ];
    const found = expressions.context.scope.find(name);
    const isGate = typeof found === "object" && found.kind === "gate";
    throw new Fault(
      node.at,
      isGate ? `${name} is a gate, not a function.` : `There is no function ${name}.`,
      {
        length: name.length,
        hint: isGate
          ? `Write its qubits behind it, as in \`${name} ${Array.from({ length: found.gate.numQubits }, (_, i) => `q[${i}]`).join(", ")};\`.`
          : didYouMean(name, names),
      },
    );
  }
  const count = known?.arity ?? (name === "real" || name === "imag" || name === "popcount" ? 1 : 2);
  if (node.args.length !== count)
    throw fault(
      node,
      `${name} takes ${count} ${count === 1 ? "argument" : "arguments"}, not ${node.args.length}.`,
    );
  const args = node.args.map(arg => expressions.compile(arg));
  const [first, second] = args as [Compiled, Compiled];
  if (first.type.kind === "complex" && (name === "exp" || name === "sqrt")) {
    const apply = name === "exp" ? exponential : squareRoot;
    return map(first, first.type, value => apply(value as Complex), node, locate);
  }
  if (known) {
    const numbers = args.map((arg, i) =>
      convert(arg, FLOAT, node.args[i]!, arg.type.kind === "angle" ? "cast" : "promotion", locate),
    );
    return combine(known.result, numbers, (...values) => known.apply(...(values as number[])), node, locate);
  }
  switch (name) {
    case "real":
    case "imag": {
      const inner = convert(
        first,
        { ...COMPLEX_TYPE, width: first.type.width },
        node.args[0]!,
        "promotion",
        locate,
      );
      const type: Type = { kind: "float", width: inner.type.width };
      return map(inner, type, value => (value as Complex)[name === "real" ? "re" : "im"], node, locate);
    }
    case "mod":
    case "pow": {
      const found = operate(name === "mod" ? "%" : "**", first.type, second.type, false);
      if (!found) throw fault(node, `${name} takes two numbers.`);
      return combine(found.type, args, found.apply, node, locate);
    }
    case "popcount":
      requireBits(first, node, name);
      if (first.value !== undefined) expressions.context.countMembers(bitsOf(first.type), node.at, 0.1);
      return map(first, UINT, value => popcount(value as bigint, bitsOf(first.type)), node, locate);
    default: {
      requireBits(first, node, name);
      if (!isInteger(second.type)) throw fault(node.args[1]!, `${name} turns by a whole number.`);
      const width = bitsOf(first.type);
      const sign = name === "rotl" ? 1n : -1n;
      const turn = (value: Value, by: Value) => rotateLeft(value as bigint, sign * (by as bigint), width);
      return combine(first.type, args, turn, node, locate);
    }
  }
}

/** Gives the radians of an angle, and every other number as it is. */
export const realOf = (type: Type) => (value: Value) =>
  type.kind === "angle" ? radiansOf(value as bigint, type) : Number(value);

function requireBits({ type }: Compiled, node: Call, name: string): void {
  if (!hasBits(type) || type.kind === "int")
    throw fault(node.args[0]!, `${name} takes bits, not ${aType(type)}.`);
}

function sizeOf(node: Call, expressions: ExpressionCompiler): Compiled {
  const [of, dimension] = node.args;
  if (!of || node.args.length > 2) throw fault(node, "sizeof takes an array and the number of a dimension.");
  if (expressions.arrays.rankOf(of) > 0) {
    const { sizes } = expressions.arrays.resolve(of);
    const at = dimension ? expressions.compileTo(dimension, INT) : constant(INT, 0n);
    const size = (index: Value) => {
      const found = sizes[Number(index)];
      if (found === undefined)
        throw new RangeError(`This array has no dimension ${index}; it has ${sizes.length}, counted from 0.`);
      return found === UNKNOWN_SIZE ? 0n : BigInt(found);
    };
    const isOpen = sizes.includes(UNKNOWN_SIZE);
    return map(
      at.value !== undefined && isOpen && size(at.value) === 0n ? { ...at, value: undefined } : at,
      UINT,
      size,
      dimension ?? node,
      expressions.context.locate,
    );
  }
  const ref = expressions.places.isPlaces(of) ? expressions.places.resolve(of) : null;
  if (ref?.width == null || dimension) throw fault(node, "sizeof takes an array.");
  return constant(UINT, BigInt(ref.width));
}
