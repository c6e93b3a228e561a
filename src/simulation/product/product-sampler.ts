import { checkOutcomeCount } from "../execution/outcome-limit.ts";
import type { Sampler } from "../execution/quantum-state.ts";
import { permutation } from "../sampling/ordered.ts";
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
  return {
    draw(count, random, b, stream) {
      rows = samplers.map((sampler, i) =>
        shuffled(sampler.draw(count, random, b, stream + ORDER_OF_FACTORS * (i + 1)), random, b, i),
      );
      return Uint32Array.from({ length: count }, (_, i) => i);
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
  };
}

/** Returns outcomes in an order drawn at random. */
function shuffled(outcomes: Uint32Array, random: Philox, b: number, factor: number): Uint32Array {
  const order = permutation(outcomes.length, random, b, ORDER_OF_FACTORS * (factor + 1) + 500);
  return order.map(place => outcomes[place]!);
}
