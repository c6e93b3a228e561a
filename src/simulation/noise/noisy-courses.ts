import type { CircuitParts } from "../circuit/circuit.ts";
import { SimulationError } from "../errors.ts";
import type { QuantumState } from "../execution/quantum-state.ts";
import type { Tally } from "../execution/tally.ts";
import { link } from "../interpreter/link.ts";
import type { Meter } from "../interpreter/meter.ts";
import { FINISHED, run } from "../interpreter/run.ts";
import { formatBytes } from "../statevector/limits.ts";
import type { Course, Noise } from "./course.ts";
import { NoisyBranch } from "./noisy-branch.ts";

const MAX_EXACT_COURSES = 2 ** 16;

/** What a run of courses works with. */
export interface CourseRun {
  /** How many shots there are; 0 for exact probabilities. */
  readonly shots: number;
  /** Most bytes of the states that wait. */
  readonly maxBytes: number;
  readonly noise: Noise;
  readonly meter: Meter;
  readonly tally: Tally<NoisyBranch>;
  /** Makes the state that the program begins with. */
  begin(): QuantumState;
  /** Is called at the end of each course. */
  onCourse(): void;
}

/** Courses that wait: of a branch, or without one from the start of the program on. */
interface Waiting {
  readonly branch: NoisyBranch | null;
  readonly courses: Course[];
}

/**
 * Runs a program under noise: one run for all shots, which part at the first error or outcome in which they differ, so
 * that each distinct course runs once from there on.
 */
export function simulateCourses(parts: CircuitParts, options: CourseRun): void {
  const { shots, maxBytes, noise, meter, tally } = options;
  const program = link(parts);
  const begin = (which: Uint32Array | null) =>
    new NoisyBranch(
      options.begin(),
      parts.numBits,
      new Array(parts.numSlots).fill(0n),
      which && noise.errors ? noise.errors.begin(which) : which,
      noise,
    );
  const everyShot = shots > 0 ? Uint32Array.from({ length: shots }, (_, i) => i) : null;
  const waiting: Waiting[] = [{ branch: null, courses: [{ shots: everyShot, share: 1, enter: () => {} }] }];
  using _leftovers = {
    [Symbol.dispose]() {
      for (const { branch } of waiting) branch?.[Symbol.dispose]();
    },
  };
  let waitingBytes = 0;
  let courseCount = 1;

  for (let next = waiting.at(-1); next; next = waiting.at(-1)) {
    let course = next.courses.pop()!;
    let branch = next.branch ?? begin(course.shots);
    if (next.courses.length === 0) {
      waiting.pop();
      waitingBytes -= next.branch?.state.bytes ?? 0;
    } else branch = branch.fork();
    using _state = { [Symbol.dispose]: () => branch[Symbol.dispose]() };
    for (;;) {
      branch.shots = course.shots;
      branch.weight *= course.share;
      course.enter(branch);
      const stop = run(branch, program, meter);
      if (stop === FINISHED) break;
      const courses = branch.coursesAt(stop);
      course = courses.shift()!;
      if (courses.length === 0) continue;
      courseCount += courses.length;
      const { bytes } = branch.state;
      const fits = waitingBytes + 2 * bytes <= maxBytes;
      if (!branch.shots && (!fits || courseCount > MAX_EXACT_COURSES))
        throw new SimulationError(
          `The program takes too many different courses for an exact run (more than ${Math.min(courseCount, MAX_EXACT_COURSES).toLocaleString("en-US")}, of ${formatBytes(bytes)} each); ask for shots instead.`,
        );
      if (fits) {
        waiting.push({ branch, courses: courses.reverse() });
        waitingBytes += bytes;
        branch = branch.fork();
      } else
        for (const other of courses)
          waiting.push({ branch: null, courses: [{ ...other, share: 1, enter: () => {} }] });
    }
    tally.add(branch, noise.random);
    options.onCourse();
  }
}
