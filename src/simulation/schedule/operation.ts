import type { CircuitParts } from "../circuit/circuit.ts";
import { type Gate, stepParams } from "../circuit/gate.ts";
import { NOWHERE } from "../circuit/operations.ts";
import { BOX_BEGIN, BOX_END, DELAY } from "../circuit/timing-markers.ts";
import { type TraceStep, visitSteps } from "../specialize/blocks.ts";
import type { DeviceFigures, GateFigure } from "./device-figures.ts";

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

/** A pulse of a gate: the qubits that it acts on, with its error and its length. */
interface Pulse extends GateFigure {
  readonly qubits: readonly number[];
}

type GateFigures = ReturnType<typeof gateFiguresOf>;

/** Returns the lookup of what gates take on a device. */
export function gateFiguresOf({ qubits: all, pairs, uncoupled }: DeviceFigures) {
  const byPair = new Map(pairs.map(pair => [`${pair.a} ${pair.b}`, pair]));
  const pairOf = (a: number, b: number) => byPair.get(`${a} ${b}`) ?? byPair.get(`${b} ${a}`);
  const listed = (name: string, qubits: readonly number[]): GateFigure | undefined => {
    const [a, b] = qubits as [number, number];
    if (qubits.length > 2) return undefined;
    const gates = qubits.length === 1 ? all[a]?.gates : pairOf(a, b)?.gates;
    return gates && Object.hasOwn(gates, name) ? gates[name] : undefined;
  };
  const one = (gate: Gate, qubit: number): GateFigure | undefined => {
    const own = listed(gate.name, [qubit]);
    if (own) return own.length > 0 || own.error > 0 ? own : undefined;
    return gate.diagonal && gate.symbol !== "id" ? undefined : all[qubit]!.otherwise;
  };
  return {
    /** Whether a gate is one of the device's own on these qubits, and not to be decomposed. */
    isNative: (name: string, qubits: readonly number[]) => listed(name, qubits) !== undefined,
    /**
     * Returns the pulses of a gate, one after the other; none where it is virtual, as rotations about Z are. A swap is
     * three gates of its pair, and a gate on more than two qubits two on each pair of them.
     */
    pulses(gate: Gate, qubits: readonly number[]): readonly Pulse[] {
      if (qubits.length === 0) return [];
      if (qubits.length === 1) {
        const figure = one(gate, qubits[0]!);
        return figure ? [{ qubits, ...figure }] : [];
      }
      const own = listed(gate.name, qubits);
      if (own) return [{ qubits, ...own }];
      const times = qubits.length > 2 ? 2 : gate.kind === "swap" ? 3 : 1;
      return qubits.flatMap((a, i) =>
        qubits.slice(i + 1).flatMap(b => {
          const pulse = { qubits: [a, b], ...(pairOf(a, b)?.otherwise ?? uncoupled) };
          return new Array<Pulse>(times).fill(pulse);
        }),
      );
    },
  };
}
