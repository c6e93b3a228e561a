import type { Circuit } from "../circuit/circuit.ts";
import { SimulationError } from "../errors.ts";
import { FINISHED, run } from "../execution/interpreter.ts";
import type { Tally } from "../execution/tally.ts";
import type { Philox } from "../sampling/philox.ts";
import { formatBytes, type Meter } from "../statevector/limits.ts";
import { type DrawCounter, Frames } from "./frames.ts";
import { StabilizerCourse } from "./stabilizer-course.ts";
import { Tableau } from "./tableau.ts";

/** Bytes of frames that are worked on at a time. */
const FRAME_BYTES = 2 ** 26;

/**
 * Runs a Clifford program: a reference by a tableau, and all shots by the Pauli frames in which they differ from it.
 * Shots part where what the program does depends on an outcome in which they differ.
 */
export function simulateStabilizer(
  circuit: Circuit,
  options: { shots: number; maxBytes: number; random: Philox; meter: Meter; tally: Tally; onCourse(): void },
): void {
  const { parts } = circuit;
  const { shots, maxBytes, random, meter, tally, onCourse } = options;
  const { numQubits } = parts;
  const bytes = Tableau.bytes(numQubits);
  if (bytes > maxBytes)
    throw new SimulationError(
      `The program needs a tableau of ${numQubits} qubits, which takes ${formatBytes(bytes)}; at most ${formatBytes(maxBytes)} may be used here.`,
    );
  const draws: DrawCounter = { next: 0 };
  const batch = Math.max(32, 32 * Math.floor(FRAME_BYTES / (8 * Math.max(1, numQubits + parts.numBits))));
  for (let first = 0; first < shots; first += batch) {
    const count = Math.min(batch, shots - first);
    const waiting = [
      new StabilizerCourse(
        { tableau: new Tableau(numQubits), frames: Frames.begin(numQubits, count, random, draws), meter },
        {
          bits: new Uint8Array(parts.numBits),
          flips: new Array(parts.numBits).fill(null),
          slots: new Array(parts.numSlots).fill(0n),
        },
        Uint32Array.from({ length: count }, (_, i) => first + i),
      ),
    ];
    for (let course = waiting.pop(); course; course = waiting.pop()) {
      const stop = run(course, parts, meter);
      if (stop === FINISHED) {
        const ended = course;
        tally.addValues(ended.shots, bit => ended.values(bit), ended.slots);
        onCourse();
      } else waiting.push(...course.split(stop).reverse());
    }
  }
}
