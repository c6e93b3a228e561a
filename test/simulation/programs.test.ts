import { describe, expect, test } from "vitest";
import { CancelledError, compile, SimulationError, simulate } from "../../src/simulation/index.ts";
import { distribution, HEAD, HEAD2, run } from "./run.ts";

const BELL = `${HEAD}qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;`;

describe("distributions of well-known programs", () => {
  test("gives a Bell pair equal ends", () => {
    expect(distribution(BELL)).toEqual({ "00": expect.closeTo(0.5, 12), "11": expect.closeTo(0.5, 12) });
  });

  test("gives a GHZ state of 12 qubits, made in a loop", () => {
    const p = distribution(
      `${HEAD}qubit[12] q; bit[12] c; h q[0]; for int i in [0:10] { cx q[i], q[i + 1]; } c = measure q;`,
    );
    expect(p).toEqual({ "000000000000": expect.closeTo(0.5, 12), "111111111111": expect.closeTo(0.5, 12) });
  });

  test("teleports a state with feed-forward", () => {
    const p = distribution(`${HEAD}qubit[3] q; bit a; bit b; bit out;
      ry(0.7) q[0]; rz(0.3) q[0]; h q[1]; cx q[1], q[2]; cx q[0], q[1]; h q[0];
      a = measure q[0]; b = measure q[1]; if (b) x q[2]; if (a) z q[2];
      rz(-0.3) q[2]; ry(-0.7) q[2]; out = measure q[2];`);
    expect(Object.keys(p).sort()).toEqual(["0 0 0", "0 0 1", "0 1 0", "0 1 1"]);
    for (const probability of Object.values(p)) expect(probability).toBeCloseTo(0.25, 12);
  });

  test("repeats until success", () => {
    const program = `${HEAD}qubit q; bit c; int[32] tries = 1; h q; c = measure q;
      while (c == 0) { tries += 1; reset q; h q; c = measure q; }
      bit[3] n; n = bit[3](uint[3](tries));`;
    expect(run(program, { shots: 1000, seed: 3 }).measurementCounts).toSatisfy(
      (counts: Record<string, number>) => Object.keys(counts).every(key => key.endsWith(" 1")),
    );
    expect(distribution(program)["001 1"]).toBeCloseTo(1 / 2 + 1 / 2 ** 9 + 1 / 2 ** 17, 5);
  });

  test.each(["statevector", "stabilizer", "extended stabilizer", "matrix product state", "sparse"] as const)(
    "keeps what a qubit was measured as when its twin is measured for good and it is reset (%s)",
    method => {
      const program = `${HEAD}qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;
        h q[0]; reset q[1]; cx q[0], q[1];`;
      for (const shots of [0, 100]) {
        const { measurementProbabilities, measurementCounts } = run(program, { shots, seed: 1, method });
        const seen = shots > 0 ? measurementCounts : measurementProbabilities!;
        expect(Object.keys(seen).sort()).toEqual(["00", "11"]);
      }
    },
  );

  test("undoes a Fourier transform by its inverse", () => {
    const qft = `gate qft a, b, c { h c; cp(pi/2) b, c; cp(pi/4) a, c; h b; cp(pi/2) a, b; h a; swap a, c; }`;
    const p = distribution(
      `${HEAD}${qft} qubit[3] q; bit[3] c; x q[0]; x q[2]; qft q[0], q[1], q[2]; inv @ qft q[0], q[1], q[2]; c = measure q;`,
    );
    expect(p).toEqual({ "101": expect.closeTo(1, 12) });
  });

  test("finds a marked item by Grover's search", () => {
    const p = distribution(`${HEAD}qubit[4] q; bit[4] c; h q;
      for int i in [1:3] { x q[1]; ctrl(3) @ z q[0], q[1], q[2], q[3]; x q[1]; h q; x q; ctrl(3) @ z q[0], q[1], q[2], q[3]; x q; h q; }
      c = measure q;`);
    expect(p["1101"]).toBeCloseTo(Math.sin(7 * Math.asin(1 / 4)) ** 2, 10);
  });

  test("estimates a phase with powers computed in a loop", () => {
    const p = distribution(`${HEAD}const float theta = 5/8.0; qubit[3] q; qubit r; bit[3] c; x r; h q;
      for uint i in [0:2] { ctrl @ pow(2**i) @ p(2*pi*theta) q[i], r; }
      swap q[0], q[2]; h q[0]; cp(-pi/2) q[0], q[1]; h q[1]; cp(-pi/4) q[0], q[2]; cp(-pi/2) q[1], q[2]; h q[2];
      c = measure q;`);
    expect(p).toEqual({ "101": expect.closeTo(1, 10) });
  });

  test("puts the last declared bit and register on the left", () => {
    expect(
      distribution(`${HEAD}qubit[2] q; bit[2] a; bit b; x q[0]; a = measure q; b = measure q[1];`),
    ).toEqual({ "0 01": 1 });
  });

  test("keeps what was measured when the qubit continues", () => {
    const p = distribution(`${HEAD}qubit q; bit[2] c; h q; c[0] = measure q; h q; c[1] = measure q;`);
    expect(Object.keys(p).sort()).toEqual(["00", "01", "10", "11"]);
    for (const probability of Object.values(p)) expect(probability).toBeCloseTo(0.25, 12);
  });

  test("resets a qubit that is entangled, and leaves its partner mixed", () => {
    const p = distribution(
      `${HEAD}qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; reset q[0]; h q[1]; c = measure q;`,
    );
    expect(p).toEqual({ "00": expect.closeTo(0.5, 12), "10": expect.closeTo(0.5, 12) });
  });

  test("runs OpenQASM 2 with a condition on a register", () => {
    const p = distribution(
      `${HEAD2}qreg q[2]; creg c[2]; creg d[1]; h q; measure q -> c; reset q; if (c == 2) x q[0]; measure q[0] -> d[0];`,
    );
    expect(Object.keys(p).sort()).toEqual(["0 00", "0 01", "0 11", "1 10"]);
  });
});

