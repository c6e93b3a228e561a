import { drawWeighted } from "../sampling/weighted.ts";
import type { Sampler } from "./quantum-state.ts";

/** Makes a sampler of a list of outcomes by their weights, which need not add up to 1. */
export function samplerOfList(weights: Float64Array, value: Sampler["value"]): Sampler {
  return {
    draw: (count, random, b, stream) => drawWeighted(weights, count, random, b, stream),
    each: visit => {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      weights.forEach((weight, i) => {
        visit(i, weight / total);
      });
    },
    value,
  };
}
