import { CircuitBuilder } from "../circuit/builder.ts";
import type { Circuit } from "../circuit/circuit.ts";
import { constant, type Expression } from "../circuit/expression.ts";
import type { Gate } from "../circuit/gate.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import { STDGATES } from "../circuit/standard.ts";
import type { GraphBlock, GraphEdge } from "../circuit/statement.ts";
import { BOOL, FLOAT, INT } from "../circuit/values/types.ts";
import type { TimedOperation } from "./alap.ts";
import type { ScheduledBlock } from "./blocks.ts";
import { correlatedReadouts, withFinalMeasurementsLast } from "./correlated-readout.ts";
import { crosstalkOf } from "./crosstalk.ts";
import type { DeviceFigures } from "./device-figures.ts";
import { FLIPS, GATE_ERRORS, RELAXATION } from "./locations.ts";
import type { DeviceNoiseOptions } from "./noise-options.ts";
import { NO_OFFSETS, type Offsets } from "./operation.ts";
import { overRotated } from "./over-rotation.ts";
import { phaseSign } from "./phase-sign.ts";

/** Noise to insert into a scheduled circuit. */
export interface NoiseInsertion extends DeviceNoiseOptions {
  /** For each qubit, by how much its frequency is off, in radians a nanosecond. Default: nowhere. */
  readonly detuning?: readonly number[];
}

const [RZ, P, CP] = ["rz", "p", "cp"].map(name => STDGATES.find(gate => gate.name === name)!) as [
  Gate,
  Gate,
  Gate,
];

/**
 * Returns the circuit of scheduled blocks, with a noise location wherever a qubit idles, after each gate and reset, and
 * with the coherent errors that are asked for. Qubits are left alone before their first use and after their last.
 */
export function insertNoise(
  circuit: Circuit,
  blocks: readonly ScheduledBlock[],
  device: DeviceFigures,
  options: NoiseInsertion = {},
): Circuit {
  const { parts } = circuit;
  const builder = CircuitBuilder.like(parts);
  const slots = parts.outputs.flatMap(output => output.slots?.slots ?? []);
  const addBlock = (block: ScheduledBlock) => {
    new BlockWriter(builder, device, options).write(block);
    if (block.next.kind !== "end") return;
    for (const slot of slots)
      builder.add({ kind: "assign", slot, value: constant(FLOAT, block.next.slots[slot] ?? 0n) });
  };
  if (blocks.length === 1) addBlock(blocks[0]!);
  else
    builder.add({
      kind: "graph",
      blocks: blocks.map((block): GraphBlock => {
        const body = builder.collect(() => addBlock(block));
        return { body, edges: edgesOf(block), locals: [] };
      }),
    });
  return builder.finish();
}

function edgesOf({ next }: ScheduledBlock): GraphEdge[] {
  const edge = (to: number, condition: Expression | null = null) => ({ condition, to, moves: [], at: 0 });
  if (next.kind === "end") return [];
  if (next.kind === "jump") return [edge(next.to)];
  return [edge(next.one, { kind: "bits", type: BOOL, bits: [next.bit] }), edge(next.zero)];
}

/** Whether an operation acts on its qubits: barriers and delays only set times. */
const isUse = (kind: TimedOperation["operation"]["kind"]): boolean => kind !== "barrier" && kind !== "delay";

/** Writes the operations of one block with their noise. */
class BlockWriter {
  readonly #builder: CircuitBuilder;
  readonly #device: DeviceFigures;
  readonly #options: NoiseInsertion;
  /** For each qubit in use, the end of its last operation. */
  readonly #ends = new Map<number, number>();
  /** For each qubit, nanoseconds for which its phase has drifted: those before a flip count against those after. */
  readonly #drifts = new Map<number, number>();

  constructor(builder: CircuitBuilder, device: DeviceFigures, options: NoiseInsertion) {
    this.#builder = builder;
    this.#device = device;
    this.#options = options;
  }

