import { CircuitBuilder } from "../circuit/builder.ts";
import type { Circuit } from "../circuit/circuit.ts";
import { constant } from "../circuit/expression.ts";
import { type Gate, stepParams } from "../circuit/gate.ts";
import { modify } from "../circuit/modifiers.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import { standardGate } from "../circuit/standard.ts";
import type { GraphBlock } from "../circuit/statement.ts";
import { FLOAT, INT } from "../circuit/values/types.ts";
import { edgesOf } from "../specialize/blocks.ts";
import type { ScheduledBlock, TimedOperation } from "./blocks.ts";
import type { DeviceFigures } from "./device-figures.ts";
import { FLIPS, GATE_ERRORS, RELAXATION } from "./locations.ts";
import { NO_OFFSETS, type Offsets } from "./operation.ts";

/** Noise of an emulated QPU in a run: published errors, which can be switched off, and more. */
export interface DeviceNoise {
  /** Whether qubits relax, by their T1 and T2, during gates, delays and idling. Default: true. */
  relaxation?: boolean;
  /** Whether the frequencies of qubits differ from shot to shot, by their T2*, which echoes undo. Default: as `relaxation`. */
  slowDephasing?: boolean;
  /** Whether gates and resets have their published errors. Default: true. */
  gates?: boolean;
  /** Whether measurements are read out with their published errors. Default: true. */
  readout?: boolean;
  /** The part by which gates rotate too far, coherently, -0.5 to 0.5. Default: 0. */
  overRotation?: number;
  /** ZZ coupling between the neighbouring qubits of simultaneous two-qubit gates, in kilohertz. Default: 0. */
  crosstalk?: number;
  /** The probability that the readouts of two neighbours, read together at the end, are both wrong at once. Default: 0. */
  correlatedReadout?: number;
  /**
   * The standard deviation of the qubits' frequencies at the end of a job, in kilohertz. T1 and T2 drift with them, by 1 % a
   * kilohertz. Default: 0.
   */
  drift?: number;
}

/** Noise to insert into a scheduled circuit. */
export interface NoiseInsertion extends DeviceNoise {
  /** For each qubit, by how much its frequency is off, in radians a nanosecond. Default: nowhere. */
  readonly detuning?: readonly number[];
}

const [RZ, P, CP] = [standardGate("rz"), standardGate("p"), standardGate("cp")];

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
    writeBlock(block, builder, device, options);
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

/** Whether an operation acts on its qubits: barriers and delays only set times. */
const isUse = (kind: TimedOperation["operation"]["kind"]): boolean => kind !== "barrier" && kind !== "delay";

