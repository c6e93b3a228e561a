import { checkOutcomeCount } from "../execution/outcome-limit.ts";
import type { Sampler } from "../execution/quantum-state.ts";
import type { Meter } from "../interpreter/meter.ts";
import {
  type ComplexMatrix,
  identity,
  multiply,
  reshape,
  scale,
  squaredNorm,
  zeros,
} from "./complex-matrix.ts";
import type { TensorChain } from "./tensor-chain.ts";
import { triangularFactor } from "./triangular-factor.ts";

/** An outcome that is less likely than this is not listed. */
const ROUNDING = 1e-14;
/** Part of a random number that must be left for it to decide another value. */
const FINE = 2 ** -24;

/** The values of some sites that were found so far, on the way from the left to the right. */
interface Node<T> {
  readonly site: number;
  /** Its rows make the state, summed over the values of sites that nobody asks for, on the right of these sites. */
  readonly rest: ComplexMatrix;
  /** The value of the site before, or -1 where nobody asks for it. */
  readonly value: number;
  /** The share of the outcomes that came here. */
  readonly share: T;
}

/** Makes a sampler of the values of some sites. */
export function chainSampler(chain: TensorChain, sites: readonly number[], meter: Meter): Sampler {
  const first = sites.length > 0 ? Math.min(...sites) : 0;
  const end = sites.length > 0 ? Math.max(...sites) + 1 : 0;
  const words = Math.max(1, Math.ceil((end - first) / 32));
  const isAsked = new Uint8Array(end);
  for (const site of sites) isAsked[site] = 1;
  let found = new Uint32Array(64 * words);
  let size = 0;

  /** Visits the outcomes in ascending order; `split` says how a share is parted by the probability of a 1. */
  function walk<T>(
    all: T,
    split: (share: T, one: number) => readonly (T | undefined)[],
    onOutcome: (share: T) => void,
    rowFor?: (share: T, rest: ComplexMatrix) => ComplexMatrix,
  ) {
    const path = new Uint32Array(words);
    size = 0;
    const stack: Node<T>[] = [{ site: first, rest: stateBefore(chain, first), value: -1, share: all }];
    for (let node = stack.pop(); node; node = stack.pop()) {
      const { site, value, share } = node;
      const rest = node.rest.rows > 1 && rowFor ? rowFor(share, node.rest) : node.rest;
      const place = site - 1 - first;
      if (value === 1) path[place >> 5]! |= 1 << (place & 31);
      else if (value === 0) path[place >> 5]! &= ~(1 << (place & 31));
      if (site === end) {
        keep(path);
        onOutcome(share);
        continue;
      }
      const tensor = chain.tensor(site);
      meter.work(rest.rows * tensor.re.length, 0);
      if (!isAsked[site]) {
        const product = multiply(rest, tensor);
        const both = triangularFactor(reshape(product, 2 * product.rows));
        stack.push({ site: site + 1, rest: both, value: -1, share });
        continue;
      }
      const isProduct = tensor.re.length === 2;
      const product = isProduct ? tensor : multiply(rest, tensor);
      const ones = weightOf(product, 1);
      const none = weightOf(product, 0);
      const shares = split(share, ones / (none + ones));
      for (let side = 1; side >= 0; side--) {
        const part = shares[side];
        if (part === undefined) continue;
        const next = isProduct ? rest : half(product, side, 1 / Math.sqrt(side ? ones : none));
        stack.push({ site: site + 1, rest: next, value: side, share: part });
      }
    }
  }

  function keep(path: Uint32Array): void {
    if (found.length < (size + 1) * words) {
      const larger = new Uint32Array(2 * found.length);
      larger.set(found);
      found = larger;
    }
    found.set(path, size * words);
    size++;
  }

  return {
    draw(count, random, b, stream) {
      const outcomes = new Uint32Array(count);
      const shots = Uint32Array.from(outcomes.keys());
      const uniforms = new Float64Array(count);
      const left = new Float64Array(count);
      const draws = new Uint32Array(count);
      /** Whether a shot finds a 1: its random number is used bit by bit, and drawn anew when little is left of it. */
      const isOne = (shot: number, one: number): boolean => {
        if (left[shot]! < FINE) {
          uniforms[shot] = random.uniform(shot + count * draws[shot]!++, b, stream);
          left[shot] = 1;
        }
        const uniform = uniforms[shot]!;
        const isBelow = uniform < one;
        const width = isBelow ? one : 1 - one;
        uniforms[shot] = Math.min(1 - 2 ** -53, isBelow ? uniform / one : (uniform - one) / width);
        left[shot]! *= width;
        return isBelow;
      };
      /** Draws one of the pure states that make up what is left for a single shot, so that it continues with one row. */
      const drawRow = (shot: number, rest: ComplexMatrix): ComplexMatrix => {
        let others = squaredNorm(rest);
        for (let row = 0; ; row++) {
          const alone = rowOf(rest, row);
          const weight = squaredNorm(alone);
          if (row === rest.rows - 1 || (weight > 0 && isOne(shot, Math.min(1, weight / others))))
            return scale(alone, 1 / Math.sqrt(weight));
          others -= weight;
        }
      };
      const partition = ({ from, to }: { from: number; to: number }, one: number) => {
        let middle = from;
        let top = to;
        while (middle < top) {
          const shot = shots[middle]!;
          if (one > 0 && isOne(shot, one)) {
            shots[middle] = shots[--top]!;
            shots[top] = shot;
          } else middle++;
        }
        return [
          from < middle ? { from, to: middle } : undefined,
          middle < to ? { from: middle, to } : undefined,
        ];
      };
      if (count > 0)
        walk(
          { from: 0, to: count },
          partition,
          ({ from, to }) => {
            outcomes.fill(size - 1, from, to);
          },
          (range, rest) => (range.to - range.from === 1 ? drawRow(shots[range.from]!, rest) : rest),
        );
      return outcomes;
    },
    each(visit) {
      walk(
        1,
        (share, one) => [share * (1 - one), share * one].map(part => (part > ROUNDING ? part : undefined)),
        share => {
          checkOutcomeCount(size);
          visit(size - 1, share);
        },
      );
    },
    value(outcome, place) {
      const at = sites[place]! - first;
      return (found[outcome * words + (at >> 5)]! >>> (at & 31)) & 1;
    },
  };
}