  write(block: ScheduledBlock): void {
    const { correlatedReadout = 0, crosstalk = 0 } = this.#options;
    const { live, started, duration } = block;
    const isCorrelated = correlatedReadout > 0 && block.next.kind === "end";
    const operations = isCorrelated ? withFinalMeasurementsLast(block.operations) : block.operations;
    const correlated = correlatedReadouts(isCorrelated ? operations : [], this.#device);
    const phases = crosstalkOf(crosstalk > 0 ? operations : [], this.#device);
    for (const qubit of started) this.#ends.set(qubit, 0);
    const lastUses = new Map<number, number>();
    operations.forEach(({ operation }, i) => {
      for (const qubit of operation.qubits) if (isUse(operation.kind)) lastUses.set(qubit, i);
    });
    operations.forEach((timed, i) => {
      for (const pair of correlated.get(i) ?? []) this.#gate(FLIPS[1], [correlatedReadout], pair);
      this.#operation(timed, qubit => live.has(qubit) || lastUses.get(qubit)! > i);
      for (const { qubits, overlap } of phases.get(i) ?? [])
        this.#zz(qubits, Math.PI * crosstalk * 1e-6 * overlap);
    });
    for (const qubit of live) this.#idle(qubit, duration);
  }

  #operation({ operation, start, end }: TimedOperation, isUsedLater: (qubit: number) => boolean): void {
    if (operation.kind === "set") {
      const { bit, value } = operation;
      this.#builder.add({ kind: "store", bits: [bit], value: constant(INT, BigInt(value)) });
    }
    if (!isUse(operation.kind)) return;
    operation.qubits.forEach((qubit, place) => {
      const isGate = operation.kind === "gate";
      this.#idle(qubit, start, isGate ? () => phaseSign(operation, place) : () => 1);
      if (!isGate) this.#drifts.delete(qubit);
      this.#ends.set(qubit, end);
    });
    const { gates: hasGateErrors = true, overRotation = 0 } = this.#options;
    if (operation.kind === "gate") {
      const { gate, params, qubits, pulses, range } = operation;
      const isOff = overRotation !== 0 && pulses.length > 0;
      this.#gate(isOff ? overRotated(gate, overRotation) : gate, params, qubits, range);
      for (const { qubits: on, error, length } of pulses) {
        if (hasGateErrors) this.#gate(GATE_ERRORS[on.length - 1]!, [error, length], on);
        for (const qubit of qubits) if (!hasGateErrors || !on.includes(qubit)) this.#relax(qubit, length);
      }
    } else if (operation.kind === "measure") {
      const { qubits, bit, range } = operation;
      this.#builder.operation(OPERATION.measure, 0, ...range);
      this.#builder.operations.operand(qubits[0]);
      this.#builder.operations.operand(bit ?? NO_BIT);
      if (isUsedLater(qubits[0])) this.#relax(qubits[0], end - start);
    } else if (operation.kind === "reset") {
      const [qubit] = operation.qubits;
      this.#builder.operation(OPERATION.reset, 0, ...operation.range);
      this.#builder.operations.operand(qubit);
      const { zeroGivenOne, oneGivenZero } = this.#device.qubits[qubit]!;
      if (hasGateErrors && isUsedLater(qubit))
        this.#gate(FLIPS[0], [(zeroGivenOne + oneGivenZero) / 2], [qubit]);
    }
  }

  /**
   * Lets a qubit that is in use idle until a time. Its phase drifts while gates keep or reverse it, by the sign of the
   * next, and an echo undoes it. After any other operation the frequency is another: its memory is left out there.
   */
  #idle(qubit: number, until: number, signOfNext: () => number = () => 0): void {
    const { relaxation = true, slowDephasing = relaxation } = this.#options;
    const time = Math.max(0, until - (this.#ends.get(qubit) ?? until));
    const drift = slowDephasing ? time + (this.#drifts.get(qubit) ?? 0) : 0;
    const sign = drift === 0 ? 0 : signOfNext();
    this.#drifts.set(qubit, sign * drift);
    this.#relax(qubit, time, sign === 0 ? drift : 0);
  }

  #relax(qubit: number, time: number, drift = 0): void {
    const { relaxation = true, detuning } = this.#options;
    const flip = -Math.expm1(-((drift / this.#device.qubits[qubit]!.slowDephasing) ** 2)) / 2;
    if ((relaxation && time > 0) || flip > 0) this.#gate(RELAXATION, [time, flip], [qubit]);
    if (detuning && time > 0) this.#gate(RZ, [detuning[qubit]! * time], [qubit]);
  }

  /** Turns the phases of a pair by `exp(-i·angle/2·ZZ)`. */
  #zz([a, b]: readonly [number, number], angle: number): void {
    for (const qubit of [a, b]) this.#gate(P, [angle], [qubit]);
    this.#gate(CP, [-2 * angle], [a, b]);
  }

  #gate(gate: Gate, params: readonly number[], qubits: readonly number[], range: Offsets = NO_OFFSETS): void {
    const builder = this.#builder;
    builder.operation(OPERATION.gate, builder.gateIndex(gate), ...range);
    for (const qubit of qubits) builder.operations.operand(qubit);
    for (const param of params) builder.operations.param(param);
  }
}
