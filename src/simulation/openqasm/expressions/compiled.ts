import type { Compute, Memory, Value } from "../../circuit/memory.ts";
import { SimulationError } from "../../errors.ts";
import { Fault } from "../diagnostics/diagnostic.ts";
import { type ConversionKind, conversion } from "../values/conversions.ts";
import { aType, isInteger, isNumeric, type Type, typeName } from "../values/types.ts";

/** An expression with its type; `value` is there where it is a constant. */
export interface Compiled {
  readonly type: Type;
  readonly value: Value | undefined;
  readonly run: Compute;
  /** Whether this is the call of a subroutine that gives no value. */
  readonly isVoid?: true;
}

/** An expression that gives a real number. */
export interface CompiledReal extends Compiled {
  readonly value: number | undefined;
  readonly run: Compute<number>;
}

const NO_MEMORY: Memory = { slots: [], readBit: () => 0, writeBit: () => {} };

/** Thrown where a name is used whose declaration was at fault, which has been reported already. */
export class Silent extends Error {}

/** Makes a fault that covers an expression. */
export function fault(node: { at: number; end: number }, message: string, hint?: string): Fault {
  return new Fault(node.at, message, { length: node.end - node.at, hint });
}

/** Makes a constant. */
export function constant(type: Type, value: Value): Compiled {
  return { type, value, run: () => value };
}

/** Joins expressions by a function of their values, and computes it at once where all are constants. */
export function combine(
  type: Type,
  parts: readonly Compiled[],
  apply: (...values: Value[]) => Value,
  node: { at: number; end: number },
  locate: (at: number) => string,
): Compiled {
  const [a, b] = parts;
  if (parts.length === 2 && a!.value !== undefined && b!.value !== undefined)
    return computed(type, node, () => apply(a!.value!, b!.value!));
  const run: Compute =
    parts.length === 2
      ? memory => apply(a!.run(memory), b!.run(memory))
      : memory => apply(...parts.map(part => part.run(memory)));
  return fold(type, parts, located(run, node, locate), node, run);
}

/** Applies a function to the value of an expression. */
export function map(
  inner: Compiled,
  type: Type,
  apply: (value: Value) => Value,
  node: { at: number; end: number },
  locate: (at: number) => string,
): Compiled {
  const { value } = inner;
  if (value !== undefined) return computed(type, node, () => apply(value));
  const run: Compute = memory => apply(inner.run(memory));
  return { type, value: undefined, run: located(run, node, locate) };
}

/** Makes a constant of an expression of constants. */
export function fold(
  type: Type,
  parts: readonly Compiled[],
  run: Compute,
  node: { at: number; end: number },
  evaluate = run,
): Compiled {
  if (parts.some(part => part.value === undefined)) return { type, value: undefined, run };
  return computed(type, node, () => evaluate(NO_MEMORY));
}

/** Computes a constant; what goes wrong is a fault of the program. */
function computed(type: Type, node: { at: number; end: number }, evaluate: () => Value): Compiled {
  try {
    return constant(type, evaluate());
  } catch (error) {
    if (error instanceof RangeError) throw fault(node, error.message);
    throw error;
  }
}

/** Makes a fault of a computation say where in the program it is. */
export function located<T extends Value>(
  run: Compute<T>,
  node: { at: number; end: number },
  locate: (at: number) => string,
): Compute<T> {
  let where: string | undefined;
  return memory => {
    try {
      return run(memory);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      where ??= locate(node.at);
      throw new SimulationError(`${where}: ${error.message}`);
    }
  };
}

/** Turns an expression into one of another type. */
export function convert(
  inner: Compiled,
  type: Type,
  node: { at: number; end: number },
  kind: ConversionKind,
  locate: (at: number) => string,
): Compiled {
  const change = conversion(inner.type, type, kind);
  if (change) return map(inner, type, change, node, locate);
  throw fault(
    node,
    `${aType(inner.type, true)} cannot ${kind === "cast" ? "be turned into" : "stand for"} ${aType(type)}.`,
    hintFor(inner.type, type, kind),
  );
}

function hintFor(from: Type, to: Type, kind: ConversionKind): string | undefined {
  if (to.kind === "duration" && isNumeric(from))
    return "Write a unit of time behind the number, as in `100ns`.";
  if (from.kind === "bit" && from.width !== null && isInteger(to))
    return `The widths must be equal: use ${to.kind}[${from.width}], or take a part of the bits, as in \`c[0:2]\`.`;
  return kind !== "cast" && conversion(from, to, "cast")
    ? `Write ${typeName(to)}(…) to turn it into one.`
    : undefined;
}
