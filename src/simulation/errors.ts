/** Thrown where a program is right but cannot be simulated: too large, over a limit, or at fault while it runs. */
export class SimulationError extends Error {
  override readonly name = "SimulationError";
}

/** Thrown by a simulation whose signal was raised. */
export class CancelledError extends Error {
  override readonly name = "CancelledError";

  constructor() {
    super("The simulation was cancelled.");
  }
}
