import type { Circuit } from "../circuit/circuit.ts";
import { MemoryLimitError, SimulationError } from "../errors.ts";
import { formatBytes } from "../execution/format-bytes.ts";
import { runCourses } from "../execution/scheduler.ts";
import { link } from "../interpreter/link.ts";
import type { Meter } from "../interpreter/meter.ts";
import type { Philox } from "../sampling/philox.ts";
import { AffineCourse } from "./affine-course.ts";
import { AffineFrames } from "./affine-frames.ts";
import { visitOutcomes } from "./affine-outcomes.ts";
import type { CliffordMemory } from "./clifford-course.ts";
import { type CliffordNoise, type DrawCounter, Frames } from "./frames.ts";
import { StabilizerCourse } from "./stabilizer-course.ts";
import { Tableau } from "./tableau.ts";

/** Bytes of frames that are worked on at a time. */
const FRAME_BYTES = 2 ** 26;
const MAX_EXACT_COURSES = 2 ** 12;

/** What a run of the stabilizer works with. */
export interface StabilizerOptions {
  readonly maxBytes: number;
  readonly meter: Meter;
  readonly tally: StabilizerTally;
  /** Is called at the end of each course. */
  onCourse(): void;
}

/** Gathers outcomes. */
export interface StabilizerTally {
  addValues(shots: Uint32Array, values: (bit: number) => Uint32Array, slots: CliffordMemory["slots"]): void;
  addShares(shares: ReadonlyMap<string, number>, weight: number): void;
}

/**
 * Runs a Clifford program: a reference by a tableau, and all shots by the Pauli frames in which they differ from it.
 * Shots part where what the program does depends on an outcome in which they differ.
 */
export function simulateStabilizer(
  { parts }: Circuit,
  options: StabilizerOptions & { shots: number; random: Philox; noise?: CliffordNoise | undefined },
): void {
  const { shots, maxBytes, random, meter, tally, onCourse, noise } = options;
  const { numQubits } = parts;
  const program = link(parts);
  checkTableau(numQubits, maxBytes);
  const draws: DrawCounter = { next: 0 };
  const batch = Math.max(32, 32 * Math.floor(FRAME_BYTES / (8 * Math.max(1, numQubits + parts.numBits))));
  for (let first = 0; first < shots; first += batch) {
    const count = Math.min(batch, shots - first);
    runCourses<StabilizerCourse>(program, {
      shots: Uint32Array.from({ length: count }, (_, i) => first + i),
      meter,
      maxCourses: Number.POSITIVE_INFINITY,
      begin: which =>
        new StabilizerCourse(
          { meter, noise },
          new Tableau(numQubits),
          Frames.begin(numQubits, count, random, draws),
          emptyMemory(parts),
          which!,
        ),
      split: (course, bit) => course.split(bit),
      onEnd(course) {
        tally.addValues(course.shots, bit => course.values(bit), course.slots);
        onCourse();
      },
    });
  }
}

/**
 * Finds the exact distribution of a Clifford program: its outcomes are sums of random bits, and therefore equally
 * likely on each course. Throws a {@link SimulationError} where they are too many to list.
 */
export function simulateStabilizerExactly(
  { parts, registers }: Circuit,
  { maxBytes, meter, tally, onCourse }: StabilizerOptions,
): void {
  const { numQubits } = parts;
  const program = link(parts);
  checkTableau(numQubits, maxBytes);
  runCourses<AffineCourse>(program, {
    shots: null,
    meter,
    maxCourses: MAX_EXACT_COURSES,
    begin: () =>
      new AffineCourse(new Tableau(numQubits), AffineFrames.begin(numQubits), meter, emptyMemory(parts), 1),
    split: (course, bit) => course.split(bit),
    onEnd(course) {
      const bits = registers.classical
        .toReversed()
        .flatMap(({ offset, width }, i) => [
          ...(i > 0 ? [null] : []),
          ...Array.from({ length: width }, (_, place) => course.form(offset + width - 1 - place)),
        ]);
      const shares = new Map<string, number>();
      visitOutcomes(bits, (outcome, probability) => shares.set(outcome, probability));
      tally.addShares(shares, course.weight);
      onCourse();
    },
  });
}

function checkTableau(numQubits: number, maxBytes: number): void {
  const bytes = Tableau.bytes(numQubits);
  if (bytes > maxBytes)
    throw new MemoryLimitError(
      `The program needs a tableau of ${numQubits} qubits, which takes ${formatBytes(bytes)}; at most ${formatBytes(maxBytes)} may be used here.`,
    );
}

const emptyMemory = ({ numBits, numSlots }: Circuit["parts"]): CliffordMemory => ({
  bits: new Uint8Array(numBits),
  flips: new Array(numBits).fill(null),
  slots: new Array(numSlots).fill(0n),
});
