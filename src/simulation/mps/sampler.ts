import { checkOutcomeCount, type Sampler } from "../execution/quantum-state.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import { Trials } from "../sampling/draws.ts";
import { triangularFactor } from "./factorizations.ts";
import type { TensorChain } from "./tensor-chain.ts";
import { identity, multiply, reshape, squaredNorm, type TensorMatrix, zeros } from "./tensor-matrix.ts";

/** An outcome that is less likely than this is not listed. */
const ROUNDING = 1e-14;
/** Numbers that are touched in the time in which a prefix is handled at a site. */
const PREFIX_OVERHEAD = 50;

/** Values that were found at the sites before one. */
interface Prefix {
  readonly site: number;
  /** The values, 32 bits to a word. */
  readonly values: readonly number[];
  /** The shots, or the probability, of the outcomes that begin with them. */
  readonly share: number;
  /** Rows that make the state of the sites that are left, summed over the values that nobody asks for. */
  readonly rest: TensorMatrix;
}

/** Makes a sampler of the values of some sites. */
export function chainSampler(chain: TensorChain, sites: readonly number[], meter: Meter): Sampler {
  const asked = new Set(sites);
  const first = sites.length > 0 ? Math.min(...sites) : 0;
  const end = sites.length > 0 ? Math.max(...sites) + 1 : 0;
  const words = Math.max(1, Math.ceil((end - first) / 32));
  /** The values of the outcomes, one after the other. */
  let found: number[] = [];

  /** Visits each outcome with its part of a share: a number of shots that trials decide, or a probability without them. */
  function visitOutcomes(
    all: number,
    trials: Trials | null,
    visit: (outcome: number, share: number) => void,
  ): void {
    found = [];
    const least = trials ? 0 : ROUNDING;
    const open: Prefix[] = [
      { site: first, values: new Array(words).fill(0), share: all, rest: stateBefore(chain, first) },
    ];
    for (let prefix = open.pop(); prefix; prefix = open.pop()) {
      const { site, values, share } = prefix;
      if (site === end) {
        found.push(...values);
        visit(found.length / words - 1, share);
        continue;
      }
      const tensor = chain.tensor(site);
      const rest =
        trials && share === 1 && prefix.rest.rows > 1 ? pureState(prefix.rest, trials) : prefix.rest;
      meter.work(rest.rows * tensor.re.length + PREFIX_OVERHEAD, 0);
      const product = multiply(rest, tensor);
      if (!asked.has(site)) {
        open.push({ ...prefix, site: site + 1, rest: triangularFactor(reshape(product, 2 * product.rows)) });
        continue;
      }
      const [none, one] = [weightOf(product, 0), weightOf(product, 1)];
      const probability = one / (none + one);
      const ones = trials ? trials.successes(share, probability) : share * probability;
      const place = site - first;
      if (ones > least) {
        const next = values.with(place >> 5, values[place >> 5]! | (1 << (place & 31)));
        open.push({ site: site + 1, values: next, share: ones, rest: projected(product, 1, one) });
      }
      if (share - ones > least)
        open.push({ site: site + 1, values, share: share - ones, rest: projected(product, 0, none) });
    }
  }

  return {
    draw(count, random, b, stream) {
      const outcomes = new Uint32Array(count);
      let drawn = 0;
      if (count > 0)
        visitOutcomes(count, new Trials(random.sequence(b, stream)), (outcome, shots) => {
          outcomes.fill(outcome, drawn, drawn + shots);
          drawn += shots;
        });
      return outcomes;
    },
    each(visit) {
      const probabilities: number[] = [];
      visitOutcomes(1, null, (outcome, probability) => {
        checkOutcomeCount(outcome + 1);
        probabilities.push(probability);
      });
      probabilities.forEach((probability, outcome) => {
        visit(outcome, probability);
      });
    },
    value(outcome, place) {
      const at = sites[place]! - first;
      return (found[outcome * words + (at >> 5)]! >>> (at & 31)) & 1;
    },
  };
}

/** Returns a matrix whose rows make the state of the sites from one on, summed over the values of those before it. */
function stateBefore(chain: TensorChain, site: number): TensorMatrix {
  chain.moveCentre(Math.max(0, site - 1));
  if (site === 0) return identity(1);
  const before = chain.tensor(site - 1);
  return triangularFactor(reshape(before, 2 * before.rows));
}

/** Returns the squared norm of the columns of a product with a tensor that belong to a value of its site. */
function weightOf({ columns, re, im }: TensorMatrix, value: number): number {
  const width = columns / 2;
  let sum = 0;
  for (let from = value * width; from < re.length; from += columns)
    for (let i = from; i < from + width; i++) sum += re[i]! * re[i]! + im[i]! * im[i]!;
  return sum;
}

/** Returns these columns, which have this weight, normalized. */
function projected({ rows, columns, re, im }: TensorMatrix, value: number, weight: number): TensorMatrix {
  const width = columns / 2;
  const out = zeros(rows, width);
  const factor = 1 / Math.sqrt(weight);
  for (let from = value * width, at = 0; from < re.length; from += columns)
    for (let i = from; i < from + width; i++, at++) {
      out.re[at] = re[i]! * factor;
      out.im[at] = im[i]! * factor;
    }
  return out;
}

/** Unravels the mixed state of a single shot: it continues in one pure state, drawn by its weight, which takes one row. */
function pureState({ rows, columns, re, im }: TensorMatrix, trials: Trials): TensorMatrix {
  let row = 0;
  const rowPart = (parts: Float64Array) => parts.subarray(row * columns, (row + 1) * columns);
  let others = squaredNorm({ rows, columns, re, im });
  for (; ; row++) {
    const pure = { rows: 1, columns, re: rowPart(re), im: rowPart(im) };
    const weight = squaredNorm(pure);
    if (row === rows - 1 || (weight > 0 && trials.succeeds(Math.min(1, weight / others)))) return pure;
    others -= weight;
  }
}
