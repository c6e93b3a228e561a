import fc from "fast-check";
import { expect, test } from "vitest";
import type { Value } from "../../../src/simulation/circuit/memory.ts";
import { Reading, readingsOf } from "../../../src/simulation/execution/reading-tree.ts";

const value: fc.Arbitrary<Value> = fc.oneof(
  fc.bigInt({ min: -20n, max: 20n }),
  fc.constantFrom(0, -0, 1, 0.5, true, false),
);

test("what has been read leads to what was found for the same values alone, signs of zero included", () => {
  const depth = 2;
  const memory = fc.array(value, { minLength: depth, maxLength: depth });
  fc.assert(
    fc.property(fc.array(memory, { minLength: 1, maxLength: 120 }), memories => {
      let root: Reading<string> | string | undefined;
      const known = new Map<string, string>();
      for (const values of memories) {
        let node = root;
        while (node instanceof Reading) node = node.after(values[node.location]!);
        const key = values.map(one => `${typeof one} ${Object.is(one, -0) ? "-0" : one}`).join();
        expect(node).toBe(known.get(key));
        if (node !== undefined) continue;
        known.set(key, key);
        const reads = values.map((one, location) => [location, one] as const);
        if (root instanceof Reading) root.add(reads, 0, key);
        else root = readingsOf(reads, 0, key);
      }
    }),
  );
});
