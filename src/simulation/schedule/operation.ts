import type { CircuitParts } from "../circuit/circuit.ts";
import { type Gate, stepParams } from "../circuit/gate.ts";
import { NOWHERE } from "../circuit/operations.ts";
import { BOX_BEGIN, BOX_END, DELAY } from "../circuit/timing-markers.ts";
import { type TraceStep, visitSteps } from "../specialize/blocks.ts";
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

/** The offsets of operations without a place in the source. */
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
    visitSteps(step, parts, single => {
      if (single.kind === "gate") addGate(single.gate, single.params, single.qubits, single.range);
      else if (single.kind === "barrier") add(single);
      else if (single.kind === "set") add({ kind: "set", qubits: [], bit: single.bit, value: single.value });
      else if (single.kind !== "dynamic") add({ ...single, qubits: [single.qubit] });
    });
  while (open.length > 1) closeBox();
  return open[0]!.body;
}
