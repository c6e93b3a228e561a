import type { MethodName } from "./methods/index.ts";

/** Thrown where a program is right but cannot be simulated: too large, over a limit, or at fault while it runs. */
export class SimulationError extends Error {
  override name = "SimulationError";
}

/** Thrown by a classical expression that has no value; `at` is the offset of the fault in the source. */
export class EvaluationError extends Error {
  override name = "EvaluationError";
  readonly at: number | undefined;

  constructor(message: string, at: number | undefined) {
    super(message);
    this.at = at;
  }
}

/** Thrown where a method cannot simulate a program that other methods can. */
export class UnsupportedMethodError extends SimulationError {
  override name = "UnsupportedMethodError";
  /** Methods that can. */
  readonly methods: readonly MethodName[];

  constructor(message: string, methods: readonly MethodName[]) {
    super(message);
    this.methods = methods;
  }

  /** Returns the error with the place of the gate that is at fault, where it is known. */
  at(place: string): UnsupportedMethodError {
    return place ? new UnsupportedMethodError(`${place}: ${this.message}`, this.methods) : this;
  }
}

/** Thrown where a program needs more memory than it may use. */
export class MemoryLimitError extends SimulationError {
  override name = "MemoryLimitError";
  /** Minimum number of bytes that it needs, if that is known. */
  readonly requiredBytes: number | undefined;

  constructor(message: string, requiredBytes?: number) {
    super(message);
    this.requiredBytes = requiredBytes;
  }
}

/** Beginning of a loop, and whether the loop is counted and therefore ends. */
export interface LoopPlace {
  readonly place: string;
  readonly isCounted: boolean;
}

/** Thrown where a run is over its limit of time or operations. */
export class LimitExceededError extends SimulationError {
  override name = "LimitExceededError";
  readonly #isOfAnother: boolean;

  /** `isOfAnother` says that another attempt had come farther, so it is of no use where this one was. */
  constructor(message: string, isOfAnother = false) {
    super(message);
    this.#isOfAnother = isOfAnother;
  }

  /** Returns the error with the place where the run was, and the loop around it, if there is one. */
  within(place: string, loop: LoopPlace | undefined): LimitExceededError {
    if (this.#isOfAnother || /^(?:.+:)?\d+:\d+: /.test(this.message)) return this;
    if (loop)
      return new LimitExceededError(
        `${loop.place}: ${this.message} It was in the loop that begins here${loop.isCounted ? "." : "; does that end?"}`,
      );
    return place ? new LimitExceededError(`${place}: ${this.message} It had come to this operation.`) : this;
  }
}

/** Thrown before a run that is estimated to be far over its limit of time. */
export class EstimateExceededError extends LimitExceededError {
  override name = "EstimateExceededError";
}

/** Thrown where an attempt with a method takes more than it was given, so another is tried. */
export class AttemptExceededError extends SimulationError {
  override name = "AttemptExceededError";
}

/** Thrown by a simulation whose signal was raised. */
export class CancelledError extends Error {
  override name = "CancelledError";

  constructor() {
    super("The simulation was cancelled.");
  }
}

/** Writes a number of bytes with the unit that suits it. */
export function formatBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  const unit = Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const value = bytes / 1024 ** unit;
  return `${value >= 1e6 ? value.toExponential(1) : Math.round(value * 10) / 10} ${units[unit]}`;
}
