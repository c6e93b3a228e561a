import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compile,
  type NoisyOptions,
  SimulationError,
  simulate,
  simulateNoisy,
} from "../../src/simulation/index.ts";
import type { NoiseModel } from "../../src/simulation/noise-model.ts";
import { agrees, DensityMatrix } from "./noisy-reference.ts";
import { controlled, H, type Matrix, phase, SWAP, SX, X } from "./reference.ts";
import { HEAD } from "./run.ts";

const shots = 50_000;

function noise(numQubits: number, figures: { one?: number; two?: number; says0?: number; says1?: number }) {
  const { one = 0, two = 0, says0 = 0, says1 = 0 } = figures;
  const each = (value: number) => new Array<number>(numQubits).fill(value);
  const model: NoiseModel = {
    oneQubit: each(one),
    twoQubit: { pairs: [], otherwise: two },
    zeroGivenOne: each(says0),
    oneGivenZero: each(says1),
  };
  return model;
}

const circuit = (body: string) => compile({ format: "qasm3", data: HEAD + body });
const runBy =
  (method?: NoisyOptions["method"]) =>
  (body: string, model: NoiseModel, options: object = {}) =>
    simulateNoisy(circuit(body), model, { shots, seed: 7, ...(method ? { method } : {}), ...options })
      .measurementCounts;
const METHODS = ["density matrix", "trajectories"] as const;

describe.each(METHODS)("errors of gates, by %s", method => {
  const run = runBy(method);

  it("flip a qubit with two of the three errors of a one-qubit gate", () => {
    const p = 0.06;
    const counts = run("qubit q; bit c; x q; c = measure q;", noise(1, { one: p }));
    expect(agrees(counts, { 1: 1 - (2 * p) / 3, 0: (2 * p) / 3 })).toBe(true);
    expect(agrees(counts, { 1: 1 - p, 0: p })).toBe(false);
  });

  it("add up over many gates as the depolarizing channel does", () => {
    const p = 0.01;
    const counts = run("qubit q; bit c; for int i in [1:101] { x q; } c = measure q;", noise(1, { one: p }));
    const one = (1 + (1 - (4 * p) / 3) ** 101) / 2;
    expect(agrees(counts, { 1: one, 0: 1 - one })).toBe(true);
  });

  it.each(["", "h q; "])("take 8 of 15 errors of a pair out of a Bell pair's correlation %#", turn => {
    const p = 0.1;
    const counts = run(
      `qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; ${turn}c = measure q;`,
      noise(2, { two: p }),
    );
    const odd = (8 / 15) * p;
    expect(agrees(counts, { "00": (1 - odd) / 2, "11": (1 - odd) / 2, "01": odd / 2, 10: odd / 2 })).toBe(
      true,
    );
  });

  it("take the figures of each qubit and pair, and the default for pairs that are not listed", () => {
    const model: NoiseModel = {
      ...noise(4, {}),
      oneQubit: [0, 0.3, 0, 0],
      twoQubit: { pairs: [{ a: 1, b: 0, probability: 0.15 }], otherwise: 0.6 },
    };
    const flips = (counts: Record<string, number>) => 1 - (counts["00"] ?? 0) / shots;
    const body = (gates: string) =>
      `qubit[4] q; bit[2] c; ${gates} c[0] = measure q[0]; c[1] = measure q[1];`;
    expect(flips(run(body("x q[0]; x q[0];"), model))).toBe(0);
    expect(flips(run(body("x q[1]; x q[1];"), model))).toBeCloseTo(0.4 * 0.8, 1);
    expect(flips(run(body("cx q[0], q[1];"), model))).toBeCloseTo((0.15 * 12) / 15, 2);
    expect(flips(run(body("cx q[1], q[2];"), model))).toBeCloseTo((0.6 * 8) / 15, 2);
  });

  it("leave gates alone that only turn a phase, and identities not", () => {
    const model = noise(1, { one: 0.75 });
    const body = (gate: string) => `qubit q; bit c; ${gate} q; c = measure q;`;
    for (const gate of ["z", "s", "rz(0.3)", "p(1)"]) expect(run(body(gate), model)).toEqual({ 0: shots });
    expect(agrees(run(body("id"), model), { 0: 0.5, 1: 0.5 })).toBe(true);
  });

  it("follow a density matrix, for random programs with gates of several steps and loops", () => {
    const model: NoiseModel = {
      oneQubit: [0.02, 0.05, 0.01],
      twoQubit: { pairs: [{ a: 0, b: 1, probability: 0.08 }], otherwise: 0.04 },
      zeroGivenOne: [0.03, 0.06, 0.01],
      oneGivenZero: [0.01, 0.02, 0.05],
    };
    const pair = (a: number, b: number) => (a + b === 1 ? 0.08 : 0.04);
    const step = fc.record({
      gate: fc.constantFrom("h", "sx", "t", "cx", "cz", "swap", "ccx", "mix", "loop"),
      turn: fc.nat(2),
      back: fc.boolean(),
    });
    const widths: Record<string, number> = { h: 1, sx: 1, t: 1, ccx: 3 };
    const matrices: Record<string, Matrix> = {
      h: H,
      sx: SX,
      t: phase(Math.PI / 4),
      cx: controlled(X),
      cz: controlled(phase(Math.PI)),
      swap: SWAP,
      ccx: controlled(controlled(X)),
    };
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), fc.nat(2 ** 31), (steps, seed) => {
        const rho = new DensityMatrix(3);
        const elementary = (gate: string, qubits: number[]) => {
          rho.apply(matrices[gate]!, qubits);
          const [a, b, c] = qubits as [number, number, number];
          if (gate === "h" || gate === "sx") rho.depolarize([a], model.oneQubit[a]!);
          const pairs =
            qubits.length === 3
              ? [
                  [a, b],
                  [a, c],
                  [b, c],
                ]
              : qubits.length === 2
                ? [[a, b]]
                : [];
          const times = gate === "swap" ? 3 : gate === "ccx" ? 2 : 1;
          for (const [i, j] of pairs as [number, number][])
            for (let k = 0; k < times; k++) rho.depolarize([i, j], pair(i, j));
        };
        let body = "gate mix a, b { h a; cx a, b; sx b; } qubit[3] q; bit[3] c;\n";
        for (const { gate, turn, back } of steps) {
          const all = [0, 1, 2].map(i => (back ? 3 - i + turn : i + turn) % 3);
          if (gate === "loop") {
            body += "for int i in [0:1] { mix q[i], q[i + 1]; }\n";
            for (const [a, b] of [
              [0, 1],
              [1, 2],
            ] as const) {
              elementary("h", [a]);
              elementary("cx", [a, b]);
              elementary("sx", [b]);
            }
            continue;
          }
          const qubits = all.slice(0, widths[gate] ?? 2);
          body += `${gate} ${qubits.map(qubit => `q[${qubit}]`).join(", ")};\n`;
          if (gate === "mix") {
            elementary("h", [qubits[0]!]);
            elementary("cx", qubits);
            elementary("sx", [qubits[1]!]);
          } else elementary(gate, qubits);
        }
        const counts = run(`${body}c = measure q;`, model, { shots: 4000, seed });
        expect(agrees(counts, rho.outcomes(model)), body).toBe(true);
      }),
      { numRuns: 60, seed: 1 },
    );
  });
});

