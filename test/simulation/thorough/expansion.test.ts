import { describe, expect, test } from "vitest";
import {
  type Circuit,
  compile,
  DEFAULT_COMPILE_LIMITS,
  drawSvg,
  drawText,
  ProgramError,
  printCompiled,
  SimulationError,
  simulate,
  toQir,
} from "../../../src/simulation/index.ts";
import { TokenStream } from "../../../src/simulation/openqasm/syntax/token-stream.ts";
import { HEAD } from "../openqasm/support.ts";

const compiled = (body: string) => compile({ format: "qasm3", data: HEAD + body });
const times = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");
const gates = (levels: number) =>
  `gate g0 a { x a; }\n${times(levels, i => `gate g${i + 1} a { g${i} a; g${i} a; }`)}\n`;
const subroutines = (levels: number) =>
  `def f0(qubit a) { x a; }\n${times(levels, i => `def f${i + 1}(qubit a) { f${i}(a); f${i}(a); }`)}\n`;
const ones = "1".repeat(60_000);

/** Returns by how many megabytes a piece of work raises the most memory that the process has had, and the error that it ends with. */
function measured(work: () => unknown): { megabytes: number; error: unknown } {
  const before = process.resourceUsage().maxRSS;
  let error: unknown = null;
  try {
    work();
  } catch (thrown) {
    error = thrown;
  }
  return { megabytes: (process.resourceUsage().maxRSS - before) / 1e3, error };
}

describe("a short text that stands for too much", () => {
  test.each([
    ["gates that double", `${gates(60)}qubit q; g60 q;`, /g60 comes to 1,152,921,504,606,84\d,\d+ gates/],
    [
      "gates that double, inverted and controlled",
      `${gates(60)}qubit[2] q; ctrl @ inv @ g60 q[0], q[1];`,
      /steps in all/,
    ],
    ["gates that double, on computed qubits", `${gates(60)}qubit[2] q; int i; g60 q[i];`, /steps in all/],
    ["a power beyond all measure", "gate g a { h a; t a; } qubit q; pow(1e15) @ g q;", /steps in all/],
    [
      "subroutines that double",
      `${subroutines(40)}qubit q; f40(q);`,
      /call of f40 expands to [\d,]{17,} steps/,
    ],
    [
      "subroutines that double in a loop",
      `${subroutines(40)}qubit q; for int i in [0:1] { f40(q); }`,
      /expands to/,
    ],
    [
      "functions that double in expressions",
      `def f0(int n) -> int { return n; }\n${times(40, i => `def f${i + 1}(int n) -> int { return f${i}(n) + f${i}(n); }`)}
       int n = f40(1);`,
      /expands to/,
    ],
    [
      "loops in many gates",
      times(200, i => `gate g${i} a { for int i in [0:9999] { x a; x a; } }`),
      /too many rounds/,
    ],
    [
      "many powers of a long gate",
      `gate g a, b { for int i in [0:5000] { p(0.1) a; cx a, b; } } qubit[2] q; ${times(2000, i => `pow(${i}.5) @ g q[0], q[1];`)}`,
      /steps in all/,
    ],
    ["broadcasts across everything", `qubit[10000] q; ${"h q;".repeat(3000)}`, /10,000,000 operations/],
    [
      "calls of a subroutine that broadcasts",
      `def f(qubit[10000] q) { h q; x q; } qubit[10000] q; ${"f(q);".repeat(3000)}`,
      /10,000,000 operations|steps/,
    ],
    [
      "barriers across everything",
      `qubit[10000] q; ${"barrier;".repeat(10_000)}`,
      /barrier has 10,000 qubits/,
    ],
    [
      "slices of everything",
      `qubit[10000] q; ${times(5000, i => `let a${i} = q[0:9999];`)}`,
      /10,000 members/,
    ],
    [
      "slices of an array",
      `array[int[8], 1000000] a; ${"a[0:999998] = a[1:999999];".repeat(100)}`,
      /999,999 members/,
    ],
    [
      "slices of a constant",
      `const bit[60000] b = "${ones}"; ${"b[0:59999];".repeat(1000)}`,
      /60,000 members/,
    ],
  ])("is refused before it takes memory: %s", (_, body, message) => {
    const { megabytes, error } = measured(() => compiled(body));
    expect(error).toBeInstanceOf(ProgramError);
    expect((error as Error).message).toMatch(message);
    expect(megabytes).toBeLessThan(200);
  });

  test.each([
    ["a gate of many steps", `${gates(21)}qubit q; bit c; g21 q;`],
    ["a loop of many rounds", "qubit q; bit c; for int i in [0:2000000] { x q; }"],
    [
      "choices by choices",
      `qubit q; bit[50000] d; bit c; int n; ${"c = measure q; if (c) { n += 1; } else { n *= 2; }".repeat(300)}`,
    ],
  ])("is written out or refused within the same bounds: %s", (_, body) => {
    const circuit = compiled(body);
    const writers: ((of: Circuit) => string)[] = [
      toQir,
      drawText,
      drawSvg,
      of => printCompiled(of, { method: "statevector" }),
    ];
    for (const write of writers) {
      const { megabytes, error } = measured(() => write(circuit));
      if (error) expect(error).toBeInstanceOf(SimulationError);
      expect(megabytes).toBeLessThan(200);
    }
  });

  test("is taken where it is not too much", () => {
    const { measurementCounts } = simulate(
      compiled(`${gates(10)}${subroutines(9)}qubit q; bit c; x q; g10 q; f9(q); c = measure q;`),
      {
        shots: 3,
      },
    );
    expect(measurementCounts).toEqual({ 1: 3 });
    expect(() => compiled(`def f(qubit q) { h q; t q; } qubit q; ${"f(q);".repeat(100_000)}`)).not.toThrow();
  });
});

describe("operands that are not known before the run", () => {
  test("are kept once, however many operations share them", () => {
    const body = "qubit[5000] q; qubit[5000] r; bit[50000] c; int i;";
    const { megabytes, error } = measured(() => {
      const circuit = compiled(`${body}${"cx q[i], r[i]; if (c == 1) { h q[i]; }".repeat(5000)}`);
      expect(drawText(circuit)).toContain("more operations");
      return circuit;
    });
    expect(error).toBeNull();
    expect(megabytes).toBeLessThan(200);
  });

  test("are drawn on one wire each, up to a limit", () => {
    const circuit = compiled(
      `qubit q; ${times(500, i => `bit c${i};`)} ${times(500, i => `c${i} = measure q;`)}`,
    );
    expect(drawText(circuit)).toContain("… 440 more registers");
    expect(drawText(circuit, { width: 10_000 }).split("\n").length).toBeLessThan(140);
  });
});

describe("what is no token", () => {
  test.each([
    ["a string that never ends", `"${"a\\".repeat(50_000)}`],
    ["backslashes", "\\".repeat(50_000)],
    ["hash signs", "#\n".repeat(50_000)],
    ["numbers with letters", "1a ".repeat(50_000)],
  ])("is skipped after an error, without an error for each: %s", (_, text) => {
    const tokens = new TokenStream(text, DEFAULT_COMPILE_LIMITS);
    const next = tokens.lexer.next.bind(tokens.lexer);
    let faults = 0;
    tokens.lexer.next = () => {
      try {
        return next();
      } catch (error) {
        faults++;
        throw error;
      }
    };
    tokens.recover(0);
    expect(tokens.peek().kind).toBe("end");
    expect(faults).toBe(0);
    expect(() => compiled(`qubit q; h q ${text}`)).toThrow(ProgramError);
  });
});
