import { describe, expect, test } from "vitest";
import { compile } from "../../../src/simulation/index.ts";
import { distribution, HEAD, HEAD2, run } from "../run.ts";

/** Returns the bits that a program without randomness leaves in its registers. */
function bitsOf(body: string, head = HEAD): string {
  const keys = Object.keys(run(head + body, { shots: 5, seed: 1 }).measurementCounts);
  expect(keys).toHaveLength(1);
  return keys[0]!;
}

describe("classical values", () => {
  test.each([
    ["bit[8] c; uint[8] n = 250; n += 10; c = n;", "00000100"],
    ["bit[4] c; int[4] n = 7; n = n + 1; c = bit[4](n);", "1000"],
    ["bit[8] c; int[8] n = -1; c = bit[8](n);", "11111111"],
    ["bit[4] c; c = uint[4](7 / 2);", "0011"],
    ["bit[4] c; c = uint[4](2 ** 3 + 7 % 4);", "1011"],
    ['bit[4] c = "1010"; c = ~c;', "0101"],
    ['bit[4] c = "1010"; c = c << 1;', "0100"],
    ['bit[4] c = "1010"; c = c >> 1 | "0001";', "0101"],
    ['bit[4] c = "0011"; c = c ^ "0101"; c &= "0111";', "0110"],
    ['bit[4] c = "0001"; c = rotl(c, 3);', "1000"],
    ['bit[4] a = "1101"; bit[4] c; c = uint[4](popcount(a));', "0011 1101"],
    ['bit[2] a = "10"; bit[3] b = "011"; bit[5] c; c = a ++ b;', "10011 011 10"],
    ["bit c; c = 2 * 3 > 5 && !(1 == 2) || false;", "1"],
    ["bit c; float x = sin(pi / 6); c = bit(x > 0.4999 && x < 0.5001);", "1"],
    ["bit c; c = bool(τ == 2 * π && ℇ == euler);", "1"],
    ["bit c; angle[4] a = 3 * pi; c = bool(a > 2.5 && a < 3.7);", "1"],
    ["bit c; const int n = 3; const int m = n * n; c = bool(m == 9);", "1"],
    ["bit[3] c; c[0] = 1; c[-1] = 1;", "101"],
    ["bit[8] c; c = uint[8](0b1010 + 0xF + 0o7 + 1_0);", "00101010"],
    ["bit c; uint[4] n = 5; c = n[2];", "1"],
    ['bit[4] c; c[0:2:3] = "11";', "0101"],
    ['bit[4] c; let part = c[{1, 2}]; part = "11";', "0110"],
  ])("%s gives %s", (body, bits) => {
    expect(bitsOf(body)).toBe(bits);
  });
});

describe("control flow", () => {
  test.each([
    ["bit[4] c; uint[4] n = 0; for int i in [1:5] { n += uint[4](i); } c = n;", "1111"],
    ["bit[4] c; uint[4] n = 0; for int i in [6:-2:0] { n += 1; } c = n;", "0100"],
    ["bit[4] c; uint[4] n = 0; for uint i in {1, 4, 2} { n += i; } c = n;", "0111"],
    ['bit[4] a = "1011"; bit[4] c; uint[4] n = 0; for bit b in a { if (b) n += 1; } c = n;', "0011 1011"],
    [
      "bit[4] c; uint[4] n = 0; while (true) { n += 1; if (n == 3) continue; if (n > 6) break; } c = n;",
      "0111",
    ],
    ["bit[2] c; int n = 2; switch (n) { case 0 { c = 0; } case 1, 2 { c = 3; } default { c = 1; } }", "11"],
    ["bit[2] c; int n = 9; switch (n) { case 0 { c = 2; } default { c = 1; } }", "01"],
    ["bit[2] c; if (false) c[0] = 1; else if (true) c[1] = 1; else { c[0] = 1; }", "10"],
    ["bit c; c = 1; end; c = 0;", "1"],
    [
      "bit[4] c; def sum(int n) -> uint[4] { uint[4] s = 0; for int i in [1:n] { s += 1; } return s; } c = sum(2) + sum(3);",
      "0101",
    ],
    [
      "qubit[3] q; bit[3] c; def flip(qubit[2] r, bool really) { if (really) { x r; } } flip(q[1:2], true); flip(q[0:1], false); c = measure q;",
      "110",
    ],
    [
      "qubit[2] q; bit[2] c; def turn(int n, qubit r) { for int i in [1:n] { x r; } } turn(3) q[0]; turn(2) q[1]; c = measure q;",
      "01",
    ],
    [
      "qubit[2] q; bit[2] c; def look(qubit r) -> bit { x r; return measure r; } for int i in [0:1] { c[i] = look(q[i]); }",
      "11",
    ],
  ])("%s gives %s", (body, bits) => {
    expect(bitsOf(body)).toBe(bits);
  });
});

