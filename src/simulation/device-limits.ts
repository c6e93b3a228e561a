import type { Circuit } from "./circuit/circuit.ts";
import { AttemptExceededError, CancelledError, EstimateExceededError } from "./errors.ts";
import { limitAttempt, startBudget } from "./execution/budget.ts";
import { profileOf } from "./execution/profile.ts";
import type { SimulationRequest } from "./execution/simulator.ts";
import { Tally } from "./execution/tally.ts";
import { mpsSimulator } from "./mps/simulator.ts";
import { errorHazard } from "./noise/trajectories-simulator.ts";
import { rankSimulators } from "./registry.ts";
import { philox } from "./sampling/philox.ts";
import type { DeviceFigures } from "./schedule/device-figures.ts";
import { type DeviceOptions, gateNoiseOf } from "./simulate-device.ts";

/** How many times the limit of time an estimate must exceed before a program is refused. */
const MARGIN = 10;
/** Maximum numbers of milliseconds and operations of the dry run that estimates a trajectory. */
const MAX_DRY_RUN_MS = 10_000;
const MAX_DRY_RUN_OPERATIONS = 2 ** 19;
/** Qubits up to which any program is left to run. */
const NARROW = 16;

/**
 * Throws an {@link EstimateExceededError} for a program whose trajectories on a device would take more than ten times the
 * limit of time, by any method: as a state vector by its width, and as a matrix product state by a dry run of one
 * trajectory without errors. Passes where either is within that, or cannot be told.
 */
export function checkDeviceLimits(
  circuit: Circuit,
  device: DeviceFigures,
  { noise: noiseOptions = {}, maxMilliseconds = 60_000, maxBytes = 2 ** 31, ...options }: DeviceOptions,
): void {
  const { shots, precision, maxQubits, maxBondDimension, signal } = options;
  const { usedQubits, isClifford } = profileOf(circuit);
  if (usedQubits <= NARROW || circuit.numQubits > device.qubits.length || isClifford || shots === 0) return;
  const noise = gateNoiseOf(device, noiseOptions);
  const trajectories = shots * shareAfterError(errorHazard(circuit, noise));
  const milliseconds = (MARGIN * maxMilliseconds) / trajectories;
  if (milliseconds > MAX_DRY_RUN_MS) return;
  const request: SimulationRequest = {
    shots,
    noise,
    statevector: false,
    observables: [],
    precision,
    maxQubits,
    maxBytes,
    maxBondDimension,
    threads: undefined,
  };
  const { best, operations } = rankSimulators(circuit, request);
  if (best && operations / 1000 <= MARGIN * maxMilliseconds) return;
  const maxNumbers = (milliseconds * 1e6) / mpsSimulator.nanosecondsOfNumber!;
  const bondDimension = bondDimensionWithin(circuit, request, maxNumbers, signal);
  if (bondDimension === undefined) return;
  const seconds = (count: number) => `${count.toLocaleString("en-US", { maximumSignificantDigits: 2 })} s`;
  const dense = best ? `, and as a ${best.name} simulation about ${seconds(operations / 1e6)}` : "";
  throw new EstimateExceededError(
    `The program is too entangled to be simulated with noise: on ${usedQubits} qubits the bonds of its matrix product state grow to at least ${bondDimension.toLocaleString("en-US")} Schmidt values, so that ${shots.toLocaleString("en-US")} shots would take more than ${seconds((MARGIN * maxMilliseconds) / 1000)}${dense}. Run fewer layers of two-qubit gates, fewer qubits or fewer shots.`,
  );
}

/** Returns the expected share of a shot that comes after its first error, and is simulated for this shot alone. */
const shareAfterError = (hazard: number): number =>
  hazard > 0 ? Math.max(0, 1 + Math.expm1(-hazard) / hazard) : 0;

/**
 * Returns the bond dimension that a shot without errors has come to as a matrix product state where so many numbers do
 * not do for it; undefined where they do, or another limit ends it.
 */
function bondDimensionWithin(
  circuit: Circuit,
  request: SimulationRequest,
  maxNumbers: number,
  signal: DeviceOptions["signal"],
): number | undefined {
  const random = philox(0);
  const budget = startBudget({
    maxOperations: MAX_DRY_RUN_OPERATIONS,
    maxMilliseconds: Number.POSITIVE_INFINITY,
    signal,
  });
  let bondDimension = 1;
  try {
    mpsSimulator.run(circuit, {
      ...request,
      shots: 1,
      noise: null,
      random,
      meter: limitAttempt(budget, maxNumbers),
      tally: new Tally(circuit.registers.classical, { shots: 1, keepsMemory: false, variables: [] }),
      onBranchEnd() {},
      onExpectations() {},
      onBytes() {},
      onTruncation(truncation) {
        bondDimension = truncation.bondDimension;
      },
    });
  } catch (error) {
    if (error instanceof CancelledError) throw error;
    if (error instanceof AttemptExceededError) return bondDimension;
  }
  return undefined;
}
