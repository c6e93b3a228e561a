import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Circuit,
  compile,
  foldGates,
  printCircuit,
  printCompiled,
  simulate,
} from "../../../src/simulation/index.ts";
import { HEAD } from "./support.ts";

const CORPUS = new URL("../../corpus/valid/", import.meta.url);
const compiled = (body: string) => compile({ format: "qasm3", data: HEAD + body });
const readBack = (circuit: Circuit) => compile({ format: "qasm3", data: printCircuit(circuit) });

function expectSame(found: Circuit, expected: Circuit): void {
  const [a, b] = [found, expected].map(circuit => simulate(circuit, { shots: 0 }).measurementProbabilities!);
  expect(Object.keys(a!)).toEqual(Object.keys(b!));
  for (const [key, p] of Object.entries(b!)) expect(a![key]).toBeCloseTo(p, 9);
}

describe("a circuit that is printed statement by statement", () => {
  test("keeps its loops, branches, definitions and values as they are", () => {
    const circuit = compiled(`gate turn(t) a, b { rx(t / 2) a; ctrl @ pow(2) @ y a, b; }
qubit[3] q; bit[2] c; float[32] step = 0.5;
def flip(qubit r) -> bit { x r; return measure r; }
for int i in [0:2] { if (i != 1) { turn(i * step) q[i], q[(i + 1) % 3]; } }
c[0] = flip(q[2]);
while (c[0]) { h q[0]; c[0] = measure q[0]; }
switch (int(c)) { case 0, 1 { reset q; } default { inv @ s q[1]; } }
step = 2;`);
    expect(printCircuit(circuit)).toBe(`OPENQASM 3.0;
include "stdgates.inc";
gate turn(p0) a, b {
  rx(p0 / 2) a;
  ctrl @ pow(2) @ y a, b;
}
qubit[3] q;
bit[2] c;
float[32] step;
{
  bit[1] m;
  int v4;
  bit v5;
  step = float[32](0.5);
  for int i in [0:2] {
    v4 = i;
    if (v4 != 1) {
      turn(v4 * step) q[v4], q[(v4 + 1) % 3];
    }
  }
  // flip(…)
  x q[2];
  m[0] = measure q[2];
  v5 = m[0];
  c[0] = v5;
  while (c[0]) {
    h q[0];
    c[0] = measure q[0];
  }
  switch (int(c)) {
    case 0, 1 {
      reset q;
    }
    default {
      inv @ s q[1];
    }
  }
  step = float[32](2.0);
}
`);
  });

  test.each(readdirSync(CORPUS).filter(file => file !== "recursion.qasm"))("does the same: %s", file => {
    const data = readFileSync(new URL(file, CORPUS), "utf8");
    const circuit = compile({ format: file.startsWith("version-2") ? "qasm2" : "qasm3", data });
    const counts = (of: Circuit) => simulate(of, { shots: 5, seed: 3 }).measurementCounts;
    expect(counts(readBack(circuit))).toEqual(counts(circuit));
  });

  const statement = fc.constantFrom(
    "h q[0]; c[0] = measure q[0]; if (c[0]) { x q[1]; } else { z q; }",
    "for uint[4] i in {1, 2} { ry(f * i) q[i]; n += i; }",
    "for bit b in c { if (b) { n = n + 1; } }",
    "while (n < 3) { n += 1; if (n == 2) { continue; } x q[n % 3]; }",
    "m[n % 2, 0] = 7; m[1] = m[0]; n = m[1, n % 2];",
    "n[0:1] = c; c = n[1:2]; c[1] = n[3] ^ c[0];",
    "let s = q[1:2] ++ q[0:0]; cx s[0], s[n % 2 + 1]; barrier s;",
    "if (early(c)) { ctrl(2) @ negctrl @ pow(0.5) @ x q[0], q[1], q[2], r; }",
    "pow(f) @ t q; k(f, n * pi / 4) q[0], r; inv @ k(0.3, f) q[1], q[2];",
    "w = w * (1 - 2im); f = real(w) + sin(f); a = a * 2; g(f) q;",
    "box[1us] { delay[d * 2] q[0]; y q[1]; }",
    "switch (n) { case 1 { x r; } default { n = 1; } }",
    "c[n % 2] = measure q[n % 3]; reset q[n % 3];",
  );
  const declarations = `qubit[3] q; qubit r; bit[2] c = "01"; int[4] n = 1; complex w = 1im; float f = 0.25; angle[6] a = pi / 3;
duration d = 2ns; array[int[8], 2, 2] m = {{1, 2}, {3, 4}};
gate g(t) a { p(t) a; U(t, 0, t / 2) a; gphase(t); } gate k(s, t) a, b { g(s) a; ctrl @ g(t) a, b; }
def early(bit[2] b) -> bool { for int i in [0:1] { if (b[i]) { return true; } } return false; }
`;
  test("does the same, whatever it is made of", () => {
    fc.assert(
      fc.property(fc.uniqueArray(statement, { minLength: 1, maxLength: 4 }), statements => {
        const circuit = compiled(`${declarations}${statements.join("\n")}\nbit[3] out = measure q;`);
        const again = readBack(circuit);
        expectSame(again, circuit);
        expect(again.parts.outputs.map(({ name, type }) => [name, type]).sort()).toEqual(
          circuit.parts.outputs.map(({ name, type }) => [name, type]).sort(),
        );
      }),
      { numRuns: 60 },
    );
  });

  test("has what was made of it since, and not what its source says", () => {
    const circuit = compiled("qubit q; bit c; h q; c = measure q; while (c) { sx q; c = measure q; }");
    const folded = foldGates(circuit, 1);
    const text = printCircuit(folded);
    expect(text).toMatch(
      / {2}sx q\[0\];\n {2}rz\(.+\) q\[0\];\n {2}sx q\[0\];\n {2}rz\(.+\) q\[0\];\n {2}sx q\[0\];\n/,
    );
    expect(printCompiled(folded, { method: "statevector" }).match(/sx q\[0\];/g)).toHaveLength(3);
    expectSame(readBack(folded), circuit);
  });

  test("is refused where a subroutine calls itself", () => {
    const data = readFileSync(new URL("recursion.qasm", CORPUS), "utf8");
    expect(() => printCircuit(compile({ format: "qasm3", data }))).toThrow("calls itself");
  });
});

test("a program of as many registers as there may be is printed, each under its own name", () => {
  const count = 50_000;
  const registers = Array.from({ length: count }, (_, i) => `bit[2] c${i};\n`).join("");
  const data = `OPENQASM 3.0;\nqubit q;\n${registers}c${count - 1}[1] = measure q;\n`;
  const printed = printCircuit(compile({ format: "qasm3", data }));
  expect(printed).toContain(`bit[2] c${count - 1};\n`);
  expect(printed).toContain(`c${count - 1}[1] = measure q[0];`);
});
