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

type Figures = DeviceFigures["qubits"][number];

/** Returns for how long qubits relax during a gate of a published error, and with what probability they are mixed. */
function partsOfError(figures: readonly Figures[], { error, length }: { error: number; length: number }) {
  const dimension = 2 ** figures.length;
  const fidelity = ((1 - error) * (dimension + 1) - 1) / dimension;
  const left = (time: number) => figures.reduce((product, one) => product * relaxed(time, one), 1);
  let [time, step] = [length, length / 2];
  for (; left(length) < fidelity && step > 1e-12; step /= 2) time += left(time) < fidelity ? -step : step;
  return { time, share: Math.max(0, (left(time) - fidelity) / (left(time) - 1 / dimension ** 2)) };
}

/** Returns the gates of a GHZ state along a path, and when they end, as late as possible, before the end of the last readout. */
function scheduleOf(device: DeviceFigures, path: readonly number[]) {
  const figures = path.map(qubit => device.qubits[qubit]!);
  const gates = path.slice(1).map((b, i) => {
    const a = path[i]!;
    const pair =
      device.pairs.find(one => one.a === a && one.b === b) ??
      device.pairs.find(one => one.a === b && one.b === a)!;
    return pair.gates.cx ?? pair.otherwise;
  });
  const readouts = figures.map(({ readoutLength }) => -readoutLength);
  const ends: number[] = [];
  for (let i = gates.length - 1; i >= 0; i--) {
    const next = i + 1 < gates.length ? ends[i + 1]! - gates[i + 1]!.length : readouts[i + 1]!;
    ends[i] = Math.min(next, readouts[i]!);
  }
  /** How long a qubit waits for its second gate, and for its readout. */
  const between = (i: number) => (i > 0 ? ends[i]! - gates[i]!.length - ends[i - 1]! : 0);
  const atEnd = (i: number) => readouts[i]! - ends[Math.min(i, gates.length - 1)]!;
  return { figures, gates, between, atEnd };
}

/**
 * Returns the probability that all qubits of a GHZ state are alike, by its figures alone: its gates permute bit strings, and
 * relaxation and depolarizing errors move probability between them, so that no state is needed.
 */
export function ghzAgreement(device: DeviceFigures, path: readonly number[]): number {
  const { figures, gates, between, atEnd } = scheduleOf(device, path);
  let p = new Float64Array(2 ** path.length);
  p[0] = p[1] = 0.5;
  const relax = (i: number, time: number) => {
    const decay = -Math.expm1(-time / figures[i]!.T1);
    for (let at = 0; at < p.length; at++) {
      if ((at >> i) & 1) continue;
      const other = at | (1 << i);
      p[at]! += p[other]! * decay;
      p[other]! *= 1 - decay;
    }
  };
  /** A gate has its error, of which relaxation during the gate is a part: all of it at most. */
  const pulse = (on: readonly number[], gate: { error: number; length: number }) => {
    const dimension = 2 ** on.length;
    const { time, share } = partsOfError(
      on.map(i => figures[i]!),
      gate,
    );
    const flips = Array.from({ length: dimension }, (_, bits) =>
      on.reduce((mask, i, place) => mask | (((bits >> place) & 1) << i), 0),
    );
    p = p.map(
      (own, at) => own * (1 - share) + (share / dimension) * flips.reduce((sum, by) => sum + p[at ^ by]!, 0),
    );
    for (const i of on) relax(i, time);
  };
  pulse([0], figures[0]!.otherwise);
  gates.forEach((gate, i) => {
    relax(i, between(i));
    p = p.map((_, at) => p[(at >> i) & 1 ? at ^ (2 << i) : at]!);
    pulse([i, i + 1], gate);
  });
  path.forEach((_, i) => {
    relax(i, atEnd(i));
  });
  return p[0]! + p.at(-1)!;
}

/**
 * Returns the same for relaxation that is twirled to Pauli errors: a 0 flips as often as a 1, so that it is enough to
 * follow, along the path, whether the latest qubit is flipped, where all before it end as they should.
 */
export function twirledGhzAgreement(device: DeviceFigures, path: readonly number[]): number {
  const { figures, gates, between, atEnd } = scheduleOf(device, path);
  const flipOf = (i: number, time: number) => -Math.expm1(-time / figures[i]!.T1) / 2;
  const changed = (flip: number, from: number, to: number) => (from === to ? 1 - flip : flip);
  const bits = [0, 1];
  let sum = 0;
  for (const wanted of bits) {
    const first = partsOfError([figures[0]!], figures[0]!.otherwise);
    let p = [1 - first.share / 2, first.share / 2];
    const relax = (i: number, time: number) => {
      p = bits.map(to =>
        bits.reduce((total, from) => total + p[from]! * changed(flipOf(i, time), from, to), 0),
      );
    };
    relax(0, first.time);
    gates.forEach((gate, i) => {
      relax(i, between(i));
      const { time, share } = partsOfError([figures[i]!, figures[i + 1]!], gate);
      const ending = (own: number) =>
        bits.reduce(
          (total, after) =>
            total + changed(flipOf(i, time), own, after) * changed(flipOf(i, atEnd(i)), after, wanted),
          0,
        );
      p = bits.map(other =>
        bits.reduce(
          (total, own) =>
            total +
            ending(own) * ((1 - share) * (own === other ? p[own]! : 0) + (share / 4) * (p[0]! + p[1]!)),
          0,
        ),
      );
      relax(i + 1, time);
    });
    relax(path.length - 1, atEnd(path.length - 1));
    sum += p[wanted]!;
  }
  return sum;
}
