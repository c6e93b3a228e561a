export {
  decimalCounts,
  normalizeCounts,
  probabilitiesOf,
  registerWidth,
  totalOf,
  withZeros,
} from "./counts.ts";
export { hellingerDistance, totalVariation } from "./distance.ts";
export { type Interval, wilsonInterval } from "./interval.ts";
export {
  bitStringOf,
  compareOutcomes,
  type Distribution,
  decimalOf,
  isBitString,
  widthOf,
} from "./outcome.ts";
export { type Outcome, type TopOutcomes, topOutcomes } from "./top.ts";
