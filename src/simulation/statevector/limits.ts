import { processors } from "#host";
import { formatBytes, MemoryLimitError, SimulationError } from "../errors.ts";
import type { Precision } from "../execution/simulator.ts";
import type { Meter } from "../interpreter/execution-state.ts";

/** Limits of a state. */
interface StateLimits {
  /** Maximum number of qubits in superposition at a time. */
  maxQubits: number;
  /** Maximum number of bytes of amplitudes. */
  maxBytes: number;
  /** Precision of states of 13 qubits and more; smaller ones are always kept in double precision. Default: "single". */
  precision?: Precision;
}

/** Options for computing a state vector. */
export interface StateOptions extends StateLimits {
  /** Maximum number of threads. Results are the same for any number. Default: as many as the machine has cores, at most 8. */
  threads?: number;
}

/** Returns the number of threads where none is asked for. */
export const defaultThreads = (): number => Math.min(processors(), 8);

/** A meter that counts nothing. */
export const UNMETERED: Meter = { spend: () => {}, work: () => {} };

/** Space for amplitudes in the 4 GiB that the kernels can address. */
const ADDRESSABLE_BYTES = 2 ** 32 - 2 ** 27;

/** Returns the bytes of a state of the given number of qubits. */
export const bytesOfState = (qubits: number, precision: StateLimits["precision"] = "single"): number =>
  (precision === "single" ? 8 : 16) * 2 ** qubits;

/** Throws a {@link SimulationError} where a state of the given number of qubits is over a limit, before any of it is allocated. */
export function checkMemory(
  qubits: number,
  { maxQubits, maxBytes, precision = "single" }: StateLimits,
): void {
  const bytes = bytesOfState(qubits, precision);
  const room = Math.min(maxBytes, ADDRESSABLE_BYTES);
  if (qubits > maxQubits && bytesOfState(maxQubits, precision) <= room)
    throw new SimulationError(
      `The program needs a state of ${qubits} qubits, which takes ${formatBytes(bytes)}; at most ${maxQubits} qubits (${formatBytes(bytesOfState(maxQubits, precision))}) are simulated here.`,
    );
  if (bytes > room)
    throw new MemoryLimitError(
      `The program needs a state of ${qubits} qubits, which takes ${formatBytes(bytes)}; at most ${formatBytes(room)} may be used here.`,
      bytes,
    );
}

/** Returns the maximum number of qubits of a state within limits. */
export function maxFittingQubits({ maxQubits, maxBytes, precision = "single" }: StateLimits): number {
  return Math.min(
    maxQubits,
    Math.floor(Math.log2(Math.min(maxBytes, ADDRESSABLE_BYTES) / bytesOfState(0, precision))),
  );
}
