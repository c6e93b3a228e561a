import { expect, test } from "vitest";
import {
  areReversedShots,
  compareEnergies,
  countOutcomes,
  readSolution,
  shotOutcome,
} from "../../src/results/index.ts";

test("a shot is a string, a list of bits, or atoms before and after", () => {
  expect(shotOutcome("0 1")).toBe("0 1");
  expect(shotOutcome([0, 1, 1])).toBe("011");
  expect(shotOutcome({ success: true, pre_sequence: [1, 0, 1], post_sequence: [1, 1, 0] })).toBe("ger");
  expect(shotOutcome({ success: false, pre_sequence: null, post_sequence: null })).toBeNull();
  for (const none of [7, null, {}, [2.5], ["0"], { success: true, pre_sequence: [1], post_sequence: [] }])
    expect(shotOutcome(none)).toBeUndefined();
});

test("shots that are the counts' mirror image are told from those that are not", () => {
  expect(areReversedShots(["01", "01", "11"], { "10": 2, "11": 1 })).toBe(true);
  expect(areReversedShots(["01", "11"], { "01": 1, "11": 1 })).toBe(false);
  expect(areReversedShots(["01", "11"], { "00": 2 })).toBe(false);
  expect(countOutcomes(["__proto__", "a", "a"]).a).toBe(2);
});

test("a solution is read with what providers call its parts", () => {
  expect(
    readSolution({
      spin: { x0: 1, x1: true, note: "?" },
      energy: "-2.5",
      num_occurrences: 3,
      memory_usage: 1.2,
    }),
  ).toEqual({
    spins: { x0: 1, x1: 1 },
    energy: -2.5,
    occurrences: 3,
    time: null,
    constraint: null,
    memory_usage: 1.2,
  });
  expect(readSolution({ spin: [1, -1] })).toMatchObject({
    spins: { 0: 1, 1: -1 },
    energy: null,
    occurrences: 1,
  });
  expect(readSolution([1])).toBeUndefined();
});

test("solutions of no known energy stand last", () => {
  const energies = [3, null, -1, null, 0].map(energy => readSolution({ energy })!);
  expect(energies.sort(compareEnergies).map(({ energy }) => energy)).toEqual([-1, 0, 3, null, null]);
});
