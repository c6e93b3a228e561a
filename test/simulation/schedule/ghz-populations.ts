import type { DeviceFigures } from "../../../src/simulation/index.ts";

/** Returns the first path of so many coupled qubits. */
export function pathOf({ qubits, pairs }: DeviceFigures, length: number): number[] {
  const grow = (path: number[]): number[] | undefined => {
    if (path.length === length) return path;
    for (const { a, b } of pairs)
      for (const [from, to] of [
        [a, b],
        [b, a],
      ] as const) {
        const found = from === path.at(-1) && !path.includes(to) ? grow([...path, to]) : undefined;
        if (found) return found;
      }
    return undefined;
  };
  for (const start of qubits.keys()) {
    const found = grow([start]);
    if (found) return found;
  }
  throw new Error(`The device has no path of ${length} qubits.`);
}

/** Returns the body of a program that prepares a GHZ state along a path, and measures it. */
export function ghzBody(path: readonly number[]): string {
  const gates = path.slice(1).map((qubit, i) => `cx $${path[i]}, $${qubit};`);
  const measure = path.map((qubit, i) => `c[${i}] = measure $${qubit};`);
  return `bit[${path.length}] c; h $${path[0]}; ${gates.join(" ")} ${measure.join(" ")}`;
}

/** The entanglement fidelity of a qubit that relaxes for some nanoseconds. */
const relaxed = (time: number, { T1, T2 }: { T1: number; T2: number }) =>
  (1 + 2 * Math.exp(-time / T2) + Math.exp(-time / T1)) / 4;

/**
 * Returns the probability that all qubits of a GHZ state are alike, by its figures alone: its gates permute bit strings, and
 * relaxation and depolarizing errors move probability between them, so that no state is needed. Where relaxation is
 * twirled to Pauli errors, a 0 flips as often as a 1.
 */
export function ghzAgreement(device: DeviceFigures, path: readonly number[], isTwirled: boolean): number {
  const count = path.length;
  let p = new Float64Array(2 ** count);
  p[0] = 1;
  const figures = path.map(qubit => device.qubits[qubit]!);
  const flip = (i: number, zeroToOne: number, oneToZero: number) => {
    for (let at = 0; at < p.length; at++) {
      if ((at >> i) & 1) continue;
      const other = at | (1 << i);
      const [zero, one] = [p[at]!, p[other]!];
      p[at] = zero * (1 - zeroToOne) + one * oneToZero;
      p[other] = one * (1 - oneToZero) + zero * zeroToOne;
    }
  };
  const relax = (i: number, time: number) => {
    const decay = -Math.expm1(-time / figures[i]!.T1);
    if (time > 0) flip(i, isTwirled ? decay / 2 : 0, isTwirled ? decay / 2 : decay);
  };
  /** A gate has its error, of which relaxation during the gate is a part: all of it at most. */
  const pulse = (on: readonly number[], { error, length }: { error: number; length: number }) => {
    const dimension = 2 ** on.length;
    const fidelity = ((1 - error) * (dimension + 1) - 1) / dimension;
    const left = (time: number) => on.reduce((product, i) => product * relaxed(time, figures[i]!), 1);
    let [time, step] = [length, length / 2];
    for (; left(length) < fidelity && step > 1e-12; step /= 2) time += left(time) < fidelity ? -step : step;
    const share = Math.max(0, (left(time) - fidelity) / (left(time) - 1 / dimension ** 2));
    const before = p.slice();
    const flips = [
      0,
      ...on.map(i => 1 << i),
      ...(on.length === 2 ? [on.reduce((bits, i) => bits | (1 << i), 0)] : []),
    ];
    p = before.map(
      (own, at) =>
        own * (1 - share) + (share / dimension) * flips.reduce((sum, by) => sum + before[at ^ by]!, 0),
    );
    for (const i of on) relax(i, time);
  };
  const gates = path.slice(1).map((b, i) => {
    const a = path[i]!;
    const pair =
      device.pairs.find(one => one.a === a && one.b === b) ??
      device.pairs.find(one => one.a === b && one.b === a)!;
    return pair.gates.cx ?? pair.otherwise;
  });
  /** As late as possible: when each gate starts, before the end of the last readout. */
  const readouts = figures.map(({ readoutLength }) => -readoutLength);
  const ends: number[] = [];
  for (let i = gates.length - 1; i >= 0; i--) {
    const next = i + 1 < gates.length ? ends[i + 1]! - gates[i + 1]!.length : readouts[i + 1]!;
    ends[i] = Math.min(next, readouts[i]!);
  }
  p[0] = p[1] = 0.5;
  pulse([0], figures[0]!.otherwise);
  gates.forEach((gate, i) => {
    if (i > 0) relax(i, ends[i]! - gate.length - ends[i - 1]!);
    p = p.map((_, at) => p[(at >> i) & 1 ? at ^ (2 << i) : at]!);
    pulse([i, i + 1], gate);
  });
  path.forEach((_, i) => {
    relax(i, readouts[i]! - ends[Math.min(i, gates.length - 1)]!);
  });
  return p[0]! + p.at(-1)!;
}
