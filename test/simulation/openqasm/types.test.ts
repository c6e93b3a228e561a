import { describe, expect, test } from "vitest";
import { outputsOf, resultOf } from "./support.ts";

describe("whole numbers", () => {
  test.each([
    ["uint[8] x = 250; x += 10;", 4],
    ["int[8] x = 127; x += 1;", -128],
    ["int[8] x = -128; x = -x;", -128],
    ["uint[4] x = 0; x -= 1;", 15],
    ["int[16] x = int[16](uint[16](65535));", -1],
    ["int x = 7 / -2;", -3],
    ["int x = -7 % 3;", -1],
    ["int[32] x = 2 ** 31;", -2147483648],
    ["uint x = 2 ** 63;", "9223372036854775808"],
    ["uint x = 0xFFFF_FFFF_FFFF_FFFF;", "18446744073709551615"],
    ["uint[8] a = 1; int[8] b = -1; bool x = a < b;", false],
    ["uint[8] a = 1; int[16] b = -1; bool x = a < b;", false],
    ["int x = int(2.9) + int(-2.9);", 0],
    ["uint[6] b = 37; uint[6] x = rotl(b, 3);", 44],
    ["uint[6] b = 37; uint x = popcount(b);", 3],
    ["int[8] x = 1; x <<= 9;", 0],
    ["uint[8] x = 5; x **= 2;", 25],
    ["int x = 2 + 3 * 2 ** 2 ** 1 - -4;", 18],
    ["int x = -2 ** 2;", -4],
    ["int x = 1 << 2 + 1 | 1 & 3 ^ 2;", 11],
  ])("%s gives %s", (body, value) => {
    expect(resultOf(body)).toBe(value);
  });
});

describe("bits of numbers", () => {
  test.each([
    ["int[32] n = 15; bit x = n[-1];", "0"],
    ["int[32] n = 15; bit[16] x = n[0:2:31];", "0000000000000011"],
    ['int[32] x = 15; x[4:7] = "1010";', 175],
    ["int[8] x = 0; x[7] = 1;", -128],
    ['uint[4] x = 0; x[{0, 3}] = "11";', 9],
    ["const uint[16] n = 10; bit x = n[1];", "1"],
    ["uint[8] n = 0b1100; bit[4] x = n[3:-1:0];", "0011"],
    ["uint[4] x = 0; for int i in [0:3] { x[i] = i % 2 == 0; }", 5],
    ["qubit q; x q; uint[4] x = 0; x[2] = measure q;", 4],
  ])("%s gives %s", (body, value) => {
    expect(resultOf(body)).toBe(value);
  });
});

describe("angles", () => {
  const bits = (width: number, value: string) =>
    `angle[${width}] a = ${value}; bit[${width}] x = bit[${width}](a);`;
  test.each([
    [bits(4, "π"), "1000"],
    [bits(6, "π / 2"), "010000"],
    [bits(8, "7 * (π / 8)"), "01110000"],
    [bits(8, "2 * pi * (127. / 512.)"), "01000000"],
    [bits(4, "-pi / 8"), "1111"],
    ["angle[4] a = 9 * (pi / 8); bit[4] x = bit[4](a << 2);", "0100"],
    ["angle[4] a = 9 * (pi / 8); bit[4] x = bit[4](a >> 2);", "0010"],
    ["angle[4] a = 7 * (pi / 8); angle[4] b = pi / 8; bit[4] x = bit[4](a + b);", "1000"],
    ["angle[4] a = 7 * (pi / 8); angle[4] b = pi / 8; bit[4] x = bit[4](b - a);", "1010"],
    ["angle[4] a = 7 * (pi / 8); uint[4] two = 2; bit[4] x = bit[4](a / two);", "0011"],
    ["angle[4] c = 5 * (pi / 4); uint[4] two = 2; bit[4] x = bit[4](two * c);", "0100"],
    ["angle[4] c = 5 * (pi / 4); angle[4] b = pi / 8; uint[4] x = c / b;", 10],
    ["angle[4] a = pi / 4; angle[4] b = -a; bit[4] x = bit[4](b);", "1110"],
    ["angle[4] a = 9 * (pi / 8); angle[2] b = a; bit[2] x = bit[2](b);", "10"],
    ["angle[32] d = pi; bool x = d == pi;", true],
    ["angle[4] a = 0; a[3] = 1; bool x = a == pi;", true],
    ["angle[8] a = 3 * pi / 2; bool x = 2 * a >= a;", false],
  ])("%s gives %s", (body, value) => {
    expect(resultOf(body)).toBe(value);
  });
});

describe("real and complex numbers", () => {
  test.each([
    ["float[32] x = 0.1;", Math.fround(0.1)],
    ["float x = 1 / 2;", 0],
    ["float x = 1 / 2.0;", 0.5],
    ["float x = mod(7.5, 2.0) + sqrt(4) + floor(-0.5);", 2.5],
    ["float x = sin(angle(pi / 2)) + cos(0);", 2],
    ["complex[float[64]] a = 10.0 + 5.0im; complex x = a + (-2.0 - 7.0im);", [8, -2]],
    ["complex a = 10.0 + 5.0im; complex x = a * (-2.0 - 7.0im);", [15, -80]],
    ["complex x = 2.0 + sin(π/2) + (3.0 * 5.5 im);", [3, 16.5]],
    ["complex c = 3 - 4im; float x = real(c) - imag(c);", 7],
    ["complex c = sqrt(-4 + 0im); complex x = c;", [0, 2]],
    ["complex c = 1im; bool x = c * c == -1;", true],
  ])("%s gives %s", (body, value) => {
    expect(resultOf(body)).toEqual(value);
  });

  test("gives the principal value of a complex power", () => {
    const [re, im] = resultOf("complex a = 10 + 5im; complex x = a ** (-2 - 7im);") as [number, number];
    expect(re).toBeCloseTo(0.10694695640729072, 12);
    expect(im).toBeCloseTo(0.17536481119721312, 12);
  });
});

