import { expect, test } from "vitest";
import { compile } from "../../../src/simulation/index.ts";
import type { Instruction } from "../../../src/simulation/interpreter/instruction.ts";
import { link } from "../../../src/simulation/interpreter/link.ts";
import { HEAD } from "../run.ts";

const LINES = [
  "if (f(q[0], k)) { x q[1]; } else { k += 2; }",
  "for int i in [0:2] { k += g(i); if (k == 5) { break; } }",
  "delay[5ns] q[0];",
  "k = g(k % 4);",
  "switch (k) { case 1 { h q[0]; } default { c[1] = f(q[1], k); } }",
];
const { parts } = compile({
  format: "qasm3",
  data: `${HEAD}qubit[2] q; bit[2] c; int k = 1;
    def f(qubit a, int t) -> bit { rx(t) a; return measure a; }
    def g(int n) -> int { if (n < 2) { return 1; } return g(n - 1) + n; }
    ${Array.from({ length: 400 }, (_, i) => LINES[i % LINES.length]).join("\n")}`,
});

/** Returns what an instruction does, without its functions. */
const dataOf = (instruction: Instruction | undefined): string => JSON.stringify(instruction);

test("a long program that is linked as it runs has the instructions that it has at once", () => {
  const whole = link({ ...parts, body: [...parts.body] });
  const all = Array.from({ length: whole.instructions.length }, (_, i) => dataOf(whole.instructions.at(i)));
  const blockwise = link(parts);
  expect(blockwise.instructions).not.toBeInstanceOf(Array);
  const places = [...all.keys()];
  for (const order of [places, places.toReversed(), places.toSorted((a, b) => (a % 97) - (b % 97))])
    for (const place of order) expect(dataOf(blockwise.instructions.at(place)), `${place}`).toBe(all[place]);
  expect(blockwise.instructions.length).toBe(all.length);
  expect(blockwise.instructions.at(all.length)).toBeUndefined();
  expect(blockwise.lifetimes).toStrictEqual(whole.lifetimes);
});

test("instructions that are no longer in use are let go, and kept once they are needed again", () => {
  const { instructions } = link({ ...parts, body: compile({ ...parts.source! }).parts.body });
  const first = instructions.at(0);
  expect(instructions.at(0)).toBe(first);
  expect(instructions.at(instructions.length - 1)).toStrictEqual({ kind: "end" });
  const again = instructions.at(0);
  expect(again).not.toBe(first);
  expect(instructions.at(instructions.length - 1)).toStrictEqual({ kind: "end" });
  expect(instructions.at(0)).toBe(again);
});
