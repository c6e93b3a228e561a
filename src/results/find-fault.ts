import { type Distribution, outcomesOf, totalOf } from "./distribution.ts";
import { isBitString, widthOf } from "./outcome.ts";

/** Maximum deviation from 1 of a sum of rounded probabilities. */
const maxRounding = 0.02;

/** Says what is wrong with counts or exact probabilities as a whole; `undefined` for what may be. */
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