/** Writes the operations of one block with their noise. */
function writeBlock(
  block: ScheduledBlock,
  builder: CircuitBuilder,
  device: DeviceFigures,
  options: NoiseInsertion,
): void {
  /** For each qubit in use, the end of its last operation. */
  const ends = new Map<number, number>();
  /** For each qubit, nanoseconds for which its phase has drifted: those before a flip count against those after. */
  const drifts = new Map<number, number>();
  const { correlatedReadout = 0, crosstalk = 0 } = options;
  const { live, started, duration } = block;
  const isCorrelated = correlatedReadout > 0 && block.next.kind === "end";
  const operations = isCorrelated ? withFinalMeasurementsLast(block.operations) : block.operations;
  const correlated = correlatedReadouts(isCorrelated ? operations : [], device);
  const phases = crosstalkOf(crosstalk > 0 ? operations : [], device);
  for (const qubit of started) ends.set(qubit, 0);
  const lastUses = new Map<number, number>();
  operations.forEach(({ operation }, i) => {
    for (const qubit of operation.qubits) if (isUse(operation.kind)) lastUses.set(qubit, i);
  });
  operations.forEach((timed, i) => {
    for (const pair of correlated.get(i) ?? []) addGate(FLIPS[1], [correlatedReadout], pair);
    addOperation(timed, qubit => live.has(qubit) || lastUses.get(qubit)! > i);
    for (const { qubits, overlap } of phases.get(i) ?? [])
      addZz(qubits, Math.PI * crosstalk * 1e-6 * overlap);
  });
  for (const qubit of live) idle(qubit, duration);

  function addOperation(
    { operation, start, end }: TimedOperation,
    isUsedLater: (qubit: number) => boolean,
  ): void {
    if (operation.kind === "set") {
      const { bit, value } = operation;
      builder.add({ kind: "store", bits: [bit], value: constant(INT, BigInt(value)) });
    }
    if (!isUse(operation.kind)) return;
    operation.qubits.forEach((qubit, place) => {
      const isGate = operation.kind === "gate";
      idle(qubit, start, isGate ? () => phaseSign(operation, place) : () => 1);
      if (!isGate) drifts.delete(qubit);
      ends.set(qubit, end);
    });
    const { gates: hasGateErrors = true, overRotation = 0 } = options;
    if (operation.kind === "gate") {
      const { gate, params, qubits, pulses, range } = operation;
      const isOff = overRotation !== 0 && pulses.length > 0;
      addGate(isOff ? overRotated(gate, overRotation) : gate, params, qubits, range);
      for (const { qubits: on, error, length } of pulses) {
        if (hasGateErrors) addGate(GATE_ERRORS[on.length - 1]!, [error, length], on);
        for (const qubit of qubits) if (!hasGateErrors || !on.includes(qubit)) relax(qubit, length);
      }
    } else if (operation.kind === "measure") {
      const { qubits, bit, range } = operation;
      builder.operation(OPERATION.measure, 0, ...range);
      builder.operations.operand(qubits[0]);
      builder.operations.operand(bit ?? NO_BIT);
      if (isUsedLater(qubits[0])) relax(qubits[0], end - start);
    } else if (operation.kind === "reset") {
      const [qubit] = operation.qubits;
      builder.operation(OPERATION.reset, 0, ...operation.range);
      builder.operations.operand(qubit);
      const { zeroGivenOne, oneGivenZero } = device.qubits[qubit]!;
      if (hasGateErrors && isUsedLater(qubit))
        addGate(FLIPS[0], [(zeroGivenOne + oneGivenZero) / 2], [qubit]);
    }
  }

  /**
   * Lets a qubit that is in use idle until a time. Its phase drifts while gates keep or reverse it, by the sign of the
   * next, and an echo undoes it. After any other operation the frequency is another: its memory is left out there.
   */
  function idle(qubit: number, until: number, signOfNext: () => number = () => 0): void {
    const { relaxation = true, slowDephasing = relaxation } = options;
    const time = Math.max(0, until - (ends.get(qubit) ?? until));
    const drift = slowDephasing ? time + (drifts.get(qubit) ?? 0) : 0;
    const sign = drift === 0 ? 0 : signOfNext();
    drifts.set(qubit, sign * drift);
    relax(qubit, time, sign === 0 ? drift : 0);
  }

  function relax(qubit: number, time: number, drift = 0): void {
    const { relaxation = true, detuning } = options;
    const flip = -Math.expm1(-((drift / device.qubits[qubit]!.slowDephasing) ** 2)) / 2;
    if ((relaxation && time > 0) || flip > 0) addGate(RELAXATION, [time, flip], [qubit]);
    if (detuning && time > 0) addGate(RZ, [detuning[qubit]! * time], [qubit]);
  }

  /** Turns the phases of a pair by `exp(-i·angle/2·ZZ)`. */
  function addZz([a, b]: readonly [number, number], angle: number): void {
    for (const qubit of [a, b]) addGate(P, [angle], [qubit]);
    addGate(CP, [-2 * angle], [a, b]);
  }

  function addGate(
    gate: Gate,
    params: readonly number[],
    qubits: readonly number[],
    range: Offsets = NO_OFFSETS,
  ): void {
    builder.operation(OPERATION.gate, builder.gateIndex(gate), ...range);
    for (const qubit of qubits) builder.operations.operand(qubit);
    for (const param of params) builder.operations.param(param);
  }
}

/** A coupled pair of qubits of two gates that run at the same time, with the nanoseconds of their overlap. */
interface Overlap {
  readonly qubits: readonly [number, number];
  readonly overlap: number;
}

