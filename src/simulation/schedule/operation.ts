import type { CircuitParts } from "../circuit/circuit.ts";
import { type Gate, stepParams } from "../circuit/gate.ts";
import { NO_BIT, NOWHERE, OPERATION } from "../circuit/operations.ts";
import { BOX_BEGIN, BOX_END, DELAY } from "../circuit/timing-markers.ts";
import type { TraceStep } from "../specialize/blocks.ts";
import type { GateFigures, Pulse } from "./gate-figures.ts";

/** An operation to be scheduled, on known qubits. `range` is its place in the source. */
export type Operation =
  | {
      readonly kind: "gate";
      readonly gate: Gate;
      readonly params: readonly number[];
      readonly qubits: readonly number[];
      readonly pulses: readonly Pulse[];
      readonly range: Offsets;
    }
  | {
      readonly kind: "measure";
      readonly qubits: readonly [number];
      readonly bit: number | null;
      readonly range: Offsets;
    }
  | { readonly kind: "reset"; readonly qubits: readonly [number]; readonly range: Offsets }
  | { readonly kind: "barrier"; readonly qubits: readonly number[] }
  | { readonly kind: "delay"; readonly qubits: readonly [number]; readonly duration: number }
  | { readonly kind: "set"; readonly qubits: readonly []; readonly bit: number; readonly value: number }
  | {
      readonly kind: "box";
      readonly qubits: readonly number[];
      readonly duration: number;
      readonly body: readonly Operation[];
    };

/** The offsets of the first character of an operation in the source, and after its last. */
export type Offsets = readonly [start: number, end: number];

/** The offsets of what has no place in the source. */
export const NO_OFFSETS: Offsets = [NOWHERE, NOWHERE];

/** Returns the operations of the steps of a trace: gates that the device does not have are decomposed. */
export function operationsOf(
  steps: readonly TraceStep[],
  parts: CircuitParts,
  figures: GateFigures,
): Operation[] {
  const open: { duration: number; body: Operation[] }[] = [{ duration: 0, body: [] }];
  const add = (operation: Operation) => open.at(-1)!.body.push(operation);
  const closeBox = () => {
    if (open.length === 1) return;
    const { duration, body } = open.pop()!;
    const used = new Set(body.flatMap(operation => operation.qubits));
    add({ kind: "box", duration, body, qubits: [...used] });
  };
  const addGate = (
    gate: Gate,
    params: readonly number[],
    qubits: readonly number[],
    range: Offsets,
  ): void => {
    if (gate === DELAY) add({ kind: "delay", qubits: [qubits[0]!], duration: params[0]! });
    else if (gate === BOX_BEGIN) open.push({ duration: params[0]!, body: [] });
    else if (gate === BOX_END) closeBox();
    else if (gate.kind !== "composite" || figures.isNative(gate.name, qubits))
      add({ kind: "gate", gate, params, qubits, pulses: figures.pulses(gate, qubits), range });
    else
      for (const step of gate.steps) {
        const on = step.qubits.map(place => qubits[place]!);
        addGate(step.gate, stepParams(step, params), on, range);
      }
  };
  for (const step of steps)
    if (step.kind === "operations")
      visitStatic(parts, step.start, step.end, (kind, gate, operands, params, range) => {
        if (kind === OPERATION.gate) addGate(parts.gates[gate]!, params, operands, range);
        else if (kind === OPERATION.barrier) add({ kind: "barrier", qubits: operands });
        else if (kind === OPERATION.reset) add({ kind: "reset", qubits: [operands[0]!], range });
        else {
          const [qubit, bit] = operands as [number, number];
          add({ kind: "measure", qubits: [qubit], bit: bit === NO_BIT ? null : bit, range });
        }
      });
    else if (step.kind === "gate") addGate(step.gate, step.params, step.qubits, NO_OFFSETS);
    else if (step.kind === "measure")
      add({ kind: "measure", qubits: [step.qubit], bit: step.bit, range: NO_OFFSETS });
    else if (step.kind === "reset") add({ kind: "reset", qubits: [step.qubit], range: NO_OFFSETS });
    else add({ kind: "set", qubits: [], bit: step.bit, value: step.value });
  while (open.length > 1) closeBox();
  return open[0]!.body;
}

function visitStatic(
  { operations }: CircuitParts,
  start: number,
  end: number,
  visit: (
    kind: number,
    gate: number,
    operands: readonly number[],
    params: readonly number[],
    range: Offsets,
  ) => void,
): void {
  const { kinds, gates, operands, operandStarts, params, paramStarts, offsets, ends } = operations;
  for (let i = start; i < end; i++)
    visit(
      kinds[i]!,
      gates[i]!,
      Array.from(operands.subarray(operandStarts[i]!, operandStarts[i + 1]!)),
      Array.from(params.subarray(paramStarts[i]!, paramStarts[i + 1]!)),
      [offsets[i]!, ends[i]!],
    );
}
