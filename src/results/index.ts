export { likeliestOutcomes, shareOf, unionOfOutcomes, withOutcomes } from "./batch.ts";
export { numberedCounts, probabilitiesOf, withZeros } from "./counts.ts";
export { csvField, outcomesCsv } from "./csv.ts";
export { type Distances, distancesOf } from "./distance.ts";
export {
  type Distribution,
  freezeWithOutcomes,
  type MutableDistribution,
  outcomesOf,
  put,
  totalOf,
  valueAt,
} from "./distribution.ts";
export { entropyOf } from "./entropy.ts";
export {
  type Expectation,
  type ExpectationOptions,
  exactExpectation,
  expectationOf,
  simulatedExpectation,
} from "./expectation.ts";
export { findFault } from "./find-fault.ts";
export {
  type Accuracy,
  type Interval,
  intervalLabel,
  intervalRule,
  intervalsOf,
  intervalWords,
  isExactly,
} from "./interval.ts";
export { type Layout, layoutOf, locate, mapOutcomes, positionsOf, type Register, select } from "./layout.ts";
export { linspace } from "./linspace.ts";
export { areReversedCounts } from "./mirror.ts";
export { areBitStrings, toBitStrings } from "./numeric-keys.ts";
export { compareOutcomes, hammingDistance, isBitString, numberOf, removeSpaces, widthOf } from "./outcome.ts";
export { type OutcomeRow, outcomeRows } from "./outcome-rows.ts";
export { parseNumber } from "./parse-number.ts";
export { isObservable, type Observable, type PauliTerm, readObservable } from "./pauli.ts";
export { matrixOfMeans, pauliStringsOn, pauliSumOf } from "./pauli-matrix.ts";
export { stateExpectation } from "./pauli-state.ts";
export { areReversedShots, countOutcomes, reverseSymbols, shotOutcome } from "./shots.ts";
export { compareEnergies, readSolution, type Solution } from "./solutions.ts";
export { columnsOf, type Row, rowsToCsv, type Scalar } from "./table.ts";
export { type Outcome, type TopOutcomes, topOutcomes } from "./top.ts";
