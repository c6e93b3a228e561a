import { describe, expect, test } from "vitest";
import { unitaryOf } from "../../../src/simulation/circuit/unitary.ts";
import { compile, printCircuit, simulate } from "../../../src/simulation/index.ts";
import { diagnose } from "./diagnose.ts";

type Complex = readonly [number, number];
const [t, u, w] = [0.7, -0.4, 1.9];
const { cos, sin, SQRT1_2 } = Math;
const one: Complex = [1, 0];
const e = (angle: number): Complex => [cos(angle), sin(angle)];
const times = (factor: number, [re, im]: Complex): Complex => [factor * re, factor * im];
/** -i e^{iφ} sin θ/2. */
const turned = (angle: number, theta: number): Complex => times(sin(theta / 2), e(angle - Math.PI / 2));
const diagonal = (...values: Complex[]) =>
  Object.fromEntries(values.map((value, at) => [`${at}${at}`, value]));
const c = (theta: number): Complex => [cos(theta / 2), 0];

/** Entries that are not 0, by row and column, as Braket documents its gates: the first qubit is the highest bit. */
const gates: Record<string, Record<string, Complex>> = {
  i: diagonal(one, one),
  si: diagonal(one, [0, -1]),
  ti: diagonal(one, e(-Math.PI / 4)),
  v: { "00": [0.5, 0.5], "01": [0.5, -0.5], 10: [0.5, -0.5], 11: [0.5, 0.5] },
  vi: { "00": [0.5, -0.5], "01": [0.5, 0.5], 10: [0.5, 0.5], 11: [0.5, -0.5] },
  [`phaseshift(${t})`]: diagonal(one, e(t)),
  [`prx(${t}, ${u})`]: { "00": c(t), "01": turned(-u, t), 10: turned(u, t), 11: c(t) },
  [`gpi(${t})`]: { "01": e(-t), 10: e(t) },
  [`gpi2(${t})`]: {
    ...diagonal([SQRT1_2, 0], [SQRT1_2, 0]),
    "01": turned(-t, Math.PI / 2),
    10: turned(t, Math.PI / 2),
  },
  cnot: { ...diagonal(one, one), 23: one, 32: one },
  cy: { ...diagonal(one, one), 23: [0, -1], 32: [0, 1] },
  cv: { ...diagonal(one, one), 22: [0.5, 0.5], 23: [0.5, -0.5], 32: [0.5, -0.5], 33: [0.5, 0.5] },
  ecr: Object.fromEntries(
    Object.entries({
      "02": [1, 0],
      "03": [0, 1],
      12: [0, 1],
      13: [1, 0],
      20: [1, 0],
      21: [0, -1],
      30: [0, -1],
      31: [1, 0],
    } as Record<string, Complex>).map(([at, value]) => [at, times(SQRT1_2, value)]),
  ),
  swap: { "00": one, 12: one, 21: one, 33: one },
  iswap: { "00": one, 12: [0, 1], 21: [0, 1], 33: one },
  [`pswap(${t})`]: { "00": one, 12: e(t), 21: e(t), 33: one },
  [`xy(${t})`]: { "00": one, 11: c(t), 12: [0, sin(t / 2)], 21: [0, sin(t / 2)], 22: c(t), 33: one },
  [`cphaseshift(${t})`]: diagonal(one, one, one, e(t)),
  [`cphaseshift00(${t})`]: diagonal(e(t), one, one, one),
  [`cphaseshift01(${t})`]: diagonal(one, e(t), one, one),
  [`cphaseshift10(${t})`]: diagonal(one, one, e(t), one),
  [`xx(${t})`]: {
    ...diagonal(c(t), c(t), c(t), c(t)),
    "03": turned(0, t),
    12: turned(0, t),
    21: turned(0, t),
    30: turned(0, t),
  },
  [`yy(${t})`]: {
    ...diagonal(c(t), c(t), c(t), c(t)),
    "03": turned(Math.PI, t),
    12: turned(0, t),
    21: turned(0, t),
    30: turned(Math.PI, t),
  },
  [`zz(${t})`]: diagonal(e(-t / 2), e(t / 2), e(t / 2), e(-t / 2)),
  [`ms(${t}, ${u}, ${w})`]: {
    ...diagonal(c(w), c(w), c(w), c(w)),
    "03": turned(-t - u, w),
    12: turned(u - t, w),
    21: turned(t - u, w),
    30: turned(t + u, w),
  },
};
const program = (body: string) => compile({ format: "qasm3", data: `OPENQASM 3.0;\n${body}` });
const BELL = "qubit[2] q;\nh q[0];\ncnot q[0], q[1];";

