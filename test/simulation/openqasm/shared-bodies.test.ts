import { expect, test } from "vitest";
import { compile, ProgramError, printCompiled, simulate } from "../../../src/simulation/index.ts";
import { HEAD, outputsOf, resultOf } from "./support.ts";

const times = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

test("calls written out line by line take no bits and slots of their own", () => {
  const calls = (count: number) =>
    compile({
      format: "qasm3",
      data: `${HEAD}def f(qubit a, int n) -> bit { bit b; if (n > 1) { b = measure a; } return b; }
def g(qubit a) -> int { int n = 2; return n + f(a, n); }
qubit[2] q; bit c; int k;
${times(count, i => `c = f(q[${i % 2}], k);\nk = g(q[${i % 2}]) + g(q[0]);`)}`,
    }).parts;
  const [few, many] = [calls(4), calls(500)];
  expect([many.numBits, many.numSlots]).toEqual([few.numBits, few.numSlots]);
});

test("switches and loops one after the other share their slots", () => {
  const slots = (count: number) => {
    const part = "switch (k) { case 0 { x q; } default { k = 0; } } for int i in [0:1] { k += i; }\n";
    const data = `${HEAD}qubit q; int k = 1;\n${part.repeat(count)}`;
    return compile({ format: "qasm3", data }).parts.numSlots;
  };
  expect(slots(50)).toBe(slots(1));
});

test("calls that share a body keep their results apart", () => {
  const define =
    "def f(int a, int b) -> int { return 10 * a + b; }\ndef g(int a) -> int { return f(a, 1); }\n";
  expect(resultOf(`${define}output int x; x = f(1, 2) + f(3, 4) * f(5, 6);`)).toBe(12 + 34 * 56);
  expect(resultOf(`${define}output int x; x = f(f(1, 2), f(3, f(4, 5)));`)).toBe(10 * 12 + 30 + 45);
  expect(resultOf(`${define}output int x; x = g(2); x = g(1) + g(x);`)).toBe(11 + 211);
  expect(resultOf(`${define}array[int, 30] a; output int x; a[f(1, 2)] = f(0, 7); x = a[12];`)).toBe(7);
  expect(resultOf(`${define}output int x; x = 0; for int i in [1:3] { x += f(i, g(i)); }`)).toBe(60 + 63);
});

test("arguments are computed before a parameter is set", () => {
  const change = "def set(mutable array[int, #dim = 1] a, int to) -> int { a[0] = to; return to; }\n";
  const add = "def add(int a, int b) -> int { return 10 * a + b; }\n";
  expect(resultOf(`${change}${add}array[int, 1] a = {1}; output int x; x = add(a[0], set(a, 5));`)).toBe(15);
});

test("a bit without a value is zero each time that it is declared in a block", () => {
  const define = "def f(int a) -> bit { bit b; if (a == 0) { b = 1; } return b; }\n";
  const block = "for int i in [0:1] { bit b; if (i == 0) { b = 1; } z = b; }";
  expect(
    outputsOf(`${define}output bit x; output bit y; output bit z; x = f(0); x = f(1); y = f(0); ${block}`),
  ).toEqual({ x: "0", y: "1", z: "0" });
});

test("qubits, barriers and computed operands are those of the call", () => {
  const circuit = compile({
    format: "qasm3",
    data: `${HEAD}def f(qubit a, qubit[2] r) { barrier; cx a, r[1]; }
qubit[3] q; int k = 0; x q[0];
f(q[0], q[1:2]); f(q[0], q[1:2]); f(q[k], q[{2, 1}]); f(q[k + 1], q[{0, 2}]);
qubit p; f(p, q[1:2]); x p; f(p, q[{2, 0}]);
bit[4] c; c[0:2] = measure q; c[3] = measure p;`,
  });
  const outcome = { "1110": 1 };
  expect(simulate(circuit, { shots: 1, seed: 1 }).measurementCounts).toEqual(outcome);
  const printed = compile({ format: "qasm3", data: printCompiled(circuit, { method: "statevector" }) });
  expect(simulate(printed, { shots: 1, seed: 1 }).measurementCounts).toEqual(outcome);
});

test("subroutines that call each other through hundreds of levels are refused", () => {
  const data = `${HEAD}def f0(qubit a) { x a; }
${times(3000, i => `def f${i + 1}(qubit a) { f${i}(a); }`)}
qubit q; f3000(q);`;
  expect(() => compile({ format: "qasm3", data })).toThrow(ProgramError);
  expect(() => compile({ format: "qasm3", data })).toThrow(/Subroutines nest too deep here/);
});
