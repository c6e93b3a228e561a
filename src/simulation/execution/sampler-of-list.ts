import { orderedUniforms } from "../sampling/ordered.ts";
import type { Sampler } from "./quantum-state.ts";

/** Makes a sampler of a list of outcomes by their weights, which need not add up to 1. */
export function samplerOfList(weights: Float64Array, value: Sampler["value"]): Sampler {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    draw: (count, random, b, stream) => {
      const out = new Uint32Array(count);
      let at = 0;
      let cumulative = weights[0]!;
      orderedUniforms(count, random, b, stream).forEach((uniform, i) => {
        while (uniform * total >= cumulative && at < weights.length - 1) cumulative += weights[++at]!;
        out[i] = at;
      });
      return out;
    },
    each: visit => {
      weights.forEach((weight, i) => {
        visit(i, weight / total);
      });
    },
    value,
  };
}