describe("counts", () => {
  const chiSquare = (counts: Record<string, number>, exact: Record<string, number>, shots: number) =>
    Object.entries(exact).reduce(
      (sum, [key, p]) => sum + ((counts[key] ?? 0) - p * shots) ** 2 / (p * shots),
      0,
    );
  const program = `${HEAD}qubit[3] q; bit[3] c; ry(1.1) q[0]; ry(0.6) q[1]; cx q[0], q[1]; h q[2]; crx(0.8) q[2], q[0]; c = measure q;`;

  test.each([
    ["measured at the end", program],
    ["measured on the way", program.replace("crx", "bit m; m = measure q[1]; if (m) x q[1]; crx")],
  ])("follow the exact distribution when %s (false alarms: 1 in 1,000, seed fixed)", (_, source) => {
    const exact = distribution(source);
    const shots = 20_000;
    const { measurementCounts: counts } = run(source, { shots, seed: 12345 });
    const freedom = Object.keys(exact).length - 1;
    const limit = freedom * (1 - 2 / (9 * freedom) + 3.09 * Math.sqrt(2 / (9 * freedom))) ** 3;
    expect(Object.keys(counts).every(key => key in exact)).toBe(true);
    expect(chiSquare(counts, exact, shots)).toBeLessThan(limit);
  });

  test("add up, are the same for the same seed, and others for another", () => {
    const counts = (seed: number) => run(program, { shots: 5000, seed }).measurementCounts;
    expect(Object.values(counts(7)).reduce((sum, n) => sum + n)).toBe(5000);
    expect(counts(7)).toEqual(counts(7));
    expect(counts(7)).not.toEqual(counts(8));
  });

  test("are those of the shots that memory lists, with or without it", () => {
    const { measurementCounts, measurements } = run(program, { shots: 500, seed: 1, memory: true });
    const counted: Record<string, number> = {};
    for (const outcome of measurements!) counted[outcome] = (counted[outcome] ?? 0) + 1;
    expect(counted).toEqual(measurementCounts);
    expect(run(program, { shots: 500, seed: 1 }).measurementCounts).toEqual(measurementCounts);
    expect(measurements!.slice(0, 250)).not.toEqual(measurements!.slice(0, 250).toSorted());
  });

  test("do not depend on how much memory there is for branches that wait", () => {
    const source = `${HEAD}qubit[4] q; bit[4] c; for int i in [1:3] { h q; c = measure q; if (c == 5) x q[2]; }`;
    const counts = (maxBytes: number) => run(source, { shots: 300, seed: 2, maxBytes }).measurementCounts;
    expect(counts(16 * 2 ** 4)).toEqual(counts(2 ** 30));
  });
});