describe.each(["density matrix", "trajectories", "stabilizer"] as const)(
  "errors of measurements, by %s",
  method => {
    const run = runBy(method);
    const model = noise(3, { says0: 0.2, says1: 0.05 });

    it("depend on what was found", () => {
      const counts = run("qubit[2] q; bit[2] c; x q[0]; c = measure q;", model);
      expect(agrees(counts, { "01": 0.8 * 0.95, "00": 0.2 * 0.95, 11: 0.8 * 0.05, 10: 0.2 * 0.05 })).toBe(
        true,
      );
    });

    it("mislead what the program does after it, and are not drawn again", () => {
      const body = "qubit[2] q; bit[2] c; bit d; x q[0]; d = measure q[0]; if (d) x q[1]; c = measure q;";
      const counts = run(body, { ...model, zeroGivenOne: [0.2, 0, 0], oneGivenZero: [0.05, 0, 0] });
      const expected = { "1 11": 0.64, "1 10": 0.16, "0 01": 0.16, "0 00": 0.04 };
      expect(agrees(counts, expected)).toBe(true);
    });

    it("differ from one measurement of a qubit to the next", () => {
      const counts = run(
        "qubit q; bit[2] c; x q; c[0] = measure q; c[1] = measure q;",
        noise(1, { says0: 0.3 }),
      );
      expect(agrees(counts, { 11: 0.49, "01": 0.21, 10: 0.21, "00": 0.09 })).toBe(true);
    });

    it("stay with a bit whose qubit goes on", () => {
      const counts = run("qubit q; bit[2] c; h q; c[0] = measure q; h q; c[1] = measure q;", model);
      const one = 0.5 * 0.8 + 0.5 * 0.05;
      const expected = { 11: one ** 2, "01": one * (1 - one), 10: one * (1 - one), "00": (1 - one) ** 2 };
      expect(agrees(counts, expected)).toBe(true);
    });

    it("do not touch bits that the program writes itself", () => {
      expect(run('qubit q; bit[2] c; c[0] = measure q; c = "10";', model)).toEqual({ 10: shots });
    });
  },
);

