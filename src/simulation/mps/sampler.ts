import { checkOutcomeCount, type Sampler } from "../execution/quantum-state.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import { numbersFrom, Trials } from "../sampling/draws.ts";
import { triangularFactor } from "./factorizations.ts";
import type { TensorChain } from "./tensor-chain.ts";
import { identity, multiply, reshape, type TensorMatrix, zeros } from "./tensor-matrix.ts";

/** An outcome that is less likely than this is not listed. */
const ROUNDING = 1e-14;

/** Makes a sampler of the values of some sites. */
export function chainSampler(chain: TensorChain, sites: readonly number[], meter: Meter): Sampler {
  const first = sites.length > 0 ? Math.min(...sites) : 0;
  const end = sites.length > 0 ? Math.max(...sites) + 1 : 0;
  const words = Math.max(1, Math.ceil((end - first) / 32));
  const isAsked = new Uint8Array(end);
  for (const site of sites) isAsked[site] = 1;
  let found = new Uint32Array(64 * words);
  let size = 0;

  /** Calls back for each outcome, once it is kept, with its share. */
  function share(all: number, sharing: Sharing, visit: (outcome: number, share: number) => void): void {
    const rest = stateBefore(chain, first);
    size = 0;
    const section = { first, end, isAsked, rest, tensor: (site: number) => chain.tensor(site), meter };
    visitOutcomes(section, words, all, sharing, (values, shares) => {
      keep(values);
      const from = size - shares.length;
      shares.forEach((own, i) => {
        visit(from + i, own);
      });
    });
  }

  function keep(values: Uint32Array): void {
    const at = size * words;
    if (found.length < at + values.length) {
      const larger = new Uint32Array(2 * (at + values.length));
      larger.set(found);
      found = larger;
    }
    found.set(values, at);
    size += values.length / words;
  }

  return {
    draw(count, random, b, stream) {
      const outcomes = new Uint32Array(count);
      const trials = new Trials(random.sequence(b, stream));
      const sharing = {
        ofOne: (shots: number, one: number) => trials.successes(shots, one),
        least: 0,
        decide: (probability: number) => trials.succeeds(probability),
      };
      let drawn = 0;
      if (count > 0)
        share(count, sharing, (outcome, shots) => {
          outcomes.fill(outcome, drawn, drawn + shots);
          drawn += shots;
        });
      return outcomes;
    },
    each(visit) {
      const sharing = { ofOne: (weight: number, one: number) => weight * one, least: ROUNDING };
      share(1, sharing, (outcome, probability) => {
        checkOutcomeCount(size);
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

/** Numbers of the states of prefixes that are worked on together. */
const NUMBERS_TOGETHER = 2 ** 14;
/** Numbers that are touched in the time in which a prefix is handled at a site. */
const PREFIX_OVERHEAD = 50;

/** Different values that were found at the sites before one. */
interface Prefixes {
  readonly site: number;
  /** The values of each, bit by bit. */
  readonly values: Uint32Array;
  /** The share of all outcomes that begins with each. */
  readonly shares: Float64Array;
  /** For each the given number of rows as make the state of the sites that are left, summed over the values that nobody asks for. */
  readonly rests: TensorMatrix;
}

/** The sites of a chain whose outcomes are wanted. */
interface ChainSection {
  /** The sites from `first` to the one before `end`, and which of them are asked for. */
  readonly first: number;
  readonly end: number;
  readonly isAsked: Uint8Array;
  /** Rows that make the state of the sites from the first on. */
  readonly rest: TensorMatrix;
  tensor(site: number): TensorMatrix;
  readonly meter: Meter;
}

/** Distribution of outcomes among branches. */
interface Sharing {
  /** Returns which part of a share has a 1, by its probability. */
  ofOne(share: number, one: number): number;
  /** Shares up to this are left out. */
  readonly least: number;
  /** Decides with a probability whether a share that cannot be parted has a property. Default: all can be parted. */
  decide?(probability: number): boolean;
}

/**
 * Visits the values of the requested sites, as bits of `words` words, and the share of outcomes with these values:
 * from the left to the right, where outcomes that begin alike share the work.
 */
function visitOutcomes(
  { first, end, isAsked, tensor, rest, meter }: ChainSection,
  words: number,
  all: number,
  { ofOne, least, decide }: Sharing,
  visit: (values: Uint32Array, shares: Float64Array) => void,
): void {
  /** Parts the prefixes by the value of a site. */
  const partedBy = (product: TensorMatrix, { site, values, shares }: Prefixes): Prefixes => {
    const size = shares.length;
    const rows = product.rows / size;
    const width = product.columns / 2;
    const weights = new Float64Array(2 * size);
    const parts = new Float64Array(2 * size);
    let count = 0;
    for (let i = 0; i < size; i++) {
      const none = weightOf(product, i * rows, rows, 0, width);
      const one = weightOf(product, i * rows, rows, width, width);
      const ones = ofOne(shares[i]!, one / (none + one));
      weights[2 * i] = none;
      weights[2 * i + 1] = one;
      parts[2 * i] = shares[i]! - ones;
      parts[2 * i + 1] = ones;
      count += Number(shares[i]! - ones > least) + Number(ones > least);
    }
    const next = {
      site: site + 1,
      values: new Uint32Array(count * words),
      shares: new Float64Array(count),
      rests: zeros(count * rows, width),
    };
    const { re, im } = next.rests;
    const word = (site - first) >> 5;
    const bit = 1 << ((site - first) & 31);
    for (let side = 0, to = 0, at = 0; side < 2 * size; side++) {
      if (parts[side]! <= least) continue;
      const [prefix, value] = [side >> 1, side & 1];
      for (let i = 0; i < words; i++) next.values[to * words + i] = values[prefix * words + i]!;
      if (value) next.values[to * words + word]! |= bit;
      next.shares[to++] = parts[side]!;
      const factor = 1 / Math.sqrt(weights[side]!);
      for (let row = prefix * rows; row < (prefix + 1) * rows; row++)
        for (let from = (2 * row + value) * width, i = 0; i < width; i++, at++) {
          re[at] = product.re[from + i]! * factor;
          im[at] = product.im[from + i]! * factor;
        }
    }
    return next;
  };

  /** Unravels the mixed state of each single shot: it continues in one pure state, drawn by its weight, which takes one row. */
  const pureStates = (prefixes: Prefixes, isRow: (probability: number) => boolean): Prefixes => {
    const size = prefixes.shares.length;
    const { columns } = prefixes.rests;
    const rows = prefixes.rests.rows / size;
    const rowOf = (_: unknown, i: number) => {
      const start = i * rows;
      let others = weightOf(prefixes.rests, start, rows, 0, columns);
      for (let row = start; ; row++) {
        const weight = weightOf(prefixes.rests, row, 1, 0, columns);
        if (row === start + rows - 1 || (weight > 0 && isRow(Math.min(1, weight / others)))) return row;
        others -= weight;
      }
    };
    const chosen = Uint32Array.from({ length: size }, rowOf);
    return { ...prefixes, rests: gatherRows(prefixes.rests, chosen, 1) };
  };

  const choose = ({ site, values, shares, rests }: Prefixes, places: Uint32Array): Prefixes => ({
    site,
    values: gather(values, places, words),
    shares: gather(shares, places, 1),
    rests: gatherRows(rests, places, rests.rows / shares.length),
  });

  /** Returns the prefixes in parts that are to be worked on apart, or nothing where they need not be. */
  const splitUp = (prefixes: Prefixes, columns: number): Prefixes[] | undefined => {
    const { shares, rests } = prefixes;
    const size = shares.length;
    if (decide && rests.rows > size) {
      const places = numbersFrom(0, size);
      const singles = places.filter(i => shares[i] === 1);
      if (singles.length === size) return [pureStates(prefixes, decide)];
      const others = places.filter(i => shares[i] !== 1);
      if (singles.length > 0)
        return [choose(prefixes, others), pureStates(choose(prefixes, singles), decide)];
    }
    const middle = size >> 1;
    if (size === 1 || rests.rows * columns <= NUMBERS_TOGETHER) return undefined;
    return [choose(prefixes, numbersFrom(middle, size - middle)), choose(prefixes, numbersFrom(0, middle))];
  };

  const stack: Prefixes[] = [
    { site: first, values: new Uint32Array(words), shares: Float64Array.of(all), rests: rest },
  ];
  for (let prefixes = stack.pop(); prefixes; prefixes = stack.pop()) {
    const { site, shares, rests } = prefixes;
    if (site === end) {
      visit(prefixes.values, shares);
      continue;
    }
    const matrix = tensor(site);
    const parts = splitUp(prefixes, matrix.columns);
    if (parts) stack.push(...parts);
    else {
      meter.work(rests.rows * matrix.re.length + shares.length * PREFIX_OVERHEAD, 0);
      const product = multiply(rests, matrix);
      if (isAsked[site]) stack.push(partedBy(product, prefixes));
      else stack.push({ ...prefixes, site: site + 1, rests: summed(product, shares.length) });
    }
  }
}

/** Returns the states of prefixes, each multiplied with a tensor, summed over the values of its site. */
function summed(product: TensorMatrix, size: number): TensorMatrix {
  const both = reshape(product, 2 * product.rows);
  const rows = both.rows / size;
  if (rows <= both.columns) return both;
  const found = zeros(size * both.columns, both.columns);
  for (let i = 0; i < size; i++) {
    const factor = triangularFactor(gatherRows(both, Uint32Array.of(i), rows));
    found.re.set(factor.re, i * both.columns ** 2);
    found.im.set(factor.im, i * both.columns ** 2);
  }
  return found;
}

/** Returns the squared norm of some columns of some rows. */
function weightOf(
  { columns, re, im }: TensorMatrix,
  row: number,
  rows: number,
  column: number,
  width: number,
): number {
  let sum = 0;
  for (let from = row * columns + column; rows > 0; rows--, from += columns)
    for (let i = from; i < from + width; i++) sum += re[i]! * re[i]! + im[i]! * im[i]!;
  return sum;
}

/** Returns the items at some places of a list whose items have `size` numbers. */
function gather<T extends Uint32Array | Float64Array>(from: T, places: Uint32Array, size: number): T {
  const to = new (from.constructor as new (length: number) => T)(places.length * size);
  places.forEach((place, i) => {
    for (let j = 0; j < size; j++) to[i * size + j] = from[place * size + j]!;
  });
  return to;
}

/** Returns the groups of `rows` rows at some places of a matrix. */
const gatherRows = ({ columns, re, im }: TensorMatrix, places: Uint32Array, rows: number): TensorMatrix => ({
  rows: places.length * rows,
  columns,
  re: gather(re, places, rows * columns),
  im: gather(im, places, rows * columns),
});
