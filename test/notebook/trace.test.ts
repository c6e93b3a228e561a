import fc from "fast-check";
import { expect, test } from "vitest";
import { KetbookError, qasm } from "../../src/index.ts";
import { distribution, HEAD, run } from "../simulation/run.ts";
import { dynamicProgram, unitaryProgram } from "../simulation/transpile/random-program.ts";
import { bundleOf } from "./bundle.ts";

const bell = qasm`${HEAD}qubit[2] q; bit[2] c;
h q[0];
cx q[0], q[1];
c = measure q;`;

const teleport = qasm`${HEAD}qubit[3] q; bit[2] m; bit out; int corrections = 0;
ry(0.6) q[0];
h q[1];
cx q[1], q[2];
cx q[0], q[1];
h q[0];
m[0] = measure q[0];
m[1] = measure q[1];
if (m[1]) { x q[2]; corrections += 1; }
if (m[0]) { z q[2]; corrections += 1; }
reset q[0];
out = measure q[2];`;

test("a trace has the state, the registers and the outcome after each instruction", () => {
  const trace = bell.trace({ outcomes: [1] });
  expect(
    trace.map(({ instruction, line, outcome, probability, registers }) => [
      ...[instruction, line, outcome, probability && Math.round(probability * 1e9) / 1e9, registers.c],
    ]),
  ).toEqual([
    ["start", null, null, null, "00"],
    ["h q[0]", 4, null, null, "00"],
    ["cx q[0], q[1]", 5, null, null, "00"],
    ["c[0] = measure q[0]", 6, 1, 0.5, "01"],
    ["c[1] = measure q[1]", 6, 1, 1, "11"],
  ]);
  expect(trace[2]!.state!.probability("11")).toBeCloseTo(0.5, 12);
  expect(trace[4]!.state!.probability("11")).toBeCloseTo(1, 12);
});

test("each choice of outcomes takes its branch, and variables follow", () => {
  for (const outcomes of [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ] as const) {
    const end = teleport.trace({ outcomes }).at(-1)!;
    expect(end.variables.corrections).toBe(outcomes[0] + outcomes[1]);
    expect(end.registers.m).toBe(`${outcomes[1]}${outcomes[0]}`);
    expect(end.outcome === 1 ? end.probability : 1 - end.probability!).toBeCloseTo(Math.sin(0.3) ** 2, 12);
  }
});

test("the state after each instruction is that which the simulator finds for the instructions until there", () => {
  fc.assert(
    fc.property(unitaryProgram, ({ numQubits, body }) => {
      const head = `${HEAD}qubit[${numQubits}] q;\n`;
      const trace = qasm(`${head}${body}`).trace();
      const chosen = trace[Math.floor(trace.length / 2)]!;
      const until = trace.slice(1, chosen.step + 1).map(({ instruction }) => `${instruction};`);
      const { statevector } = run(`${head}bit c;\n${until.join("\n")}`, { shots: 0, statevector: true });
      chosen.state!.amplitudes.forEach((part, i) => void expect(part).toBeCloseTo(statevector![i]!, 4));
    }),
    { numRuns: 60 },
  );
});

test("the outcomes of all traces have the probabilities that the simulator finds", () => {
  const withoutReset = dynamicProgram.filter(({ body }) => !body.includes("reset"));
  fc.assert(
    fc.property(withoutReset, ({ numQubits, body }) => {
      const data = `${HEAD}qubit[${numQubits}] q; bit[${numQubits}] c;\n${body}`;
      const program = qasm(data);
      fc.pre(program.trace().filter(({ kind }) => kind === "measure").length <= 6);
      const found: Record<string, number> = {};
      const visit = (given: readonly (0 | 1)[]): void => {
        const trace = program.trace({ outcomes: given });
        const measured = trace.filter(({ kind }) => kind === "measure");
        const outcomes = measured.map(({ outcome }) => outcome!);
        const weight = measured.reduce((product, { probability }) => product * probability!, 1);
        const { c = "" } = trace.at(-1)!.registers;
        found[c] = (found[c] ?? 0) + weight;
        measured.forEach(({ probability, outcome }, i) => {
          if (i >= given.length && probability! < 1 - 1e-12)
            visit([...outcomes.slice(0, i), outcome === 1 ? 0 : 1]);
        });
      };
      visit([]);
      const expected = distribution(data);
      for (const outcome of new Set([...Object.keys(found), ...Object.keys(expected)]))
        expect(found[outcome] ?? 0).toBeCloseTo(expected[outcome] ?? 0, 9);
    }),
    { numRuns: 60 },
  );
});

test("the same seed traces the same execution, and seeds differ", () => {
  const heads = qasm`${HEAD}qubit[12] q; bit[12] c; h q; c = measure q;`;
  const counted = (seed: number) => heads.trace({ seed }).at(-1)!.registers.c;
  expect(counted(1)).toBe(counted(1));
  expect(new Set([1, 2, 3, 4].map(counted)).size).toBeGreaterThan(1);
  expect(heads.trace()[0]!.state).toBeNull();
});

test("a long program is traced as far as is asked for", () => {
  const loop = qasm`${HEAD}qubit q; bit c; while (!c) { h q; h q; c = measure q; }`;
  const trace = loop.trace({ maxSteps: 7 });
  expect([trace.length, trace.isComplete]).toEqual([8, false]);
  expect(String(bundleOf(trace)["text/plain"])).toContain("The program continues");
});

test("a trace shows itself as a table of instructions and states", () => {
  const { "text/plain": text, "text/html": html } = bundleOf(
    qasm`${HEAD}qubit[2] q; h q; s q[0]; t q[1];`.trace(),
  );
  expect(String(text)).toContain("0.5|00⟩ + 0.5i|01⟩ + 0.5e^(iπ/4)|10⟩ + 0.5e^(i3π/4)|11⟩");
  expect(String(html)).toContain("t q[1]");
});

test("inputs, OpenQASM 2 and QIR are traced too", () => {
  const turned = qasm`${HEAD}input float theta; qubit q; rx(theta) q;`;
  expect(
    turned
      .trace({ inputs: { theta: Math.PI } })
      .at(-1)!
      .state!.probability("1"),
  ).toBeCloseTo(1, 12);
  const old = qasm`OPENQASM 2.0; include "qelib1.inc"; qreg q[1]; creg c[1]; x q[0]; measure q[0] -> c[0];`;
  expect(old.trace().at(-1)!.registers).toEqual({ c: "1" });
  expect(
    bell
      .toQir()
      .trace({ outcomes: [1] })
      .at(-1)!
      .state!.probability("11"),
  ).toBeCloseTo(1, 12);
});

test.each([
  [
    () => qasm`${HEAD}qubit q; bit c; c = measure q;`.trace({ outcomes: [1] }),
    /3:17: Measurement 1 cannot give 1: its probability is 0/,
  ],
  [() => qasm`${HEAD}qubit q; hh q;`.trace(), /hh/],
  [() => qasm`${HEAD}input float a; qubit q; rx(a) q;`.trace(), /\ba\b/],
  [() => qasm`${HEAD}qubit[30] q; h q;`.trace(), /at most 20 qubits/],
  [() => bell.trace({ outcomes: [2 as 1] }), /outcomes/],
  [() => bell.trace({ steps: 3 } as object), /maxSteps/],
  [() => bell.trace({ maxSteps: 1e9 }), /1 to 10,000/],
])("what cannot be traced says why", (trace, message) => {
  expect(trace).toThrow(KetbookError);
  expect(trace).toThrow(message);
});
