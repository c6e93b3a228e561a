import type { Value } from "./memory.ts";
import type { ConversionKind } from "./values/conversions.ts";
import type { Type } from "./values/types.ts";

/** A value that is known before the run. */
export interface Constant {
  readonly kind: "constant";
  readonly type: Type;
  readonly value: Value;
}

/**
 * A classical expression as a tree of plain data. Each node has its type; `at` is the offset in the source of what can
 * fail while it is computed.
 */
export type Expression = Constant | Computed;

interface ComputedTable {
  slot: { slot: number };
  /** The whole number that classical bits make, the lowest first. */
  bits: { bits: OperandIndices };
  /** The value in the first of some slots. */
  element: { slots: OperandIndices };
  /** Bits of a whole number, by their positions from the lowest on. */
  extract: { operand: Expression; positions: OperandIndices };
  /** A whole number in which some bits are replaced. */
  insert: { operand: Expression; positions: OperandIndices; bits: Expression };
  unary: { operator: "!" | "~" | "-"; operand: Expression };
  /** If `isReal`, the quotient of whole numbers is a real one, as in the arguments of gates. */
  binary: { operator: string; left: Expression; right: Expression; isReal?: boolean };
  /** Many operators from left to right: each takes the value so far, and its operand. */
  chain: { first: Expression; steps: readonly ChainStep[] };
  cast: { operand: Expression; conversion: ConversionKind };
  call: { name: string; args: readonly Expression[] };
  concatenation: { parts: readonly Expression[] };
  select: { condition: Expression; yes: Expression; no: Expression };
  /** The size of a dimension of an array; infinite sizes are not known. */
  sizeof: { sizes: readonly number[]; dimension: Expression };
  /** A constant of a table by its place. */
  lookup: { table: readonly Value[]; index: Expression };
  /** An input that was given no value. */
  input: { name: string };
  /** The result of a function that is defined outside of the program. */
  extern: { name: string };
  /** True, if what the slot stands for is not in use yet: a qubit that is allocated. */
  claim: { slot: number };
  /** The value of a call of a subroutine without a result. */
  void: Record<never, never>;
}

/** An expression whose value depends on the classical memory. */
export type Computed = {
  [K in keyof ComputedTable]: {
    readonly kind: K;
    readonly type: Type;
    readonly value?: undefined;
    readonly at?: number;
  } & Readonly<ComputedTable[K]>;
}[keyof ComputedTable];

export interface ChainStep {
  readonly type: Type;
  readonly operator: string;
  readonly operand: Expression;
  readonly isReal?: boolean;
  readonly at?: number;
}

interface IndicesTable {
  /** A list that a slot holds. */
  slot: { slot: number };
  values: { values: readonly Expression[] };
  /** A range with its ends, within a register of `size` if that is known. */
  range: { start: Expression | null; step: Expression | null; stop: Expression | null; size: number | null };
  /** Several after each other, none of them twice: the parts of a register, or the arguments of a call with their widths. */
  joined: {
    parts: readonly OperandIndices[];
    call?: { readonly name: string; readonly widths: readonly number[] };
    at: number;
  };
  /** Members of a register, which has a name, by their indices; negative ones count from the end. */
  members: { base: OperandIndices; indices: OperandIndices; name: string; of: "qubit" | "bit"; at: number };
  /** Indices within a size; negative ones count from the end. */
  within: { indices: OperandIndices; size: number; of: "number" | "array"; at: number };
  /** Elements of an array of the given sizes, by their indices in each dimension. */
  elements: { base: OperandIndices; sizes: readonly number[]; indices: readonly OperandIndices[] };
  /** Entry of a table for a number: none if the table lacks it and `of` is "nothing", else an error. */
  mapped: {
    index: Expression;
    table: ReadonlyMap<number, number>;
    of: "qubit" | "result" | "element" | "nothing";
    at: number;
  };
}

/** Numbers of qubits, bits or slots, or what they are computed of: plain data too. A list is known before the run. */
export type OperandIndices =
  | readonly number[]
  | { [K in keyof IndicesTable]: { readonly kind: K } & Readonly<IndicesTable[K]> }[keyof IndicesTable];

/** Several values, in their order: those of an array, or those that a loop runs over. */
export type ValueList =
  | { readonly kind: "constants"; readonly values: readonly Value[] }
  | { readonly kind: "values"; readonly values: readonly Expression[] }
  | { readonly kind: "slots"; readonly slots: OperandIndices }
  /** The bits of a whole number, the lowest first. */
  | { readonly kind: "bits"; readonly operand: Expression; readonly width: number }
  | { readonly kind: "joined"; readonly lists: readonly ValueList[] };

export const constant = (type: Type, value: Value): Constant => ({ kind: "constant", type, value });

/** Returns operands that are known before the run, or null. */
export const knownIndices = (indices: OperandIndices): readonly number[] | null =>
  isList(indices) ? indices : null;

export const isList = (indices: OperandIndices): indices is readonly number[] => Array.isArray(indices);

/** The number of operators on the left of each other from which on they become a chain. */
const MIN_STEPS = 64;

/** Returns an expression whose operators nest deep on the left as a chain, and any other one as it is. */
export function chained(node: Expression): Expression {
  const steps: ChainStep[] = [];
  let first = node;
  for (; first.kind === "binary"; first = first.left) {
    const { type, operator, right, isReal, at } = first;
    steps.push({
      type,
      operator,
      operand: right,
      ...(isReal && { isReal }),
      ...(at !== undefined && { at }),
    });
  }
  return steps.length < MIN_STEPS ? node : { kind: "chain", type: node.type, first, steps: steps.reverse() };
}
