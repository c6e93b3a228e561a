import { describe, expect, test } from "vitest";
import {
  type Circuit,
  compile,
  definitionsOf,
  printCompiled,
  simulate,
} from "../../../src/simulation/index.ts";
import { HEAD } from "./support.ts";

const qasm3 = (data: string) => ({ format: "qasm3", data }) as const;

describe("the definitions of a program", () => {
  test("are its gates and subroutines as they are written", () => {
    const program = `${HEAD}// bell\ngate bell a, b {\n  h a; // first\n  cx a, b;\n}\nqubit[2] q;\nbit c;\ndef flip(qubit r) { x r; }\nbell q[0], q[1];\nif (c) { x q; }\n`;
    expect(definitionsOf(program)).toBe(
      "gate bell a, b {\n  h a; // first\n  cx a, b;\n}\ndef flip(qubit r) { x r; }",
    );
  });

  test("are found in OpenQASM 2 as well", () => {
    const program =
      '// a\nOPENQASM 2.0;\ninclude "qelib1.inc";\ngate g(t) a { u1(t^2) a; }\nqreg q[1];\ng(pi) q[0];';
    expect(definitionsOf(program)).toBe("gate g(t) a { u1(t^2) a; }");
  });

  test("are nothing where there are none", () => {
    expect(definitionsOf("qubit q;")).toBe("");
  });
});

describe("a compiled program", () => {
  const amplitudes = (circuit: Circuit) => simulate(circuit, { shots: 0, statevector: true }).statevector!;
  const again = (circuit: Circuit) =>
    compile(qasm3(printCompiled(circuit, { method: "statevector", reason: "it is small" })));

  test("says method, size and gate counts", () => {
    const text = printCompiled(
      compile(qasm3(`${HEAD}qubit[2] q; bit[2] c; h q; cx q[0], q[1]; c = measure q;`)),
      {
        method: "stabilizer",
        reason: "Every gate is Clifford.",
      },
    );
    expect(text.split("\n").slice(0, 4)).toEqual([
      "OPENQASM 3.0;",
      "// Method: stabilizer. Every gate is Clifford.",
      "// 2 qubits, 2 bits, depth 3, 5 operations",
      "// h 2, measure 2, cx 1",
    ]);
  });

  test("notes that calibrations are not used", () => {
    const circuit = compile(
      qasm3(`${HEAD}defcal x $0 { play(f); }\ncal { wait(); }\nbit c; x $0; c = measure $0;`),
    );
    const text = printCompiled(circuit, { method: "statevector" });
    expect(text.match(/\/\/ Calibrations are ignored/g)).toHaveLength(1);
  });

  test.each([
    "qubit[2] q; h q[0]; cx q[0], q[1]; inv @ s q[1]; pow(0.3) @ y q[0]; ctrl @ rx(0.4) q[0], q[1];",
    "gate g(t) a, b { rx(t / 2) a; cx a, b; gphase(t); } qubit[3] q; h q; g(0.7) q[0], q[1]; negctrl @ g(0.2) q[2], q[0], q[1];",
    "qubit[2] q; U(0.1, 0.2, 0.3) q[0]; u3(1, 2, 3) q[1]; inv @ u2(1, 2) q[0]; ctrl @ gphase(0.7) q[1]; pow(0.5) @ swap q[0], q[1];",
    "qubit[2] h; x h[0]; qubit x; def f(qubit[2] r) { y r[0]; } f(h); s x;",
    "x $0; h $1; cx $1, $0;",
  ])("gives the same state: %s", body => {
    const circuit = compile(qasm3(HEAD + body));
    const expected = amplitudes(circuit);
    amplitudes(again(circuit)).forEach((part, i) => {
      expect(part).toBeCloseTo(expected[i]!, 10);
    });
  });

  test("has its loops and its arithmetic computed where nothing that is measured changes them", () => {
    const circuit = compile(
      qasm3(`${HEAD}qubit[3] q; float step = 0.5; for int i in [0:2] { if (i != 1) { rx(i * step) q[i]; } }`),
    );
    expect(printCompiled(circuit, { method: "statevector" })).toMatch(
      /qubit\[3\] q;\nrx\(0\.0\) q\[0\];\nrx\(1\.0\) q\[2\];\n$/,
    );
  });

  test.each([
    [
      "qasm3",
      `${HEAD}input angle t; qubit[2] q; bit[2] c; rx(t) q[0]; c[0] = measure q[0]; if (c[0]) { x q[1]; } c[1] = measure q[1];`,
    ],
    [
      "qasm3",
      `${HEAD}qubit[4] q; bit[4] c; for int i in [0:2] { h q[i]; cx q[i], q[i + 1]; } c = measure q;`,
    ],
    [
      "qasm2",
      'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[2]; creg end[1]; creg c[1]; U(pi/2,0,pi) q[0]; CX q[0], q[1]; measure q[0] -> end[0]; if (end == 1) x q[1]; measure q[1] -> c[0];',
    ],
  ] as const)("keeps what depends on measured values: %s %s", (format, data) => {
    const circuit = compile({ format, data }, { inputs: { t: "pi / 3" } });
    const exact = (of: Circuit) => simulate(of, { shots: 0 }).measurementProbabilities!;
    const expected = exact(circuit);
    const found = exact(again(circuit));
    expect(Object.keys(found)).toEqual(Object.keys(expected));
    for (const [key, p] of Object.entries(expected)) expect(found[key]).toBeCloseTo(p, 10);
  });

  test("that calls itself keeps its text, with the files that it includes and the values of its inputs", () => {
    const data = `${HEAD}include "own.inc";
input int n; input bit[2] b; input float t;
qubit q; bit c; // one of each
def f(qubit r, int k) { x r; bit m = measure r; if (m && k > 0) { f(r, k - 1); } }
f(q, n); turn(t) q; if (b[0]) { x q; } c = measure q;`;
    const files = { "own.inc": "gate turn(t) a { rx(t) a; }" };
    const circuit = compile({ format: "qasm3", data, files }, { inputs: { n: 3, b: "01", t: "pi / 3" } });
    const text = printCompiled(circuit, { method: "statevector" });
    expect(text).toContain(
      'gate turn(t) a { rx(t) a; }\nconst int n = 3; bit[2] b = "01"; const float t = (pi / 3);',
    );
    expect(text).toContain("bit c; // one of each\ndef f(qubit r, int k) { x r;");
    const exact = (of: Circuit) => simulate(of, { shots: 0 }).measurementProbabilities!;
    expect(exact(again(circuit))["0 01"]).toBeCloseTo(exact(circuit)["0"]!, 10);
  });
});
