import { describe, expect, test } from "vitest";
import { keyLayout } from "../../../src/simulation/execution/classical-bits.ts";
import { ShotOutcomes } from "../../../src/simulation/execution/outcomes.ts";
import { contradicts } from "../chi-square.ts";
import { HEAD, run } from "../run.ts";

const program = `${HEAD}qubit[15] q; bit[2] a; bit[4] b; h q[0:13]; ry(0.9) q[3]; x q[14]; cx q[3], q[14]; cx q[5], q[14]; cz q[0:12], q[1:13]; rx(0.4) q[0:13];
b[0] = measure q[14]; a[1] = measure q[3]; b[3] = measure q[5]; a[0] = measure q[9]; b[1] = measure q[0];`;

describe("many shots of registers, copies and parities among their qubits", () => {
  const { measurementCounts, measurements } = run(program, { shots: 20_000, seed: 8, memory: true });

  test("are counted as their memory lists them, in the order of their keys", () => {
    const listed: Record<string, number> = {};
    for (const key of measurements!) listed[key] = (listed[key] ?? 0) + 1;
    expect(measurementCounts).toEqual(listed);
    expect(Object.keys(measurementCounts)).toEqual(Object.keys(listed).sort());
  });

  test("follow the exact distribution (a false alarm once in 10^9)", () => {
    const exact = run(program, { shots: 0 }).measurementProbabilities!;
    expect(contradicts(measurementCounts, exact)).toBe(false);
  });
});

test("long outcomes are counted now and then while they are added", () => {
  const outcomes = new ShotOutcomes(keyLayout([{ name: "c", offset: 0, width: 3200 }]), 400_000, false);
  const added = [0, 0, 0];
  for (let batch = 0; batch < 8; batch++)
    outcomes.add(50_000, ({ from, to }, codes, at) => {
      for (let i = from; i < to; i++) {
        codes.fill(0, 100 * (at + i - from), 100 * (at + i - from + 1));
        codes[100 * (at + i - from) + 7] = i % 3;
        added[i % 3]!++;
      }
    });
  expect([...outcomes.counted.counts]).toEqual(added);
  expect(outcomes.keys.map(key => [key.length, key.indexOf("1")])).toEqual([
    [3200, -1],
    [3200, 255],
    [3200, 254],
  ]);
});

test("outcomes that are too long together are refused before all of them are written", () => {
  const outcomes = new ShotOutcomes(keyLayout([{ name: "c", offset: 0, width: 5000 }]), 1_000_000, false);
  let written = 0;
  const add = () =>
    outcomes.add(1_000_000, ({ from, to }, codes, at) => {
      for (let i = from; i < to; i++) codes[(at + i - from) * 157 + 156] = i;
      written = to;
    });
  expect(add).toThrow(/different outcomes are longer than/);
  expect(written).toBeLessThan(100_000);
});