/** Returns the overlaps of neighbouring two-qubit gates, by the place of the later of the two among the operations. */
function crosstalkOf(
  operations: readonly TimedOperation[],
  { pairs }: DeviceFigures,
): ReadonlyMap<number, readonly Overlap[]> {
  const coupled = new Set(pairs.flatMap(({ a, b }) => [`${a} ${b}`, `${b} ${a}`]));
  const gates = operations
    .map((timed, index) => ({ ...timed, index }))
    .filter(({ operation, start, end }) => operation.qubits.length === 2 && end > start)
    .sort((a, b) => a.start - b.start);
  const found = new Map<number, Overlap[]>();
  let active: typeof gates = [];
  for (const gate of gates) {
    active = active.filter(({ end }) => end > gate.start);
    for (const other of active) {
      const later = Math.max(gate.index, other.index);
      const overlap = Math.min(gate.end, other.end) - gate.start;
      for (const a of other.operation.qubits)
        for (const b of gate.operation.qubits)
          if (coupled.has(`${a} ${b}`))
            found.set(later, [...(found.get(later) ?? []), { qubits: [a, b], overlap }]);
    }
    active.push(gate);
  }
  return found;
}

/**
 * Moves measurements after which their qubits are not used to the end, in their order, which changes nothing unless a
 * bit is written again: such a bit's measurements stay where they are.
 */
function withFinalMeasurementsLast(operations: readonly TimedOperation[]): readonly TimedOperation[] {
  const lastUses = new Map<number, number>();
  const writes = new Map<number, number>();
  operations.forEach(({ operation }, i) => {
    for (const qubit of operation.qubits) lastUses.set(qubit, i);
    if ("bit" in operation && operation.bit !== null)
      writes.set(operation.bit, (writes.get(operation.bit) ?? 0) + 1);
  });
  const isFinal = ({ operation }: TimedOperation, i: number) =>
    operation.kind === "measure" &&
    lastUses.get(operation.qubits[0]) === i &&
    (operation.bit === null || writes.get(operation.bit) === 1);
  return [
    ...operations.filter((timed, i) => !isFinal(timed, i)),
    ...operations.filter((timed, i) => isFinal(timed, i)),
  ];
}

/**
 * Returns the coupled pairs whose qubits are measured at the same time at the end of the operations, by the place of
 * the first of these measurements.
 */
function correlatedReadouts(
  operations: readonly TimedOperation[],
  { pairs }: DeviceFigures,
): ReadonlyMap<number, readonly (readonly [number, number])[]> {
  const isFinal = ({ operation }: TimedOperation) => operation.kind === "measure";
  const first = operations.findLastIndex(timed => !isFinal(timed)) + 1;
  const measured = new Map(operations.slice(first).map(timed => [timed.operation.qubits[0]!, timed]));
  const keys = new Set<string>();
  const together = pairs.flatMap(({ a, b }): (readonly [number, number])[] => {
    const [one, other] = [measured.get(a), measured.get(b)];
    const key = [a, b].sort().join();
    if (!one || !other || keys.has(key)) return [];
    keys.add(key);
    return one.start < other.end && other.start < one.end ? [[a, b]] : [];
  });
  return new Map([[first, together]]);
}

/** Returns a gate that rotates too far by a part: its power by 1 and that part. */
const overRotated = (gate: Gate, part: number): Gate => modify(gate, { kind: "pow", exponent: 1 + part });

/** Parts of a matrix that count as zero. */
const ROUNDING = 1e-9;

/**
 * Returns 1 where a gate commutes with a phase on the qubit at a place of its list, -1 where it reverses the phase, as X
 * and Y do, and 0 where it does neither.
 */
function phaseSign(
  { gate, params }: { readonly gate: Gate; readonly params: readonly number[] },
  place: number,
): number {
  if (gate.kind === "composite")
    return gate.steps.reduce((sign, step) => {
      const at = step.qubits.indexOf(place);
      if (sign === 0 || at < 0) return sign;
      return sign * phaseSign({ gate: step.gate, params: stepParams(step, params) }, at);
    }, 1);
  if (gate.diagonal || place < gate.controls.length) return 1;
  if (gate.kind !== "matrix") return 0;
  const m = gate.matrix(params, 0);
  const isZero = (...entries: number[]) => entries.every(at => Math.abs(m[at]!) < ROUNDING);
  if (isZero(2, 3, 4, 5)) return 1;
  return gate.controls.length === 0 && isZero(0, 1, 6, 7) ? -1 : 0;
}
