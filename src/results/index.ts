export { likeliestOutcomes, shareOf, unionOfOutcomes, withOutcomes } from "./batch.ts";
export { numberedCounts, probabilitiesOf, withZeros } from "./counts.ts";
export { type Distances, distancesOf, entropyOf } from "./distance.ts";
export {
  type Distribution,
  findFault,
  freezeWithOutcomes,
  type MutableDistribution,
  outcomesOf,
  put,
  totalOf,
  valueAt,
} from "./distribution.ts";
export {
  type Expectation,
  type ExpectationOptions,
  exactExpectation,
  expectationOf,
  simulatedExpectation,
} from "./expectation.ts";
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
export {
  areBitStrings,
  compareOutcomes,
  hammingDistance,
  isBitString,
  numberOf,
  removeSpaces,
  toBitStrings,
  widthOf,
} from "./outcome.ts";
export {
  isObservable,
  matrixOfMeans,
  type Observable,
  type PauliTerm,
  pauliStringsOn,
  pauliSumOf,
  readObservable,
  stateExpectation,
} from "./pauli.ts";
export { areReversedShots, countOutcomes, reverseSymbols, shotOutcome } from "./shots.ts";
export { compareEnergies, parseNumber, readSolution, type Solution } from "./solutions.ts";
export {
  columnsOf,
  csvField,
  type OutcomeRow,
  outcomeRows,
  outcomesCsv,
  type Row,
  rowsToCsv,
  type Scalar,
} from "./table.ts";
export { type Outcome, type TopOutcomes, topOutcomes } from "./top.ts";
