import { describe, expect, test } from "vitest";
import {
  compile,
  formatDiagnostics,
  LimitExceededError,
  ProgramError,
  type SimulateOptions,
  simulate,
} from "../../../src/simulation/index.ts";
import { HEAD } from "./support.ts";

const million = 1_000_000;
const compiled = (body: string) => compile({ format: "qasm3", data: HEAD + body });
const ran = (body: string, options: Partial<SimulateOptions> = {}) =>
  simulate(compiled(`bit c; ${body}`), { shots: 1, ...options });

describe("limits of a program", () => {
  test.each([
    ["an array of 10^9 values", "array[int[8], 1000000000] a;", /more than 1,000,000 values/],
    [
      "an array whose size has no end",
      "array[int[8], 1000000000, 1000000000, 1000000000] a;",
      /1,000,000 values/,
    ],
    ["arrays in arrays in arrays", `array[int[8], ${"1, ".repeat(8)}1] a;`, /at most 7 dimensions/],
    ["a literal of a million braces", `array[int[8], 1] a = ${"{".repeat(million)}`, /levels deep/],
    [
      "a million durations within each other",
      `duration d = ${"durationof({".repeat(million / 10)}`,
      /levels deep/,
    ],
    ["a whole number of a million bits", "int[1000000] n;", /from 1 to 1,024/],
    ["a negative size", "array[int[8], -1] a;", /-1 elements/],
    [
      "many indices after each other",
      `array[int[8], 2] a; int n = a${"[0]".repeat(1500)};`,
      /levels deep|no bits/,
    ],
    ["a slice of 10^12 elements", "array[int[8], 2] a; a[0:1000000000000] = a;", /too many/],
  ])("refuses %s", (_, body, message) => {
    expect(() => compiled(body)).toThrow(ProgramError);
    expect(() => compiled(body)).toThrow(message);
  });
});

describe("limits of a run", () => {
  test.each([
    ["while", "int n = 0;\nwhile (true) { n += 1; }"],
    ["for", "int n = 0;\nfor int i in [0:1000000000] { n += i; }"],
  ])("name the place of a %s loop that does not end", (_, body) => {
    expect(() => ran(body, { maxOperations: 10_000 })).toThrow(LimitExceededError);
    expect(() => ran(body, { maxOperations: 10_000 })).toThrow(/^4:1: The program was stopped after 10,000 /);
    expect(() => ran(body, { maxMilliseconds: 30 })).toThrow(/^4:1: The program was stopped after 0\.03 s/);
  });

  test("name the innermost of several loops", () => {
    const body = "for int i in [0:9] {\n  int n = 0;\n  while (n < 1) { n = 0; }\n}";
    expect(() => ran(body, { maxOperations: 10_000 })).toThrow(/^5:3: /);
  });

  test("end a subroutine that calls itself without end", () => {
    const body = "def f(int n) -> int { return f(n + 1); }\nint m = f(0);";
    expect(() => ran(body)).toThrow(/^3:37: f calls itself more than 10,000 times/);
  });

  test.each([
    [
      "an index outside an array",
      "array[int[8], 3] a; int n = 7;\na[n] = 1;",
      /^4:3: The index 7 is outside the array, which has 3 elements/,
    ],
    [
      "a bit outside a number",
      "uint[4] n = 3; int i = 4;\nn[i] = 1;",
      /^4:3: Bit 4 is outside a value of 4 bits/,
    ],
    ["a number that is none", "float f = -1;\nf = sqrt(f);", /^4:5: sqrt is not defined for -1/],
    [
      "a qubit that is passed twice",
      "def f(qubit a, qubit b) { h a; h b; }\nqubit[3] q; int i = 1;\nf(q[i], q[1]);",
      /^5:1: f is called with the same qubit twice/,
    ],
    [
      "a qubit that a subroutine passes itself twice",
      "def f(qubit a, qubit b, int n) {\nif (n > 0) { f(a, a, n - 1); }\n}\nqubit[3] q; f(q[0], q[1], 1);",
      /^4:14: f is called with the same qubit twice/,
    ],
    [
      "a qubit twice in one register",
      "def f(qubit[2] a) { h a; }\nqubit[3] q; int i = 1;\nf(q[{i, 1}]);",
      /^5:1: f is called with the same qubit twice/,
    ],
    [
      "a register of another size than a parameter has",
      "def f(qubit[2] a) { h a; }\nqubit[3] q; int i = 2;\nf(q[0:i]);",
      /^5:1: f needs 2 qubits here, not 3/,
    ],
    [
      "a register that is joined with itself",
      "qubit[3] q; int i = 2;\nlet r = q[i] ++ q[1:2];\nh r;",
      /^4:9: A register is joined with itself/,
    ],
    ["a function from outside", "extern f(int) -> int;\nint n = f(3);", /^4:9: The function f is extern/],
  ])("say where there is %s", (_, body, message) => {
    expect(() => ran(body)).toThrow(message);
  });
});

describe("diagnostics as text", () => {
  const shown = (data: string) => {
    try {
      compile({ format: "qasm3", data });
    } catch (error) {
      if (error instanceof ProgramError) return `\n${formatDiagnostics(data, error.diagnostics)}\n`;
      throw error;
    }
    return "";
  };

  test("show the line, carets and the hint", () => {
    expect(shown('include "stdgates.inc";\nqubit[2] q;\n\thh q[0];\ncx q[0] q[1];')).toMatchInlineSnapshot(`
      "
      3:2: There is no gate hh.
        |
      3 |  hh q[0];
        |  ^^
        = Did you mean h?

      4:8: A comma is missing between two operands.
        |
      4 | cx q[0] q[1];
        |        ^
        = Write \`,\` before \`q\`.
      "
    `);
  });

  test("cut long lines around the errorAt, and show nothing that steers a terminal", () => {
    const text = shown(
      `qubit q; ${"U(0, 0, 0) q; ".repeat(50)}zz\u001b[31m q; ${"U(0, 0, 0) q; ".repeat(50)}`,
    );
    expect(Math.max(...text.split("\n").map(line => line.length))).toBeLessThan(120);
    expect(text).toMatch(/…/);
    expect(text).not.toContain("\u001b");
  });
});