describe("quantum statements", () => {
  test.each([
    ["qubit[4] q; bit[4] c; let odd = q[1:2:3]; x odd; c = measure q;", "1010"],
    ["qubit[2] a; qubit[2] b; bit[4] c; let all = b ++ a; x all[0]; c = measure all;", "0001"],
    ["qubit[3] q; bit[3] c; x q[0]; cx q[0], q[1:2]; c = measure q;", "111"],
    ["qubit[2] a; qubit[2] b; bit[2] c; x a; cx a, b; measure b -> c;", "11"],
    ["qubit[2] q; bit[2] c; x q; reset q[0]; barrier q; delay[100ns] q; c = measure q;", "10"],
    ["qubit[2] q; bit[2] c = measure q;", "00"],
    ["qubit q; x q; bit c = measure q;", "1"],
    ["bit[2] c; x $1; c[1] = measure $1;", "10"],
    [
      "pragma something\n@note this is kept and ignored\nqubit q; /* and\nthis */ bit c; box { x q; } c = measure q; // and this",
      "1",
    ],
    [
      "gate two(a, b) p, q { for int i in [0:1] { rx(a * b) p; } cx p, q; } qubit[2] q; bit[2] c; two(pi, 1/2) q[0], q[1]; c = measure q;",
      "11",
    ],
    ["cal { not our language } qubit q; bit c; defcal x $0 { neither { is } this } x q; c = measure q;", "1"],
    ["qubit[2] q; bit[2] c; int i = 1; x q[i]; c[i] = measure q[i];", "10"],
  ])("%s gives %s", (body, bits) => {
    expect(bitsOf(body)).toBe(bits);
  });

  test("run in OpenQASM 2, where ^ is the power and division is real", () => {
    expect(
      bitsOf(
        "qreg q[2]; creg c[2]; gate g(t) a, b { rx(t*2^2/4) a; CX a, b; } g(pi) q[0], q[1]; barrier q; measure q -> c;",
        HEAD2,
      ),
    ).toBe("11");
  });

  test("put a gate of the program's own in the place of one of the library", () => {
    const head = 'OPENQASM 2.0; include "qelib1.inc";';
    expect(distribution(`${head} gate h a { x a; } qreg q[1]; creg c[1]; h q[0]; measure q -> c;`)).toEqual({
      "1": 1,
    });
  });

  test("hide a standard gate behind a variable with a note", () => {
    const notesOf = (name: string) =>
      compile({ format: "qasm3", data: `${HEAD}int ${name} = 1;` }).parts.notes;
    expect(notesOf("h")).toMatchObject([{ line: 3, column: 5, message: expect.stringContaining("hides") }]);
    expect(notesOf("i")).toEqual([]);
  });
});

describe("circuits", () => {
  test("tell their registers, depth and gate counts", () => {
    const circuit = compile({
      format: "qasm3",
      data: `${HEAD}qubit[2] q; qubit r; bit[2] c; bit d; int n = 0; h q; cx q[0], q[1]; barrier q; rz(1) r; c = measure q; for int i in [0:9] { x r; }`,
    });
    expect(circuit.numQubits).toBe(3);
    expect(circuit.numClbits).toBe(3);
    expect(circuit.registers.quantum.map(({ name, size }) => [name, size])).toEqual([
      ["q", 2],
      ["r", 1],
    ]);
    expect(circuit.registers.classical.map(({ name, width }) => [name, width])).toEqual([
      ["c", 2],
      ["d", 1],
    ]);
    expect(circuit.depth()).toBe(3);
    expect(circuit.gateCounts()).toEqual({ h: 2, cx: 1, rz: 1, measure: 2, x: 1 });
  });
});