/** Returns a matrix whose rows make the state of the sites from one on, summed over the values of those before it. */
function stateBefore(chain: TensorChain, site: number): ComplexMatrix {
  chain.moveCentre(Math.max(0, site - 1));
  if (site === 0) return identity(1);
  const before = chain.tensor(site - 1);
  return triangularFactor(reshape(before, 2 * before.rows));
}

/** Returns the squared norm of the part of a product with a tensor in which its site has a value. */
function weightOf({ rows, columns, re, im }: ComplexMatrix, value: number): number {
  const width = columns / 2;
  let sum = 0;
  for (let row = 0; row < rows; row++) {
    const from = row * columns + value * width;
    for (let i = from; i < from + width; i++) sum += re[i]! * re[i]! + im[i]! * im[i]!;
  }
  return sum;
}

/** Returns the part of a product with a tensor in which its site has a value, times a number. */
function half({ rows, columns, re, im }: ComplexMatrix, value: number, factor: number): ComplexMatrix {
  const width = columns / 2;
  const part = zeros(rows, width);
  for (let row = 0, to = 0; row < rows; row++) {
    const from = row * columns + value * width;
    for (let i = from; i < from + width; i++, to++) {
      part.re[to] = re[i]! * factor;
      part.im[to] = im[i]! * factor;
    }
  }
  return part;
}

/** Returns a row of a matrix. */
const rowOf = ({ columns, re, im }: ComplexMatrix, row: number): ComplexMatrix => ({
  rows: 1,
  columns,
  re: re.subarray(row * columns, (row + 1) * columns),
  im: im.subarray(row * columns, (row + 1) * columns),
});
