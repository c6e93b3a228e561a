import { availableMemory } from "#host";
import { type Observable, readObservable } from "../../results/index.ts";
import {
  activeQubitCount,
  type Circuit,
  checkDeviceLimits,
  isClifford,
  noiseModelOfRules,
  type PauliSum,
  type SimulateOptions,
  SimulationError,
  type SimulationResult,
  simulate,
  simulateDevice,
  simulateNoisy,
  UnsupportedMethodError,
  uniformNoise,
} from "../../simulation/index.ts";
import { type Engine, IDEAL_METHODS, type RunTask, type Simulator } from "./messages.ts";

/** Conditions under which an engine runs programs. */
const CONDITIONS: Readonly<Partial<Record<Engine, string>>> = {
  sparse: "while few amplitudes are not zero",
  tensor: "while the qubits are little entangled",
  automatic: "if one of its methods can hold its state",
};

/** The machine's free memory: asking the system takes longer than a small program, and there may be thousands. */
let free = { bytes: 0, until: 0 };

/** Maximum bytes of amplitudes: those of the limit, at most half of the machine's free memory. */
function memory(limit: number): number {
  const now = performance.now();
  if (now > free.until) free = { bytes: availableMemory(), until: now + 50 };
  return Math.min(limit, Math.floor(free.bytes / 2));
}

/** Simulates a program in the way of the task's device. What another device would take is refused with its name. */
export function simulateOn(task: RunTask, circuit: Circuit, control: RunControl): SimulationResult {
  try {
    return simulateAs(task, circuit, control);
  } catch (error) {
    if (!(error instanceof UnsupportedMethodError)) throw error;
    throw new SimulationError(`${error.message}${suggestDevices(error, activeQubitCount(circuit), task)}`);
  }
}

/** Method for programs wider than the noise simulator's state vectors; truncates nothing. */
const WIDE_NOISE = { method: "matrix product state", maxBondDimension: 4096 } as const;

type RunControl = Pick<SimulateOptions, "seed" | "signal" | "onProgress" | "maxMilliseconds">;

/** Throws for a program that an emulated QPU could not simulate within many times the job's limit of time. */
export function checkEstimate(task: RunTask, circuit: Circuit, signal: RunControl["signal"]): void {
  const { noise, limits } = task;
  if (!noise || !("figures" in noise)) return;
  const options = optionsOf(task, { signal, maxMilliseconds: limits.seconds * 1000 });
  checkDeviceLimits(circuit, noise.figures, { ...options, noise: noise.options });
}

const optionsOf = (
  { shots, memory: keepsMemory, statevector, precision, maxBondDimension, limits }: RunTask,
  control: RunControl,
) => ({
  shots,
  memory: keepsMemory,
  statevector: statevector === true,
  maxBytes: memory(limits.bytes),
  maxOperations: limits.operations,
  ...control,
  ...(precision ? { precision } : {}),
  ...(maxBondDimension ? { maxBondDimension } : {}),
});

/** Qubits up to which an exact run gives its state unasked. */
const MAX_UNASKED_QUBITS = 10;
/** Amplitudes that the programs of a job give unasked. */
const MAX_UNASKED_AMPLITUDES = 2 ** 16;

/** Whether the state of an exact run is given without being asked for. */
const givesState = ({ shots, statevector, programs, device }: RunTask, { numQubits }: Circuit): boolean =>
  shots === 0 &&
  statevector === undefined &&
  numQubits <= MAX_UNASKED_QUBITS &&
  programs.length * 2 ** numQubits <= MAX_UNASKED_AMPLITUDES &&
  IDEAL_METHODS[device.engine]!.includes("statevector");

function simulateAs(task: RunTask, circuit: Circuit, control: RunControl): SimulationResult {
  const { device, noise, precision } = task;
  const options = optionsOf(task, control);
  if (noise && "figures" in noise)
    return simulateDevice(circuit, noise.figures, { ...options, noise: noise.options });
  const isWide = activeQubitCount(circuit) > device.numberQubits;
  const takesAnyWidth = noise && device.engine !== "density";
  if (!takesAnyWidth) checkWidth(circuit, device);
  const observables = readObservables(task.observables, circuit.numQubits);
  const maxQubits = device.numberQubits;
  if (noise) {
    const model =
      "rules" in noise
        ? noiseModelOfRules(noise.rules, circuit.numQubits)
        : uniformNoise(noise.uniform, circuit.numQubits);
    const fixed = device.engine === "density" ? ({ method: "density matrix" } as const) : {};
    const width = isWide && !isClifford(circuit) ? WIDE_NOISE : { maxQubits };
    return simulateNoisy(circuit, model, { ...width, ...options, observables, ...fixed });
  }
  const methods = IDEAL_METHODS[device.engine]!;
  const isFixed = methods.length === 1 || (precision !== undefined && device.engine === "statevector");
  return simulate(circuit, {
    ...options,
    ...(givesState(task, circuit) && { statevector: "if single" }),
    observables,
    maxQubits,
    ...(isFixed ? { method: methods[0]! } : { methods }),
  });
}

/** Throws for a program that acts on more qubits than the device has; idle ones do not count. */
function checkWidth(circuit: Circuit, { qrn, numberQubits }: Simulator): void {
  const used = activeQubitCount(circuit);
  if (used <= numberQubits) return;
  throw new UnsupportedMethodError(
    `The program acts on ${used.toLocaleString("en-US")} qubits; ${qrn} has ${numberQubits.toLocaleString("en-US")}.`,
    ["statevector", isClifford(circuit) ? "stabilizer" : "matrix product state", "sparse"],
  );
}

/** Returns which simulators take a program that this device does not take. */
function suggestDevices(
  { methods }: UnsupportedMethodError,
  usedQubits: number,
  { device, others }: RunTask,
): string {
  const wide = others.filter(({ numberQubits }) => usedQubits <= numberQubits);
  const noisy = wide.filter(({ engine }) => engine === "noisy" && device.engine === "density");
  const suited =
    noisy.length > 0
      ? noisy
      : wide.filter(({ engine }) => IDEAL_METHODS[engine]?.some(method => methods.includes(method)));
  const names = suited.map(({ qrn, engine }) => (CONDITIONS[engine] ? `${qrn} ${CONDITIONS[engine]}` : qrn));
  return names.length > 0 ? ` It runs on ${names.join(", or on ")}.` : "";
}

/** Reads the observables of a run; throws a SimulationError for one that does not fit a program of the given number of qubits. */
function readObservables(observables: readonly Observable[], numQubits: number): PauliSum[] {
  const qubits = Array.from({ length: numQubits }, (_, qubit) => qubit);
  return observables.map((observable, index) => {
    try {
      return readObservable(observable, qubits, "qubits").map(({ coefficient, factors }) => ({
        coefficient,
        string: Array.from(factors, ([qubit, pauli]) => ({ qubit, pauli })),
      }));
    } catch (error) {
      if (error instanceof RangeError) throw new SimulationError(`observables[${index}]: ${error.message}`);
      throw error;
    }
  });
}
