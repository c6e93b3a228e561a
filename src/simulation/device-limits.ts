import type { Circuit } from "./circuit/circuit.ts";
import { everyStatement, type Statement } from "./circuit/statement.ts";
import { AttemptExceededError, CancelledError, EstimateExceededError } from "./errors.ts";
import { limitAttempt, startBudget } from "./execution/limits.ts";
import type { SimulationRequest } from "./execution/simulator.ts";
import { Tally } from "./execution/tally.ts";
import { mpsSimulator } from "./mps/simulator.ts";
import { errorHazard } from "./noise/trajectories-simulator.ts";
import { AMPLITUDE, LARGE_TENSOR_ENTRY, TRAJECTORY_ERROR, TRAJECTORY_OPERATION } from "./plan/costs.ts";
import { activeQubitCount, operationCount } from "./plan/profile.ts";
import { rankSimulators } from "./plan/rank.ts";
import { philox } from "./sampling/philox.ts";
import type { DeviceFigures } from "./schedule/device-figures.ts";
import { type DeviceOptions, noisyProgramOn } from "./simulate-device.ts";

/** Factors by which an estimated cost may be too high: of straight programs, and of those with choices or loops. */
const MARGIN = 2;
const DYNAMIC_MARGIN = 10;
/** Statements that run once, without a choice. */
const STRAIGHT: ReadonlySet<Statement["kind"]> = new Set(["operations", "store", "assign", "scope"]);
/** The part of the limit of time that the dry run of a trajectory may take. */
const DRY_RUN_SHARE = 0.1;
/** Maximum number of operations of that. */
const MAX_DRY_RUN_OPERATIONS = 2 ** 19;

/**
 * Throws an {@link EstimateExceededError} for a program whose trajectories on a device would take more than the limit of
 * time, by any method: as a state vector by its width, and as a matrix product state by a dry run of one trajectory
 * without errors. Passes where either is within that, or cannot be told.
 */
export function checkDeviceLimits(
  circuit: Circuit,
  device: DeviceFigures,
  { noise: noiseOptions = {}, maxMilliseconds = 60_000, ...options }: DeviceOptions,
): void {
  const { shots, precision, maxQubits, maxBytes = 2 ** 31, maxBondDimension, signal } = options;
  if (signal?.aborted) throw new CancelledError();
  if (circuit.numQubits > device.qubits.length || shots === 0) return;
  if (isSmall(circuit, shots, maxMilliseconds)) return;
  const { noisy, model } = noisyProgramOn(circuit, device, shots, noiseOptions);
  const request: SimulationRequest = {
    ...{ shots, noise: model, statevector: false, observables: [] },
    ...{ precision, maxQubits, maxBytes, maxBondDimension },
  };
  const { best } = rankSimulators(noisy, request);
  const hazard = errorHazard(noisy, model);
  const trajectories = Math.max(1, shots * shareAfterError(hazard));
  const dense =
    ((best?.microseconds ?? Number.POSITIVE_INFINITY) / 1000) *
    (best?.simulator.runsEachShot ? trajectories / shots : 1);
  const runsOnce = isStraight(noisy);
  if (best && dense <= (runsOnce ? MARGIN : DYNAMIC_MARGIN) * maxMilliseconds) return;

  const [usedQubits, gates] = [activeQubitCount(noisy), operationCount(noisy)];
  const handling = runsOnce
    ? (gates * TRAJECTORY_OPERATION + hazard * usedQubits * TRAJECTORY_ERROR) / 1000
    : 0;
  const left = maxMilliseconds / trajectories - handling;
  const remedy = "Run fewer shots, fewer layers of two-qubit gates or fewer qubits.";
  const many = `${shots.toLocaleString("en-US")} shots`;
  if (left <= 0) {
    const seconds = (best ? dense : trajectories * handling) / 1000;
    throw new EstimateExceededError(
      `The program is too long to be simulated with noise: ${gates.toLocaleString("en-US")} operations and delays on ${usedQubits} qubits, with about ${rounded(hazard)} errors, take about ${rounded((1000 * seconds) / shots)} ms a shot, and ${many} about ${rounded(seconds)} s. ${remedy}`,
    );
  }
  if (left > DRY_RUN_SHARE * maxMilliseconds) return;
  const bondDimension = bondDimensionWithin(noisy, request, 1000 * left, signal);
  if (bondDimension === undefined) return;
  const asDense = best ? `, and as a ${best.simulator.name} simulation about ${rounded(dense / 1000)} s` : "";
  throw new EstimateExceededError(
    `The program is too entangled to be simulated with noise: on ${usedQubits} qubits the bonds of its matrix product state grow to at least ${bondDimension.toLocaleString("en-US")} Schmidt values, so that ${many} would take more than ${rounded(maxMilliseconds / 1000)} s${asDense}. ${remedy}`,
  );
}

const isStraight = ({ parts }: Circuit): boolean =>
  everyStatement(parts.body, ({ kind }) => STRAIGHT.has(kind));

/** Whether there is time to simulate each shot for itself as a state vector, with as much noise as there are operations. */
function isSmall(circuit: Circuit, shots: number, milliseconds: number): boolean {
  const ofOperation = (TRAJECTORY_OPERATION + 2 ** activeQubitCount(circuit) * AMPLITUDE) / 1000;
  return isStraight(circuit) && 2 * operationCount(circuit) * ofOperation * shots <= milliseconds;
}

const rounded = (value: number): string => value.toLocaleString("en-US", { maximumSignificantDigits: 2 });

/** Returns the expected share of a shot after its first error, which is simulated only for this shot. */
const shareAfterError = (hazard: number): number =>
  hazard > 0 ? Math.max(0, 1 + Math.expm1(-hazard) / hazard) : 0;

/**
 * Returns the bond dimension that an error-free shot reaches as a matrix product state within a cost limit, if it does not
 * finish by then; undefined if it finishes, or exceeds another limit.
 */
function bondDimensionWithin(
  circuit: Circuit,
  request: SimulationRequest,
  microseconds: number,
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
      meter: limitAttempt(budget, {
        microseconds,
        cost: { operation: 0, number: LARGE_TENSOR_ENTRY },
        extend: () => 0,
      }),
      tally: new Tally(circuit.registers.classical, { shots: 1, keepsMemory: false, variables: [] }),
      readout: null,
      onExpectations() {},
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