describe("a program without an include", () => {
  test.each(Object.entries(gates))("has Braket's gate %s", (call, entries) => {
    const [size] = Object.keys(entries).some(at => Math.max(...at.split("").map(Number)) > 1) ? [4] : [2];
    const operands = size === 4 ? "q[0], q[1]" : "q[0]";
    const { parts } = program(`qubit[2] q; ${call} ${operands};`);
    const params = [...call.matchAll(/-?\d+\.\d+/g)].map(Number);
    const matrix = unitaryOf(parts.gates[0]!, params);
    const place = (index: number) => (size === 4 ? ((index & 1) << 1) | (index >> 1) : index);
    for (let row = 0; row < size; row++)
      for (let column = 0; column < size; column++) {
        const [re, im] = entries[`${row}${column}`] ?? [0, 0];
        const at = 2 * (place(row) * size + place(column));
        expect(matrix[at], `${row}${column}`).toBeCloseTo(re, 12);
        expect(matrix[at + 1], `${row}${column}`).toBeCloseTo(im, 12);
      }
  });

  test("says that its gates are those of Braket's dialect, and prints as standard OpenQASM", () => {
    const circuit = program(`${BELL}\niswap q[0], q[1];`);
    expect(circuit.parts.notes).toEqual([
      { line: 3, column: 1, message: "No include: the gates are Braket's." },
    ]);
    const printed = printCircuit(circuit);
    expect(printed).toContain("cx q[0], q[1];");
    expect(diagnose(printed)).toEqual([]);
    expect(compile({ format: "qasm3", data: printed }).parts.notes).toEqual([]);
  });

  test("may define gates of those names, if it defines them first", () => {
    const own = program(
      "gate cnot a, b { U(pi, 0, pi) b; } qubit[2] q; bit[2] c; cnot q[0], q[1]; c = measure q;",
    );
    expect(own.parts.notes).toEqual([]);
    expect(simulate(own, { shots: 5 }).measurementCounts).toEqual({ 10: 5 });
    expect(diagnose("qubit q; h q;\ngate h a { U(pi, 0, pi) a; }")[0]).toMatchObject({ line: 2 });
  });

  test("has no other gates, nor has one in version 2 or with an include", () => {
    expect(diagnose("qubit q;\nhh q;")[0]!.message).toBe("There is no gate hh.");
    expect(diagnose("OPENQASM 2.0;\nqreg q[1];\nh q;", "qasm2")[0]!.hint).toContain("qelib1.inc");
    expect(diagnose('include "stdgates.inc";\nqubit[2] q;\ncnot q[0], q[1];')[0]!.hint).toContain("cx");
  });

  test("is measured at its end if it has no variables, and that is asked for", () => {
    const measured = (data: string) => compile({ format: "qasm3", data }, { measuresAll: true });
    const circuit = measured(BELL);
    expect(circuit.registers.classical).toMatchObject([{ name: "b", width: 2 }]);
    expect(circuit.parts.notes.map(({ message }) => message)).toContainEqual(
      expect.stringContaining("all qubits are measured"),
    );
    expect(Object.keys(simulate(circuit, { shots: 100, seed: 1 }).measurementCounts).sort()).toEqual([
      "00",
      "11",
    ]);
    for (const more of ["bit c;", "int n = 1;"])
      expect("measure" in measured(`${more} ${BELL}`).gateCounts(), more).toBe(false);
  });
});

describe("a pragma of Braket", () => {
  test.each([
    ["noise bit_flip(0.1) q[0]", /noiseModel/],
    ["unitary([[0, 1], [1, 0]]) q[0]", /gate name a/],
    ["result state_vector", /observables/],
    ["result expectation x(q[0])", /observables/],
    ["adjoint_gradient expectation(h(q[0]), 0.5)", /differences/],
  ])("that would change the result is refused with what to write: %s", (pragma, hint) => {
    for (const head of ["", 'include "stdgates.inc";'])
      expect(diagnose(`${head}\nqubit[2] q;\n#pragma braket ${pragma}\nx q;`)).toMatchObject([
        {
          line: 3,
          column: 1,
          message: expect.stringContaining(pragma.match(/\w+/)![0]),
          hint: expect.stringMatching(hint),
        },
      ]);
  });
});
