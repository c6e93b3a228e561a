import { describe, expect, test } from "vitest";
import { compile, drawText, ProgramError, simulate } from "../../../src/simulation/index.ts";
import { HEAD, outputsOf, resultOf, run } from "./support.ts";

describe("inputs", () => {
  test.each([
    ["input int[8] n; int[8] x = n + 1;", { n: 41 }, 42],
    ["input uint[64] n; uint[64] x = n;", { n: "18446744073709551615" }, "18446744073709551615"],
    ["input float t; float x = 2 * t;", { t: "pi / 2" }, Math.PI],
    ["input angle[8] t; bit[8] x = bit[8](t);", { t: Math.PI }, "10000000"],
    ["input angle[8] t; bool x = t == 1.0;", { t: 1 }, true],
    ["input bit[4] b; bit[4] x = b;", { b: "0110" }, "0110"],
    ["input bool b; bool x = !b;", { b: false }, true],
    ["input duration d; float x = d / 1ns;", { d: "2.5us" }, 2500],
    ["input complex z; complex x = z * 1im;", { z: "1 + 2im" }, [-2, 1]],
    [
      "input array[int[8], 2, 2] a; int x = a[1, 0];",
      {
        a: [
          [1, 2],
          [3, 4],
        ],
      },
      3,
    ],
  ])("%s with %j gives %j", (body, inputs, value) => {
    expect(resultOf(body, { inputs })).toEqual(value);
  });

  test("are constants to the circuit, so that a gate keeps its angle", () => {
    const circuit = compile(
      { format: "qasm3", data: `${HEAD}input float theta; qubit q; rx(theta) q;` },
      { inputs: { theta: 0.5 } },
    );
    expect([...circuit.parts.operations.params]).toEqual([0.5]);
  });

  test.each([
    ["input int n;", {}, /3:11: The input n has no value/],
    ["input int theta;", { thet: 1 }, /Did you mean thet\?/],
    ["input uint[4] n;", { n: 16 }, /3:15: The value 16 of the input n cannot stand for a uint\[4\]/],
    ["input int n;", { n: 0.5 }, /0\.5 of the input n cannot stand for an int/],
    ["input bit[3] b;", { b: "01" }, /cannot stand for a bit\[3\]/],
    ["input float t;", { t: "2 *" }, /"2 \*" of the input t is at fault/],
    ["input float t;", { t: "q" }, /q is not declared/],
    ["input array[int, 2] a;", { a: [1] }, /needs a list of 2 values/],
    ["input int n; n = 2;", { n: 1 }, /n is an input and cannot be assigned/],
    ["input int n = 2;", { n: 1 }, /takes its value from outside/],
    ["def f() -> int { return n; } input int n;", { n: 1 }, /n is not declared/],
  ])("%s with %j is refused", (body, inputs, message) => {
    expect(() => compile({ format: "qasm3", data: HEAD + body }, { inputs })).toThrow(ProgramError);
    expect(() => compile({ format: "qasm3", data: HEAD + body }, { inputs })).toThrow(message);
  });
});

describe("open inputs", () => {
  const data = `${HEAD}input float theta; qubit q; bit c; rx(2 * theta) q; c = measure q;`;

  test("let a circuit be drawn without values, and not be run", () => {
    const circuit = compile({ format: "qasm3", data }, { openInputs: true });
    expect(drawText(circuit)).toContain("┤Rx 2θ├");
    expect(() => simulate(circuit, { shots: 1 })).toThrow(/^3:13: The input theta has no value/);
  });

  test("take the values that there are", () => {
    const circuit = compile({ format: "qasm3", data }, { openInputs: true, inputs: { theta: "pi / 2" } });
    expect(simulate(circuit, { shots: 3 }).measurementCounts).toEqual({ 1: 3 });
  });
});

describe("outputs", () => {
  test("are all variables where none is declared as output", () => {
    expect(outputsOf('int n = 3; float f = 0.5; bit[2] c = "10"; bool b = true; const int k = 1;')).toEqual({
      n: 3,
      f: 0.5,
      c: "10",
      b: true,
    });
  });

  test("are those declared as output where there are any", () => {
    const { outputs, measurementCounts } = run(`${HEAD}output int n; bit c; n = 3; int m = 4;`);
    expect(outputs).toEqual([{ n: 3 }, { n: 3 }, { n: 3 }]);
    expect(measurementCounts).toEqual({ 0: 3 });
  });

  test("fit the measured bits, shot by shot", () => {
    const body = `${HEAD}qubit[2] q; bit[2] c; output int n; output bit[2] d; h q; c = measure q; n = 2 * uint[2](c); h q[0]; d = measure q;`;
    const { outputs, measurements } = run(body, {}, 200);
    expect(new Set(outputs!.map(({ n }) => n))).toEqual(new Set([0, 2, 4, 6]));
    outputs!.forEach(({ n, d }, i) => {
      const [upper, lower] = measurements![i]!.split(" ");
      expect(upper).toBe(d);
      expect(n).toBe(2 * Number.parseInt(lower!, 2));
    });
  });
});
