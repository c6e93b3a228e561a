import type { Circuit } from "../circuit/circuit.ts";
import { CancelledError, SimulationError } from "../errors.ts";
import { startBudget } from "../execution/budget.ts";
import { FINISHED, run } from "../execution/interpreter.ts";
import type { Method } from "../execution/method.ts";
import { check, type SimulateOptions, type SimulationResult } from "../execution/simulate.ts";
import { Tally } from "../execution/tally.ts";
import { philox } from "../sampling/philox.ts";
import { StateVector } from "../statevector/state-vector.ts";
import { Errors } from "./errors.ts";
import type { NoiseModel } from "./model.ts";
import { type Course, NoisyBranch } from "./noisy-branch.ts";
import { Readout } from "./readout.ts";

/** Courses that wait: of a branch, or without one from the start of the program on. */
interface Waiting {
  readonly branch: NoisyBranch | null;
  readonly courses: Course[];
}

/**
 * Simulates a circuit on the qubits of a noise model: qubit 0 of the program is qubit 0 of the model.
 * Shots share a simulation up to the first error or outcome in which they differ, so that each distinct pattern is
 * simulated once. Qubits that nothing acts on take up no memory.
 * Throws a {@link SimulationError} where the circuit does not fit the model, is too large or over a limit, or where
 * no shots are asked for, and a {@link CancelledError} once the signal is raised.
 */
export function simulateNoisy(
  circuit: Circuit,
  noise: NoiseModel,
  options: Omit<SimulateOptions, "statevector">,
): SimulationResult {
  const {
    shots,
    maxQubits = 24,
    maxBytes = 2 ** 31,
    maxOperations = 1e8,
    maxMilliseconds = 60_000,
  } = options;
  const { parts } = circuit;
  const { classical } = circuit.registers;
  const limits = { maxQubits, maxBytes };
  checkFit(circuit, noise, shots);
  check(circuit, options, limits);
  if (options.signal?.aborted) throw new CancelledError();
  const random = philox(options.seed ?? Math.floor(Math.random() * Number.MAX_SAFE_INTEGER));
  const budget = startBudget({ maxOperations, maxMilliseconds, signal: options.signal });
  const errors = new Errors(noise, parts, shots, random);
  const readout = new Readout(noise, classical, random);
  const begin = (which: Uint32Array) => {
    const state = new StateVector(parts.numQubits, limits, budget);
    const slots = new Array(parts.numSlots).fill(0n);
    return new NoisyBranch(state, parts.numBits, slots, errors.begin(which), { errors, readout, random });
  };

  const tally = new Tally(classical, shots, true);
  const readFrom = new Array<Int32Array>(shots);
  const everyShot = Uint32Array.from({ length: shots }, (_, i) => i);
  const waiting: Waiting[] = [{ branch: null, courses: [{ shots: everyShot, enter: () => {} }] }];
  let waitingBytes = 0;

  for (let next = waiting.at(-1); next; next = waiting.at(-1)) {
    let course = next.courses.pop()!;
    let branch = next.branch ?? begin(course.shots);
    if (next.courses.length === 0) {
      waiting.pop();
      waitingBytes -= next.branch?.state.bytes ?? 0;
    } else branch = branch.fork();
    for (;;) {
      branch.shots = course.shots;
      course.enter(branch);
      const stop = run(branch, parts, budget);
      if (stop === FINISHED) break;
      const courses = branch.coursesAt(stop);
      course = courses.shift()!;
      if (courses.length === 0) continue;
      const { bytes } = branch.state;
      if (waitingBytes + 2 * bytes > maxBytes) {
        for (const other of courses) waiting.push({ branch: null, courses: [{ ...other, enter: () => {} }] });
        continue;
      }
      waiting.push({ branch, courses: courses.reverse() });
      waitingBytes += bytes;
      branch = branch.fork();
    }
    tally.add(branch, random);
    branch.state.release();
    for (const shot of branch.shots) readFrom[shot] = branch.readFrom;
    options.onProgress?.(tally.shotsDone / shots);
  }

  const found = tally.result().measurements!;
  const measurements = found.map((outcome, shot) => readout.outcome(outcome, readFrom[shot]!, shot));
  const counts = new Map<string, number>();
  for (const outcome of measurements) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const measurementCounts = Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  const method: Method = {
    name: "statevector",
    reason: "The device has noise: each pattern of errors that is drawn runs as a state vector.",
  };
  return options.memory ? { measurementCounts, measurements, method } : { measurementCounts, method };
}

function checkFit(circuit: Circuit, noise: NoiseModel, shots: number): void {
  const numQubits = noise.oneQubit.length;
  if (circuit.numQubits > numQubits)
    throw new SimulationError(
      `The program has ${circuit.numQubits} qubits; the device has ${numQubits}${numQubits > 0 ? ` (0 to ${numQubits - 1})` : ""}.`,
    );
  if (shots === 0)
    throw new SimulationError(
      "A run with noise needs at least one shot; for exact probabilities (0 shots) choose a simulator without noise.",
    );
}
