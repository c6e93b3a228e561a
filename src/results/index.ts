export { likeliestOutcomes, shareOf, unionOfOutcomes, withOutcomes } from "./batch.ts";
export { numberedCounts, probabilitiesOf, withZeros } from "./counts.ts";
export { outcomesCsv } from "./csv.ts";
export { numberFrom } from "./decimal.ts";
export { type Distances, distancesOf } from "./distance.ts";
export {
  type Distribution,
  freezeAs,
  outcomesOf,
  put,
  type Tally,
  totalOf,
  valueAt,
} from "./distribution.ts";
export { entropyOf } from "./entropy.ts";
export { type Expectation, type ExpectationOptions, exactly, expectationOf } from "./expectation.ts";
export { faultOf } from "./faults.ts";
export { type Interval, intervalsOf, wilsonInterval } from "./interval.ts";
export { type Layout, layoutOf, locate, positionsOf, type Register, regroup, select } from "./layout.ts";
export { linspace } from "./linspace.ts";
export { isMirrored } from "./mirror.ts";
export { areBitStrings, toBitStrings } from "./numeric-keys.ts";
export { compact, compareOutcomes, hammingDistance, isBitString, numberOf, widthOf } from "./outcome.ts";
export { type OutcomeRow, outcomeRows } from "./outcome-rows.ts";
export { type Observable, type PauliTerm, readObservable } from "./pauli.ts";
export { stateExpectation } from "./pauli-state.ts";
export { areMirrored, mirror, shotOutcome, tally } from "./shots.ts";
export { compareEnergies, readSolution, type Solution } from "./solutions.ts";
export { columnsOf, type Row, rowsToCsv, type Scalar } from "./table.ts";
export { type Outcome, type TopOutcomes, topOutcomes } from "./top.ts";
