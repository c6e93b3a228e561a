import type { Matrix } from "../linear-algebra/matrix.ts";
import { evaluate } from "./evaluate.ts";
import type { Expression } from "./expression.ts";
import { parameterMemory } from "./memory.ts";
import { FLOAT } from "./values/types.ts";

/** Numbers of any kind of list: parameters or qubits of many gates, one after the other. */
export type Numbers = ArrayLike<number>;

/** Copies some numbers: a few, for which a loop is the fastest. */
export function listed(numbers: Numbers, from: number, count: number): number[] {
  const list: number[] = [];
  for (let i = from; i < from + count; i++) list.push(numbers[i]!);
  return list;
}

interface GateShape {
  /** The name as a program writes it, modifiers included. */
  readonly name: string;
  /** The name without modifiers and controls, for drawings. */
  readonly symbol: string;
  readonly numParams: number;
  readonly numQubits: number;
  /** Polarity of each leading control qubit: true acts on 1, false on 0. */
  readonly controls: readonly boolean[];
  /** True where no qubit of the gate can change its value, only its phase. */
  readonly diagonal: boolean;
}

/** A one-qubit unitary, with any number of controls in front of its target. */
export interface MatrixGate extends GateShape {
  readonly kind: "matrix";
  /** Returns the 2×2 matrix for parameters that begin at `at`. */
  matrix(params: Numbers, at: number): Matrix;
}

/** The exchange of two qubits, with any number of controls in front of them. */
interface SwapGate extends GateShape {
  readonly kind: "swap";
}

/** A phase on the whole state, or with controls on those states that they select. */
export interface PhaseGate extends GateShape {
  readonly kind: "phase";
  readonly scale: number;
}

/** One step of a composite gate: a gate on some of its qubits. */
export interface GateStep {
  readonly gate: Gate;
  /** Its numbers; slot `i` stands for parameter `i` of the composite gate. */
  readonly params: readonly Expression[];
  /** Positions in the composite gate's own list of qubits. */
  readonly qubits: readonly number[];
}

export interface CompositeGate extends GateShape {
  readonly kind: "composite";
  readonly steps: readonly GateStep[];
  /** For each qubit, whether the gate can change its value in the computational basis. */
  readonly changes: readonly boolean[];
  /** Names of its qubits in its definition, those of added controls left out. */
  readonly operandNames?: readonly string[] | undefined;
  readonly depth: number;
  /** Gates of one step that it comes to in the end, and what it takes beside to compute them, in as many. */
  readonly size: number;
}

/** A gate that is not a sequence of others. */
export type ElementaryGate = MatrixGate | SwapGate | PhaseGate;

/** A unitary operation on a few qubits, controls first. */
export type Gate = ElementaryGate | CompositeGate;

/** Whether a gate can change the value of the qubit at a place of its list, not only its phase. */
export function changesQubit(gate: Gate, place: number): boolean {
  return gate.kind === "composite" ? gate.changes[place]! : !gate.diagonal && place >= gate.controls.length;
}

const NO_PARAMS: readonly number[] = [];

/** Returns the numbers of a step for parameters of the composite gate. */
export function stepParams({ params }: GateStep, given: readonly number[]): readonly number[] {
  if (params.length === 0) return NO_PARAMS;
  const memory = parameterMemory(given as number[]);
  return params.map(param => evaluate(param, memory) as number);
}

/** Returns the expressions that hand the parameters of a composite gate on to a step. */
export const parameters = (count: number): Expression[] =>
  Array.from({ length: count }, (_, slot) => ({ kind: "slot", type: FLOAT, slot }));

/** Returns how many gates of one step a gate comes to. */
export const sizeOf = (gate: Gate): number => (gate.kind === "composite" ? gate.size : 1);

/** Makes a gate of a 2×2 matrix; without controls and parameters where none are given. */
export function matrixGate(
  name: string,
  matrix: MatrixGate["matrix"],
  shape: Partial<Pick<MatrixGate, "symbol" | "numParams" | "controls" | "diagonal">> = {},
): MatrixGate {
  const { symbol = name, numParams = 0, controls = [], diagonal = false } = shape;
  const numQubits = controls.length + 1;
  return { kind: "matrix", name, symbol, numParams, numQubits, controls, diagonal, matrix };
}

/** Makes a gate of other steps on the qubits of a gate, with its parameters and controls. */
export const withSteps = (
  { name, symbol, numParams, numQubits, controls }: Gate,
  steps: readonly GateStep[],
  shape: Partial<Pick<Gate, "name" | "symbol">> = {},
): CompositeGate =>
  compositeGate(shape.name ?? name, numParams, numQubits, steps, {
    symbol: shape.symbol ?? symbol,
    controls,
  });

export function compositeGate(
  name: string,
  numParams: number,
  numQubits: number,
  steps: readonly GateStep[],
  shape: Partial<Pick<CompositeGate, "symbol" | "controls" | "operandNames">> = {},
): CompositeGate {
  const changes = new Array<boolean>(numQubits).fill(false);
  let depth = 1;
  let size = 0;
  for (const step of steps) {
    const { gate } = step;
    depth = Math.max(depth, gate.kind === "composite" ? gate.depth + 1 : 1);
    size += sizeOf(gate);
    step.qubits.forEach((qubit, place) => {
      changes[qubit] ||= changesQubit(gate, place);
    });
  }
  return {
    kind: "composite",
    name,
    symbol: shape.symbol ?? name,
    numParams,
    numQubits,
    controls: shape.controls ?? [],
    operandNames: shape.operandNames,
    diagonal: changes.every(change => !change),
    steps,
    changes,
    depth,
    size,
  };
}