describe("limits and refusals", () => {
  test("gives the figure when the state is too large, before anything is allocated", () => {
    const wide = `${HEAD}qubit[40] q; bit[40] c; h q; c = measure q;`;
    expect(() => run(wide, { shots: 1, method: "statevector" })).toThrow(
      /40 qubits, which takes 8 TiB; at most 2 GiB may be used/,
    );
  });

  test("ignores qubits that are never used", () => {
    expect(
      run(`${HEAD}qubit[1000] q; bit[2] c; x q[999]; c[1] = measure q[999];`, { shots: 3 }).measurementCounts,
    ).toEqual({ "10": 3 });
  });

  test("ends an endless loop with a sentence", () => {
    expect(() => run(`${HEAD}bit c; while (true) { c = 1; }`, { shots: 1, maxOperations: 1e5 })).toThrow(
      /100,000 operations.*loop/,
    );
    expect(() => run(`${HEAD}bit c; while (true) { c = 1; }`, { shots: 1, maxMilliseconds: 50 })).toThrow(
      /0\.05 s/,
    );
  });

  test("ends a gate that comes to far too many steps, modified or not", () => {
    const doubling = Array.from(
      { length: 60 },
      (_, i) => `gate g${i} q { ${i ? `g${i - 1} q; g${i - 1} q;` : "h q; t q;"} }`,
    ).join("\n");
    for (const call of ["g59 q", "inv @ g59 q", "ctrl @ g59 r, q", "pow(1000000000) @ g59 q"])
      expect(() =>
        run(`${HEAD}${doubling} qubit q; qubit r; bit c; x r; ${call};`, { shots: 1, maxOperations: 1e5 }),
      ).toThrow(/steps in all/);
    expect(() => run(`${HEAD}${doubling} qubit q; pow(0.5) @ g59 q;`, { shots: 0 })).toThrow(/out of reach/);
  });

  test("stops when the signal is raised", () => {
    let looks = 0;
    const signal = {
      get aborted() {
        return ++looks > 3;
      },
    };
    expect(() => run(`${HEAD}bit c; while (true) { c = 1; }`, { shots: 1, signal })).toThrow(CancelledError);
  });

  test("says that a program without bits has nothing to count, and still gives its state", () => {
    const circuit = compile({ format: "qasm3", data: `${HEAD}qubit q; h q;` });
    expect(() => simulate(circuit, { shots: 10 })).toThrow(/no classical bits/);
    expect(simulate(circuit, { shots: 0, statevector: true }).statevector).toHaveLength(4);
  });

  test("gives no state vector of a program with several ends", () => {
    expect(() =>
      run(`${HEAD}qubit q; bit c; h q; c = measure q; if (c) x q;`, { shots: 0, statevector: true }),
    ).toThrow(SimulationError);
  });

  test("reports faults of the run with their place", () => {
    expect(() => run(`${HEAD}qubit[2] q; int n = 5; bit c;\nx q[n];`, { shots: 1 })).toThrow(
      /^4:5: The index 5 is outside q/,
    );
    expect(() => run(`${HEAD}int n = 0; bit c;\nn = 4 / n;`, { shots: 1 })).toThrow(
      /^4:5: .*divided by zero/,
    );
  });

  test.each(["statevector", "automatic"] as const)("tells how far one long simulation is (%s)", method => {
    const seen: number[] = [];
    const layers = "h q; t q; cz q[0:18], q[1:19]; ".repeat(20);
    run(`${HEAD}qubit[20] q; bit[20] c; ${layers} c = measure q;`, {
      shots: 1,
      seed: 1,
      method,
      onProgress: part => seen.push(part),
    });
    expect(seen.length).toBeGreaterThan(5);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  test("tells how far it is", () => {
    const seen: number[] = [];
    run(`${HEAD}qubit[2] q; bit[2] c; h q; c = measure q; if (c == 1) x q[0];`, {
      shots: 100,
      seed: 1,
      onProgress: part => seen.push(part),
    });
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);
  });
});
