import { checkOutcomeCount, type Sampler } from "../execution/quantum-state.ts";
import type { Meter } from "../interpreter/meter.ts";
import { moveBits } from "../sampling/codes.ts";
import { Trials } from "../sampling/draws.ts";
import { gather, type Sharing, visitOutcomes } from "./outcome-tree.ts";
import type { TensorChain } from "./tensor-chain.ts";
import { identity, reshape, type TensorMatrix } from "./tensor-matrix.ts";
import { triangularFactor } from "./triangular-factor.ts";

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
    codes: (outcomes: Uint32Array) =>
      moveBits(
        gather(found, outcomes, words),
        words,
        sites.map(site => ({ word: (site - first) >> 5, bit: (site - first) & 31 })),
      ),
  };
}

/** Returns a matrix whose rows make the state of the sites from one on, summed over the values of those before it. */
function stateBefore(chain: TensorChain, site: number): TensorMatrix {
  chain.moveCentre(Math.max(0, site - 1));
  if (site === 0) return identity(1);
  const before = chain.tensor(site - 1);
  return triangularFactor(reshape(before, 2 * before.rows));
}
