import { isBitString, widthOf } from "./outcome.ts";

/** Count or probability of each outcome. Keys are outcomes as the provider writes them. */
export interface Distribution {
  readonly [outcome: string]: number;
}

/** A distribution that is being made. */
export interface MutableDistribution {
  [outcome: string]: number;
}

const known = new WeakMap<Distribution, { outcomes: readonly string[]; total?: number }>();

/** Lists the outcomes of a distribution. Listing 2^20 of them is slow, so the list of a frozen one is kept. */
export function outcomesOf(values: Distribution): readonly string[] {
  const outcomes = known.get(values)?.outcomes ?? Object.keys(values);
  if (!known.has(values) && Object.isFrozen(values)) known.set(values, { outcomes });
  return outcomes;
}

export const sortedOutcomes = (values: Distribution): readonly string[] => outcomesOf(values).toSorted();

/** Freezes a distribution whose outcomes were put in the order of this list. */
export function freezeWithOutcomes(outcomes: readonly string[], values: Distribution): Distribution {
  known.set(values, { outcomes });
  return Object.freeze(values);
}

/** Sets a value under any name, that of an inherited member too. */
export function put<T>(tally: { [outcome: string]: T }, outcome: string, value: T): void {
  if (outcome === "__proto__")
    Object.defineProperty(tally, outcome, { value, enumerable: true, writable: true, configurable: true });
  else tally[outcome] = value;
}

/** The value of an outcome; 0 for an unknown one, even if it is the name of an inherited member. */
export function valueAt(values: Distribution, outcome: string): number {
  const value: unknown = values[outcome];
  return typeof value === "number" ? value : 0;
}

export function add(tally: MutableDistribution, outcome: string, value: number): void {
  put(tally, outcome, valueAt(tally, outcome) + value);
}

/** The sum of all values: the shots, when they are counts. Kept, too, when the distribution is frozen. */
export function totalOf(values: Distribution): number {
  const outcomes = outcomesOf(values);
  const kept = known.get(values);
  const total = kept?.total ?? outcomes.reduce((sum, outcome) => sum + values[outcome]!, 0);
  if (kept) kept.total = total;
  return total;
}

/** Maximum deviation from 1 of a sum of rounded probabilities. */
const maxRounding = 0.02;

/** Describes what is wrong with counts or exact probabilities as a whole; `undefined` for valid ones. */
export function findFault(values: Distribution, areProbabilities: boolean): string | undefined {
  const outcomes = outcomesOf(values);
  const [first] = outcomes;
  if (first === undefined) return undefined;
  const total = totalOf(values);
  if (areProbabilities && !(Math.abs(total - 1) <= maxRounding))
    return `adds up to ${Number(total.toPrecision(4))}, where probabilities add up to 1: give counts, or the other outcomes too.`;
  const other = outcomes.find(outcome => outcome.length !== first.length);
  if (other === undefined || widthOf(other) === widthOf(first) || !outcomes.every(isBitString))
    return undefined;
  return `has outcomes of ${widthOf(first)} and of ${widthOf(other)} bits: write each with all its bits, leading zeros too.`;
}
