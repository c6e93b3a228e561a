import { processors } from "#host";
import { formatBytes, MemoryLimitError, SimulationError } from "../errors.ts";
import type { Precision, SimulationRequest } from "../execution/simulator.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import type { Matrix } from "../linear-algebra/matrix.ts";
import type { Philox } from "../sampling/philox.ts";

/**
 * An overlap of amplitudes with themselves: the sum over all indices of the amplitude, inverted where its bits at
 * `signs` have odd parity, times the conjugate of that whose bits at `flips` are flipped. It is real, or imaginary where
 * the masks have an odd number of common bits; that part is what counts.
 */
export interface OverlapMasks {
  readonly flips: number;
  readonly signs: number;
}

/**
 * The amplitudes of qubits in superposition. Each qubit has a position, its bit in the index of an amplitude.
 * Controls are given as a mask of positions and the bits that they must have.
 */
export interface Amplitudes {
  /** Number of qubits. */
  readonly numPositions: number;
  /** Bytes that the amplitudes take up. */
  readonly bytes: number;
  /** Adds a qubit in the state 0, at the highest position. */
  addQubit(): void;
  /** Multiplies the pairs of one position by a unitary matrix. */
  matrix(position: number, mask: number, on: number, m: Matrix): void;
  /** Multiplies the amplitudes that are selected by a number: a phase, or the factor of a Kraus operator. */
  phase(mask: number, on: number, re: number, im: number): void;
  /** Returns the probability, not normalised, that the bit at a position is 0 and that it is 1. */
  weights(position: number): { zero: number; one: number };
  /** Keeps the normalised part in which a bit has a value, without that bit, and returns the amplitudes to continue with. */
  project(position: number, value: number): Amplitudes;
  copy(): Amplitudes;
  release(): void;
  /** Returns the probability of each value of the bits at the given positions, the first of them lowest. */
  marginal(positions: readonly number[]): Float64Array;
  /** Draws the given number of indices; equal ones are next to each other. */
  draw(count: number, random: Philox, b: number, stream: number): Uint32Array;
  /** Returns overlaps of the amplitudes, normalised. */
  overlaps(masks: readonly OverlapMasks[]): ArrayLike<number>;
  /** Returns the amplitudes, normalised. */
  planes(): { re: Float64Array; im: Float64Array };
}

/** Returns the positions in a mask, ascending. */
export function positionsIn(mask: number): number[] {
  const positions: number[] = [];
  for (let rest = mask; rest !== 0; rest &= rest - 1) positions.push(31 - Math.clz32(rest & -rest));
  return positions;
}

/** A condition on amplitudes: the bits of the index at `mask` are `on`. */
export interface Condition {
  readonly mask: number;
  readonly on: number;
}

/** The condition that holds for all amplitudes. */
export const ALL: Condition = { mask: 0, on: 0 };

/** Returns a condition with the bit at one more position; null where no amplitude satisfies it. */
export function narrow({ mask, on }: Condition, position: number, value: number): Condition | null {
  const bit = 1 << position;
  const wanted = value << position;
  return mask & bit && (on & bit) !== wanted ? null : { mask: mask | bit, on: on | wanted };
}

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
  threads?: number | undefined;
}

/** Maximum number of qubits of a state vector by default; memory may allow fewer. */
const MAX_DENSE_QUBITS = 30;

/** Returns the options of a state vector that a request leads to. */
export const stateOptionsOf = (
  { shots, maxBytes, precision, threads, ...request }: SimulationRequest,
  maxQubits = request.maxQubits ?? MAX_DENSE_QUBITS,
) => ({ maxQubits, maxBytes, precision: precision ?? (shots > 0 ? "single" : "double"), threads }) as const;

/** Returns the number of threads where none is asked for. */
export const defaultThreads = (): number => Math.min(processors(), 8);

/** A meter that counts nothing. */
export const UNMETERED: Meter = { spend: () => {}, work: () => {} };

/** Space for amplitudes in the 4 GiB that the kernels can address. */
const ADDRESSABLE_BYTES = 2 ** 32 - 2 ** 27;

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
