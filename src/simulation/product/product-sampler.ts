import { checkOutcomeCount, type Sampler } from "../execution/quantum-state.ts";
import { moveBits, wordsOf } from "../sampling/codes.ts";
import { numbersFrom, permutation } from "../sampling/draws.ts";
import type { Philox } from "../sampling/philox.ts";

/** Streams of the draws that put the outcomes of each factor in an order of its own. */
const ORDER_OF_FACTORS = 1000;
/** An outcome that is less likely than this is not listed. */
const ROUNDING = 1e-14;

/** Makes a sampler of the values of several independent samplers, by the place of each in its own. */
export function samplerOfProduct(
  samplers: readonly Sampler[],
  places: readonly { readonly sampler: number; readonly place: number }[],
): Sampler {
  /** For each sampler, its own outcome in each of the outcomes. */
  let rows: Uint32Array[] = samplers.map(() => new Uint32Array(0));
  const counts = samplers.map((_, i) => places.filter(({ sampler }) => sampler === i).length);
  const ends = counts.map((_, i) => counts.slice(0, i + 1).reduce((sum, count) => sum + wordsOf(count), 0));
  const words = ends.at(-1) ?? 0;

  /** Returns the values in each of some outcomes: of each sampler as it gives them, one after the other. */
  const codesOf = (outcomes: Uint32Array): Uint32Array => {
    const all = new Uint32Array(outcomes.length * words);
    samplers.forEach((sampler, s) => {
      const own = sampler.codes!(outcomes.map(outcome => rows[s]![outcome]!));
      const width = wordsOf(counts[s]!);
      const first = ends[s]! - width;
      for (let i = 0; i < outcomes.length; i++)
        for (let word = 0; word < width; word++) all[i * words + first + word] = own[i * width + word]!;
    });
    return all;
  };

  return {
    draw(count, random, b, stream) {
      rows = samplers.map((sampler, i) => {
        const drawn = sampler.draw(count, random, b, stream + ORDER_OF_FACTORS * (i + 1));
        // The outcomes of the first may stay as they are: those of all others come to them in any order.
        return i === 0 ? drawn : shuffled(drawn, random, b, i);
      });
      return numbersFrom(0, count);
    },
    each(visit) {
      let all: { probability: number; outcomes: readonly number[] }[] = [{ probability: 1, outcomes: [] }];
      for (const sampler of samplers) {
        const own: { probability: number; outcome: number }[] = [];
        sampler.each((outcome, probability) => {
          if (probability > ROUNDING) own.push({ outcome, probability });
        });
        checkOutcomeCount(own.length * all.length);
        all = all.flatMap(({ probability, outcomes }) =>
          own.map(one => ({
            probability: probability * one.probability,
            outcomes: [...outcomes, one.outcome],
          })),
        );
      }
      rows = samplers.map((_, i) => Uint32Array.from(all, ({ outcomes }) => outcomes[i]!));
      all.forEach(({ probability }, i) => {
        visit(i, probability);
      });
    },
    value(outcome, at) {
      const { sampler, place } = places[at]!;
      return samplers[sampler]!.value(rows[sampler]![outcome]!, place);
    },
    ...(samplers.every(({ codes }) => codes) && {
      codes: (outcomes: Uint32Array) =>
        moveBits(
          codesOf(outcomes),
          words,
          places.map(({ sampler, place }) => {
            const bit = counts[sampler]! - 1 - place;
            return { word: ends[sampler]! - 1 - (bit >> 5), bit: bit & 31 };
          }),
        ),
    }),
  };
}

/** Returns outcomes in an order drawn at random. */
function shuffled(outcomes: Uint32Array, random: Philox, b: number, factor: number): Uint32Array {
  const order = permutation(outcomes.length, random, b, ORDER_OF_FACTORS * (factor + 1) + 500);
  return order.map(place => outcomes[place]!);
}
