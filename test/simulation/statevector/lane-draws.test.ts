import fc from "fast-check";
import { expect, test } from "vitest";
import { philox } from "../../../src/simulation/sampling/philox.ts";
import { LaneDraws } from "../../../src/simulation/statevector/lane-draws.ts";

test("each of many lanes has the number that a generator draws for its shot alone", () => {
  const word = fc.nat({ max: 2 ** 32 - 1 });
  const lane = fc.tuple(word, word);
  const capacity = 50;
  fc.assert(
    fc.property(
      fc.array(lane, { maxLength: capacity }),
      fc.maxSafeInteger(),
      fc.nat({ max: 9 }),
      (of, seed, stream) => {
        const random = philox(seed);
        const shots = Uint32Array.from({ length: capacity }, (_, i) => of[i]?.[0] ?? 0);
        const draws = Uint32Array.from({ length: capacity }, (_, i) => of[i]?.[1] ?? 0);
        const lanes = of.map((_, i) => of.length - 1 - i);
        const numbers = new LaneDraws(random, capacity).uniforms(lanes, shots, draws, stream);
        expect([...numbers.subarray(0, lanes.length)]).toEqual(
          lanes.map(i => random.uniform(shots[i]!, draws[i]!, stream)),
        );
      },
    ),
  );
});