describe("durations", () => {
  test.each([
    ["duration x = 1000ms + 1 s;", 2e9],
    ["duration a = 500ns; float x = a / 1ns;", 500],
    ["duration x = 2 * 3us / 4;", 1500],
    ["duration x = durationof({ delay[100dt] $0; box { delay[1us] $0; } });", 1100],
    ["stretch g; duration x = 300ns + 2 * g;", 300],
    ["bool x = 1us > 999ns;", true],
  ])("%s gives %s", (body, value) => {
    expect(resultOf(body)).toBe(value);
  });
});

describe("arrays", () => {
  test.each([
    ["array[int[32], 5] x = {0, 1, 2, 3, 4}; x[4] = 10; x[-5] = 7;", [7, 1, 2, 3, 10]],
    [
      "array[float[64], 3, 2] x = {{1.5, 2}, {2.5, 3}, {3, 4}}; x[-1, 1] = 0.0;",
      [
        [1.5, 2],
        [2.5, 3],
        [3, 0],
      ],
    ],
    [
      "array[int[8], 2, 3] x; array[int[8], 3] a = {1, 2, 3}; x[1] = a;",
      [
        [0, 0, 0],
        [1, 2, 3],
      ],
    ],
    [
      "array[int[8], 2] a = {0, 1}; array[int[8], 3] b = {2, 3, 4}; array[int[8], 5] x = a ++ b;",
      [0, 1, 2, 3, 4],
    ],
    ["array[int[8], 2] a = {0, 1}; array[int[8], 3] x = {2, 3, 4}; x[1:2] = a[0:1];", [2, 0, 1]],
    ["array[int[8], 4] x = {1, 2, 3, 4}; x[0:2] = x[1:3];", [2, 3, 4, 4]],
    ['array[uint[8], 2] x = {0, 0}; x[0][1] = 1; x[1][0:3] = "1001";', [2, 9]],
    ["array[int[8], 3] a = {5, 6, 7}; int x = 0; for int v in a { x += v; }", 18],
    ["array[int[8], 3] a = {5, 6, 7}; int x = 0; for int i in [0:2] { x += a[2 - i] * i; }", 16],
    ["array[int[8], 3, 4] a; uint x = sizeof(a) * 10 + sizeof(a[0]);", 34],
    ["array[bool, 2] x = {true, false}; x[1] = x[0];", [true, true]],
    [
      "array[complex[float[64]], 2] x = {1im, 2}; x[1] *= x[0];",
      [
        [0, 1],
        [0, 2],
      ],
    ],
  ])("%s gives %j", (body, value) => {
    expect(resultOf(body)).toEqual(value);
  });

  test("hands arrays to subroutines by reference", () => {
    const program = `
      def fill(mutable array[int[8], #dim = 1] a, int[8] v) { for int i in [0:sizeof(a) - 1] { a[i] = v; } }
      def sum(readonly array[int[8], #dim = 2] a) -> int {
        int s = 0;
        for int i in [0:sizeof(a, 0) - 1] { for int j in [0:sizeof(a, 1) - 1] { s += a[i][j]; } }
        return s;
      }
      array[int[8], 3, 5] x;
      fill(x[1, 0:3], 2);
      int total = sum(x);`;
    expect(outputsOf(program)).toEqual({
      x: [
        [0, 0, 0, 0, 0],
        [2, 2, 2, 2, 0],
        [0, 0, 0, 0, 0],
      ],
      total: 8,
    });
  });
});

describe("whole numbers beyond an int", () => {
  test.each([
    ["uint n = 0; n -= 1; qubit[4] q; reset q[n];", "outside q"],
    ["uint n = 0; n -= 1; array[int, 4] a; int x = a[n];", "outside the array"],
    ["int[128] n = 1; n <<= 64; bit[4] b; bit x = b[n];", "outside b"],
  ])("are no other place than they say: %s", (body, message) => {
    expect(() => outputsOf(body)).toThrow(message);
  });

  test.each([
    ["int[128] n = 1; n <<= 64; int x = 0; switch (n) { case 0 { x = 1; } default { x = 2; } }", 2],
    [
      "uint n = 0; n -= 1; int x = 0; switch (n) { case -1 { x = 1; } case 18446744073709551615 { x = 2; } }",
      2,
    ],
  ])("choose the case that they are: %s", (body, value) => {
    expect(resultOf(body)).toBe(value);
  });
});

describe("subroutines", () => {
  test.each([
    ["def f(int n) -> int { if (n <= 1) { return 1; } return n * f(n - 1); } int x = f(10);", 3628800],
    ["def fib(int n) -> int { if (n < 2) return n; return fib(n - 1) + fib(n - 2); } int x = fib(12);", 144],
    [
      'def up(bit[3] b, int n) -> int { if (n == 0) return uint[3](b); return up(b << 1, n - 1); } int x = up("001", 2);',
      4,
    ],
  ])("call themselves: %s gives %s", (body, value) => {
    expect(resultOf(body)).toBe(value);
  });

  test("call themselves with ever fewer qubits", () => {
    const program = `qubit[4] q;
      def ghz(qubit[4] r, int n) { if (n == 0) { return; } cx r[n - 1], r[n]; ghz(r, n - 1); }
      x q[3]; ghz(q, 3); x q[0]; bit[4] x; x = measure q;`;
    expect(resultOf(program)).toBe("1001");
  });
});
