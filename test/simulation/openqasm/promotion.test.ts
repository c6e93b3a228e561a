import { describe, expect, test } from "vitest";
import { compile, ProgramError } from "../../../src/simulation/index.ts";
import { HEAD, outputsOf, resultOf } from "./support.ts";

const compiled = (body: string) => compile({ format: "qasm3", data: HEAD + body });
const notesOf = (body: string) => compiled(body).parts.notes.map(({ message }) => message);

describe("bits and truth values in arithmetic", () => {
  test.each([
    ["int x = 3; bit k = 1; x += k;", 4],
    ['bit[3] c = "101"; int n = 4; int x = n + c[2] + c[1];', 5],
    ["int x = true + 1;", 2],
    ["int x = true + true;", 2],
    ["bool b = true; float x = b * 2.5;", 2.5],
    ["bit b = 1; int x = -b;", -1],
    ["bit b = 1; int x = b << 3;", 8],
    ["bit b = 1; int x = 4 | b;", 5],
    ["bool b = true; int x = 6 & b;", 0],
    ["bit b = 1; int n = 3; int x = n * b;", 3],
    ["bit b = 1; float x = b;", 1],
    ["bit b = 1; complex x = b + 1im;", [1, 1]],
    ["bit b = 1; duration x = b * 10ns;", 10],
    ["bool b = true; bit x = b & 1 == 1;", "1"],
    ["bool b = true; bit c = 1; bool x = b ^ c;", false],
    ["bool x = true & false | true;", true],
    ["bit x = ~false;", "1"],
    ["bit b = 1; bit x = ~b;", "0"],
    ["int n = 6; bit x = n;", "1"],
    ["bool x = 1 == true;", true],
    ["bool x = 2 > true;", true],
    ["bit[4] x = bit[4](true);", "0001"],
    ["angle a = pi; bit x = a;", "1"],
    ["float f = 0.5; bit x = f;", "1"],
    ['bit[3] c = "100"; bit x = bit(c);', "1"],
  ])("%s gives %s", (body, value) => {
    expect(resultOf(body)).toEqual(value);
  });

  test("turn gates", () => {
    const { x } = outputsOf("qubit q; bool b = true; rx(b * pi) q; bit x = measure q;");
    expect(x).toBe("1");
  });

  test("do as the examples of switch in the specification do", () => {
    expect(
      outputsOf(`def foo(qubit[8] q) -> int {
        int r = 0; bit k;
        for int i in [0 : 7] { k = measure q[i]; r += k; }
        return r;
      }
      def bar(int i, qubit[8] d) -> bit { return measure d[i]; }
      qubit[8] q; x q[2]; x q[5];
      int j = 30; int i = foo(q);
      switch (i) { case 1, 5, 12 { } case 2 { j = i + bar(i, q); } default { } }`),
    ).toEqual({ j: 3, i: 2 });
  });
});

describe("whole numbers", () => {
  test.each([
    ["bool x = int(-1) < uint(1);", false],
    ["int a = -1; uint b = 1; bool x = a < b;", false],
    ["uint b = 1; bool x = b > -1;", false],
    ["int a = -1; uint[8] b = 1; bool x = a < b;", true],
    ["int[8] a = -1; uint[8] b = 1; bool x = a < b;", true],
    ["int a = -1; int b = 1; bool x = a < b;", true],
    ["int a = -1; uint b = 18446744073709551615; bool x = a == b;", true],
  ])("are compared as in C: %s gives %s", (body, value) => {
    expect(resultOf(body)).toBe(value);
  });

  test.each([
    ["int x = 2.7;", 2],
    ["float f = -2.7; int x; x = f;", -2],
    ["int x = 5; x /= 2.0;", 2],
    ["def f() -> int { return 3.9; } int x = f();", 3],
    ["def f(int n) -> int { return n; } int x = f(3.9);", 3],
    ["array[int[8], 2] x = {1.5, 2.5};", [1, 2]],
  ])("take what is assigned without its fraction: %s gives %s", (body, value) => {
    expect(resultOf(body)).toEqual(value);
    expect(notesOf(body)).toContainEqual(expect.stringContaining("its fraction is dropped"));
  });

  test.each([
    ["as constants", "const int n = 2.5;"],
    ["as indices", "qubit[4] q; x q[1.5];"],
    ["as sizes", "qubit[2.0] q;"],
    ["as ends of a range", "for int i in [0:2.0] { }"],
  ])("are not made of real numbers %s", (_, body) => {
    expect(() => compiled(body)).toThrow(ProgramError);
  });

  test.each([
    ["uint[3] u = c;", /bit\[5\] cannot stand for a uint\[3\]\. The widths must be equal: use uint\[5\]/],
    ["uint[8] u = uint[8](c);", /cannot be turned into a uint\[8\]/],
    ["int[6] n; n = c;", /widths must be equal/],
  ])("take the bits of a register of their own width alone: %s", (body, message) => {
    expect(() => compiled(`bit[5] c; ${body}`)).toThrow(message);
  });

  test("without a width take as many bits as they have", () => {
    expect(resultOf('bit[5] c = "10110"; int x = c;')).toBe(22);
    expect(() => compiled("bit[65] c; int n = c;")).toThrow(/widths must be equal/);
  });

  test.each(["const int n = 1 << -1;", "const uint[8] n = 4 >> -1;"])("are not shifted back: %s", body => {
    expect(() => compiled(body)).toThrow(/shifted by -1; shift them the other way/);
  });

  test("are not shifted back by what is computed in the run", () => {
    expect(() => resultOf("int n = -1; int x = 8;\nx >>= n;")).toThrow(/^5:7: .*shifted by -1/);
  });
});

describe("a statement that is an expression", () => {
  test.each([
    "a + 1;",
    "complex[float[32]](a);",
    "a;",
    "q;",
    "b[0];",
    "r;",
    "(a);",
    "a == 2;",
    '"01";',
    "f();",
  ])("is taken: %s", body => {
    const head = "int a = 1; qubit q; array[int, 2] b; bit[2] r; def f() -> int { return 1; } ";
    const expected = body === "f();" ? [] : [expect.stringContaining("is not used")];
    expect(notesOf(head + body)).toEqual(expected);
  });

  test("names what exists", () => {
    expect(() => compiled("int a; a + b;")).toThrow(/b is not declared/);
  });

  test("calls a subroutine once", () => {
    expect(resultOf("qubit q; def flip(qubit q) -> bit { x q; return 1; } flip(q); bit x = measure q;")).toBe(
      "1",
    );
  });
});
