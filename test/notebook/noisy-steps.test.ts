import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Calibration, device, noise, qasm, step } from "../../src/index.ts";
import { compile, noiseModelOfRules, simulateNoisy } from "../../src/simulation/index.ts";
import { specificationCheck } from "../charts/schema.ts";
import { HEAD } from "../simulation/run.ts";
import { unitaryProgram } from "../simulation/transpile/random-program.ts";
import { useServiceHere } from "./own-service.ts";

await useServiceHere();

const isSpecification = specificationCheck();
const model = noise({
  oneQubit: 0.02,
  twoQubit: [{ depolarizing: 0.05 }, { T1: 100, T2: 80, length: 300 }],
});
const perth = Calibration.from(
  JSON.parse(
    readFileSync(new URL("../../src/service/catalogue/calibrations/perth.json", import.meta.url), "utf8"),
  ),
);
const bell = qasm`${HEAD}qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;`;

/** The exact outcomes of all qubits of a program under noise. */
function simulated(text: string, numQubits: number): Record<string, number> {
  const circuit = compile({ format: "qasm3", data: `${text}\nbit[${numQubits}] all;\nall = measure q;` });
  return simulateNoisy(circuit, noiseModelOfRules(model.toJSON(), circuit.numQubits), { shots: 0 })
    .measurementProbabilities!;
}

test("the state under noise is the simulator's, and its qubits are its outcomes' after each step", () => {
  fc.assert(
    fc.property(unitaryProgram, ({ numQubits, body }) => {
      const text = `${HEAD}qubit[${numQubits}] q;\n${body}`;
      const trace = qasm(text).trace({ noise: model, maxSteps: 12 });
      fc.pre(trace.isComplete);
      const last = trace.at(-1)!.noisy!;
      for (const [outcome, probability] of Object.entries(simulated(text, numQubits)))
        expect(last.probabilities[outcome] ?? 0).toBeCloseTo(probability, 9);
      trace.forEach(({ noisy, state }) => {
        expect(state).toBeNull();
        const { probabilities, bloch } = noisy!;
        for (const [qubit, { x, y, z }] of bloch.entries()) {
          const ones = Object.entries(probabilities).filter(([bits]) => bits.at(-1 - qubit) === "1");
          expect(1 - 2 * ones.reduce((sum, [, share]) => sum + share, 0)).toBeCloseTo(z, 9);
          expect(Math.hypot(x, y, z)).toBeLessThan(1 + 1e-9);
        }
      });
    }),
    { numRuns: 25 },
  );
});

test("without errors the state under noise is the one without noise", () => {
  const program = qasm`${HEAD}qubit[2] q; ry(0.7) q[0]; h q[1]; cp(0.4) q[0], q[1]; rx(1.1) q[1];`;
  const quiet = program.trace({ noise: noise({ oneQubit: 0, twoQubit: 0 }) });
  program.trace().forEach(({ state }, at) => {
    for (const qubit of [0, 1]) {
      const [noisy, pure] = [quiet[at]!.noisy!.bloch[qubit]!, state!.blochVector(qubit)];
      for (const axis of ["x", "y", "z"] as const) expect(noisy[axis]).toBeCloseTo(pure[axis], 9);
    }
  });
});

test("an outcome may be chosen, and be read as another", () => {
  const trace = bell.trace({
    outcomes: [1, 1],
    noise: noise({
      readout: [
        [0, 1],
        [1, 0],
      ],
    }),
  });
  expect(trace.at(-1)).toMatchObject({ outcome: 1, readAs: 0, registers: { c: "00" } });
  expect(bell.trace({ outcomes: [1, 1] }).at(-1)).toMatchObject({ readAs: null, registers: { c: "11" } });
});

test("a stepper under noise shows mixed qubits, and by a calibration too", () => {
  const chart = step(bell, { noise: model, step: 2 });
  expect(isSpecification(chart.spec)).toBe(true);
  for (const text of [">Step 2 of 4<", ">cx q[0], q[1]<"]) expect(chart.toSVG()).toContain(text);
  expect(isSpecification(step(bell, { noise: perth }).spec)).toBe(true);
  expect(() => step(qasm`${HEAD}qubit[9] q; h q;`, { noise: model })).toThrow(
    /9 qubits; up to 8 are stepped/,
  );
  expect(() => step(bell, { noise: {} as never })).toThrow(/noise must be a noise model/);
});

test("a stepper has the noise of a device that is looked up", async () => {
  const chart = await step(bell, { device: "perth", step: 2 });
  const noisy = step(bell, { noise: await device("perth").calibration(), step: 2 });
  expect(chart.spec).toEqual(noisy.spec);
  expect(chart.spec).not.toEqual(step(bell, { step: 2 }).spec);
}, 60_000);

test("entanglement is the entropy of a qubit by itself", () => {
  const trace = bell.trace({ outcomes: [1] });
  expect(trace.map(({ state }) => state!.entanglement(0))).toEqual([
    0,
    expect.closeTo(0, 9),
    expect.closeTo(1, 9),
    expect.closeTo(0, 9),
    expect.closeTo(0, 9),
  ]);
  expect(step(bell, { step: 2 }).toSVG()).toContain("|r| = 0.00");
});

test("stills show steps beside each other, without a slider", () => {
  const chart = step(bell, { outcomes: [1], stills: 3 });
  expect(isSpecification(chart.spec)).toBe(true);
  expect(chart.spec.params).toBeUndefined();
  expect(JSON.stringify(chart.spec)).not.toMatch(/== step\b/);
  const svg = chart.toSVG();
  const texts = ["Start", "Step 2 of 4", "cx q[0], q[1]", "Step 4 of 4", "c[1] = measure q[1]"];
  for (const text of texts) expect(svg).toContain(`>${text}`);
  expect(svg).not.toContain(">Step 1 of 4");
  expect(() => step(bell, { stills: 1 })).toThrow(/stills must be a whole number from 2 to 12/);
});
