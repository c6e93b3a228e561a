import { describe, expect, test } from "vitest";
import { compile } from "../../../src/simulation/index.ts";
import { measuresLast } from "../../../src/simulation/specialize/measurement-flow.ts";
import { HEAD } from "../run.ts";

const two = "qubit[2] q; bit[2] c;\n";
const isLast = (program: string): boolean =>
  measuresLast(compile({ format: "qasm3", data: `${HEAD}${two}${program}` }).parts);

describe("measurements are the last that happens where", () => {
  test.each([
    ["each qubit is measured at the end", "h q[0]; cx q[0], q[1]; c = measure q;"],
    ["a qubit is measured before another is used", "c[0] = measure q[0]; h q[1]; c[1] = measure q[1];"],
    ["a subroutine measures", "def m(qubit a) -> bit { return measure a; } c[0] = m(q[0]); c[1] = m(q[1]);"],
    ["outcomes are only computed with", "c = measure q; int k = int(c); k = k + 1;"],
    ["a loop counts its rounds", "int i = 0; while (i < 3) { h q[0]; i = i + 1; } c = measure q;"],
    [
      "another element of an array has the outcome",
      `array[int, 2] a = {0, 0};
      c[0] = measure q[0]; a[1] = int(c[0]); if (a[0] == 1) x q[1];`,
    ],
    ["a barrier follows", "c = measure q; barrier q;"],
  ])("%s", (_, program) => {
    expect(isLast(program)).toBe(true);
  });
});

describe("measurements are not the last that happens where", () => {
  test.each([
    ["a gate follows", "c[0] = measure q[0]; h q[0];"],
    ["the qubit is measured again", "c[0] = measure q[0]; c[1] = measure q[0];"],
    ["the qubit is reset", "c[0] = measure q[0]; reset q[0];"],
    ["the next round of a loop uses the qubit", "for int i in [0:1] { h q[0]; c[i] = measure q[0]; }"],
    ["a gate on a computed qubit may use it", "c[0] = measure q[0]; for int i in [0:1] { h q[i]; }"],
    ["a computed qubit is measured before a gate", "for int i in [0:1] { c[i] = measure q[i]; } h q[1];"],
    ["a condition reads an outcome", "c[0] = measure q[0]; if (c[0]) x q[1];"],
    ["a condition reads a computed bit", "c[0] = measure q[0]; for int i in [0:1] { if (c[i]) x q[1]; }"],
    [
      "a condition reads a copy of it",
      "c[0] = measure q[0]; int k = int(c[0]); k = k + 1; if (k == 2) x q[1];",
    ],
    [
      "a condition reads an array with it",
      `array[int, 2] a = {0, 0};
      c[0] = measure q[0]; a[1] = int(c[0]); for int i in [0:1] { if (a[i] == 1) x q[1]; }`,
    ],
    [
      "it is copied in the round before",
      `bit a; bit b; c[0] = measure q[0];
      for int i in [0:2] { if (b) x q[1]; b = a; a = c[0]; }`,
    ],
    ["an angle is computed of it", "c[0] = measure q[0]; rx(int(c[0]) * pi) q[1];"],
    ["it says how often a loop runs", "c[0] = measure q[0]; for int i in [0:int(c[0])] { h q[1]; }"],
    ["a switch reads it", "c[0] = measure q[0]; switch (int(c)) { case 1 { x q[1]; } default { z q[1]; } }"],
    ["it says how long a delay lasts", "c[0] = measure q[0]; delay[int(c[0]) * 10ns] q[1];"],
  ])("%s", (_, program) => {
    expect(isLast(program)).toBe(false);
  });
});