describe("a noisy run", () => {
  const run = runBy();
  const teleport = `qubit[3] q; bit[2] m; bit c; x q[0]; h q[1]; cx q[1], q[2]; cx q[0], q[1]; h q[0];
    m[0] = measure q[0]; m[1] = measure q[1]; if (m[1]) x q[2]; if (m[0]) z q[2]; reset q[0]; h q[0]; h q[0]; c = measure q[2];`;
  const model = noise(3, { one: 0.02, two: 0.05, says0: 0.03, says1: 0.02 });

  it("gives what a run without noise gives, where the noise is nothing", () => {
    const program = circuit(teleport);
    const exact = simulate(program, { shots: 0 }).measurementProbabilities!;
    expect(agrees(run(teleport, noise(3, {})), exact)).toBe(true);
  });

  it("respects measurements, resets and feed-forward in the middle", () => {
    const counts = run(
      `qubit q; bit[3] c; h q; c[0] = measure q; reset q; x q; c[1] = measure q; if (c[0]) x q; c[2] = measure q;`,
      noise(1, { one: 0.03 }),
    );
    const f = 0.02;
    const expected = {
      110: 0.5 * (1 - f),
      "000": 0.5 * f,
      "011": 0.5 * (1 - f) * (1 - f),
      111: 0.5 * (1 - f) * f,
      101: 0.5 * f * (1 - f),
      "001": 0.5 * f * f,
    };
    expect(agrees(counts, expected)).toBe(true);
  });

  it("gives the same for the same seed, with and without memory, and however little room there is", () => {
    const program = circuit(teleport);
    const options = { shots: 3000, seed: 11 };
    const first = simulateNoisy(program, model, options);
    const again = simulateNoisy(program, model, { ...options, memory: true });
    const tight = simulateNoisy(program, model, { ...options, maxBytes: 128 });
    const other = simulateNoisy(program, model, { ...options, seed: 12 });
    expect(again.measurementCounts).toEqual(first.measurementCounts);
    expect(tight).toEqual(first);
    expect(other).not.toEqual(first);
    const tally = Object.groupBy(again.measurements!, outcome => outcome);
    for (const [outcome, seen] of Object.entries(tally))
      expect(first.measurementCounts[outcome]).toBe(seen!.length);
  });

  it("runs a program on the physical qubits that it names, those between them left out", () => {
    const wide = noise(127, { says0: 0 });
    wide.oneGivenZero[126] = 0.25;
    const counts = run("bit[2] c; h $3; cx $3, $126; c[0] = measure $3; c[1] = measure $126;", wide);
    expect(agrees(counts, { "00": 0.375, 10: 0.125, 11: 0.5 })).toBe(true);
  });

  it("refuses what does not fit, with the figures", () => {
    const refused =
      (body: string, on: NoiseModel, options = {}) =>
      () =>
        run(body, on, options);
    const wide = "qubit[30] q; bit c; h q; t q; h q; c = measure q[0];";
    expect(refused(wide, noise(20, {}))).toThrow("The program has 30 qubits; the device has 20 (0 to 19).");
    expect(refused(wide, noise(36, {}))).toThrow(
      /a state of 30 qubits, which takes 8 GiB; at most 26 qubits/,
    );
    expect(refused(wide, noise(36, {}), { shots: 0 })).toThrow(
      /a density matrix, which for 30 qubits takes 8 EiB; at most 12 qubits.*Ask for shots/,
    );
    expect(refused("qubit q; bit c; c = measure q;", noise(1, {}), { statevector: true })).toThrow(
      /no state vector/,
    );
    expect(refused(wide, noise(20, {}))).toThrow(SimulationError);
  });

  it.each(["trajectories", "density matrix"] as const)("ends when it is cancelled, by %s", method => {
    let looks = 0;
    const signal = {
      get aborted() {
        return ++looks > 3;
      },
    };
    const body = "qubit[8] q; bit[8] c; for int i in [1:300] { h q; } c = measure q;";
    expect(() => run(body, noise(10, { one: 0.01 }), { signal, method })).toThrow(
      "The simulation was cancelled.",
    );
  });
});
