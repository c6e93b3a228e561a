import { describe, expect, test } from "vitest";
import { compile, type MethodName, simulateNoisy, uniformNoise } from "../../src/simulation/index.ts";
import { programOf } from "./random-statements.ts";
import { HEAD, run } from "./run.ts";

const depolarizing = (probability: number, qubits: number) => {
  const channels = [{ channel: "depolarizing", probability }] as const;
  const readout = { zeroGivenOne: 0.01, oneGivenZero: 0.02 };
  return uniformNoise({ oneQubit: channels, twoQubit: channels, readout }, qubits);
};

const wide = (qubits: number, gate: string) => `qubit[${qubits}] q; bit c; ${gate} q; c = measure q[0];`;

describe("the plan of a run", () => {
  const planned = (body: string, options = {}) => {
    const { name, reason } = run(`${HEAD}${body}`, { shots: 10, seed: 1, ...options }).method;
    return [name, reason];
  };

  test("takes the method that costs the least of those that can, and says why", () => {
    expect(planned(wide(3, "h"))).toEqual([
      "statevector",
      "The program uses 3 qubits, which take little memory.",
    ]);
    expect(planned(wide(40, "h"))).toEqual(["stabilizer", "The program has only Clifford gates."]);
    expect(planned(wide(26, "t"))[0]).toBe("statevector");
    expect(planned(wide(40, "t"))[0]).toBe("statevector");
  });

  test("takes a matrix product state where a state vector does not fit, and says so", () => {
    const layers = `ry(0.3) q; ${"cx q[0:24], q[1:25]; ry(0.4) q; ".repeat(3)}`;
    const [name, reason] = planned(wide(26, `${layers} t`), { maxBytes: 2 ** 28 });
    expect(name).toBe("matrix product state");
    expect(reason).toMatch(/^A state vector of 26 qubits does not fit \(at most 25\)/);
  });

  test("takes the state vector for dense circuits, after short attempts with others", () => {
    const layer = (i: number) => `u3(1, ${i}, 0.3) q; cz q[0:9], q[10:19]; cx q[0:18], q[1:19];`;
    const body = Array.from({ length: 12 }, (_, i) => layer(i)).join(" ");
    expect(planned(wide(20, `${body} t`))).toEqual([
      "statevector",
      expect.stringMatching(
        /^The program has non-Clifford gates, and uses 20 qubits, for which there is memory\./,
      ),
    ]);
  });

  test("asks the methods for noise where there is noise", () => {
    const noise = depolarizing(0.01, 40);
    const chosen = (body: string, shots = 100) =>
      simulateNoisy(compile({ format: "qasm3", data: `${HEAD}${body}` }), noise, { shots, seed: 1 }).method
        .name;
    expect(chosen(wide(3, "h"))).toBe("density matrix");
    expect(chosen(wide(40, "h"))).toBe("stabilizer");
    expect(chosen(wide(15, "t"))).toBe("trajectories");
    expect(() => chosen(wide(15, "t"), 0)).toThrow(/density matrix, which for 15 qubits/);
  });
});

describe("the choice of a method", () => {
  const chosen = (program: string, options = {}) => run(program, { shots: 10, seed: 1, ...options }).method;
  const wide = (body: string, qubits = 40) =>
    `${HEAD}qubit[${qubits}] q; bit[${qubits}] c; ${body} c = measure q;`;

  test("takes the stabilizer for wide Clifford programs, angles of quarter turns included", () => {
    const { name, reason } = chosen(wide("h q; rz(-pi/2) q; cx q[0:38], q[1:39];"));
    expect(name).toBe("stabilizer");
    expect(reason).toMatch(/Clifford/);
  });

  test("takes the state vector for few qubits, and for other gates", () => {
    expect(chosen(programOf(["h q;"])).name).toBe("statevector");
    expect(chosen(`${HEAD}qubit[14] q; bit[14] c; h q; t q; c = measure q;`).name).toBe("statevector");
  });

  const layers = (count: number, qubits = 40) =>
    Array.from(
      { length: count },
      (_, i) =>
        `u3(1, ${i}, 0.3) q; ${Array.from(
          { length: qubits / 2 },
          (_, a) => `cz q[${a}], q[${(a * (2 * i + 3) + 20) % qubits}];`,
        )
          .filter(gate => !/q\[(\d+)\], q\[\1\]/.test(gate))
          .join(" ")}`,
    ).join("\n");

  test("takes a matrix product state for many qubits that are little entangled", () => {
    const { name, reason, truncation } = chosen(wide("ry(0.3) q; cp(0.4) q[0:38], q[1:39];"));
    expect(name).toBe("matrix product state");
    expect(reason).toMatch(/40 qubits does not fit \(at most 28\).*none was left out/);
    expect(truncation!.fidelity).toBe(1);
  });

  test("takes a matrix product state where a state vector fits, and gates entangle too little to need it", () => {
    const { name, reason } = chosen(
      wide("ry(0.3) q; cx q[0:21], q[1:22]; ry(0.4) q; cx q[0:21], q[1:22];", 23),
    );
    expect(name).toBe("matrix product state");
    expect(reason).toMatch(/Bonds have at most 4/);
  });

  test("takes the sparse state where a state vector fits, and few gates are no permutations", () => {
    const swaps = Array.from(
      { length: 60 },
      (_, i) => `cswap q[${i % 4}], q[${4 + (i % 11)}], q[${15 + (i % 10)}];`,
    ).join(" ");
    const { name } = chosen(wide(`h q[0:3]; x q[4:14]; ${swaps} t q; ry(0.2) q[25];`, 26));
    expect(name).toBe("sparse");
  });

  test("takes the sparse state where few amplitudes are not zero, however entangled", () => {
    const marks = (step: number) =>
      Array.from({ length: 30 }, (_, i) => `ccx q[${i % 10}], q[${(i * step + 3) % 10}], q[${10 + i}];`)
        .filter(gate => !/q\[(\d+)\], q\[\1\]/.test(gate))
        .join(" ");
    const { name, reason } = chosen(wide(`ry(0.4) q[0:9]; ${[2, 3, 4, 5, 6, 7, 8].map(marks).join("\n")}`));
    expect(name).toBe("sparse");
    expect(reason).toMatch(/does not fit/);
  });

  test("counts no qubits for a state vector that are only copies, parities or known values", () => {
    const { name, reason } = chosen(
      wide("ry(0.3) q[0:4]; cx q[0], q[5:39]; cx q[1], q[7:20]; x q[30]; t q[21:39];"),
    );
    expect(name).toBe("statevector");
    expect(reason).toMatch(/of the 40 qubits that it uses at most 5 are in superposition at a time/);
  });

  test("counts the qubits in superposition of a long loop that ends early", () => {
    const loop = "for int i in [0:9999999] { rx(0.1) q[1:4]; break; }";
    const { reason } = chosen(wide(`ry(0.3) q[0:4]; cx q[0], q[5:39]; ${loop}`));
    expect(reason).toMatch(/of the 40 qubits that it uses at most 5 are in superposition at a time/);
  });

  test("takes the sparse state for a W state, of which it tries whether few amplitudes are not zero", () => {
    const steps = Array.from(
      { length: 299 },
      (_, i) =>
        `cry(${2 * Math.acos(Math.sqrt(1 / (300 - i)))}) q[${i}], q[${i + 1}]; cx q[${i + 1}], q[${i}];`,
    );
    expect(chosen(wide(`x q[0]; ${steps.join(" ")}`, 300), { shots: 1000 }).name).toBe("sparse");
  });

  test("takes the extended stabilizer where each shot injects magic states in a way of its own", () => {
    const inject = Array.from(
      { length: 20 },
      (_, i) =>
        `reset q[12]; h q[12]; t q[12]; cx q[${i % 12}], q[12]; c[12] = measure q[12]; if (c[12]) s q[${i % 12}]; h q[${i % 12}]; cx q[${i % 12}], q[${(i + 1) % 12}];`,
    );
    const { name, reason } = chosen(wide(`h q[0]; cx q[0:10], q[1:11]; ${inject.join("\n")}`, 13), {
      shots: 40,
    });
    expect(name).toBe("extended stabilizer");
    expect(reason).toMatch(/few others/);
  });

  test("takes the sparse state for a chain of teleportations, each shot of which has corrections of its own", () => {
    const links = Array.from({ length: 20 }, (_, i) => {
      const [from, a, b] = [2 * i, 2 * i + 1, 2 * i + 2];
      return `h q[${a}]; cx q[${a}], q[${b}]; cx q[${from}], q[${a}]; h q[${from}]; c[0] = measure q[${from}]; c[1] = measure q[${a}]; if (c[1]) x q[${b}]; if (c[0]) z q[${b}];`;
    });
    const { name, reason } = chosen(wide(`ry(0.7) q[0]; rz(0.3) q[0]; ${links.join("\n")}`, 41), {
      shots: 1000,
    });
    expect(name).toBe("sparse");
    expect(reason).toMatch(/as an extended stabilizer it got on more slowly when it was tried/);
  });

  test("says which methods got on more slowly when they were tried", () => {
    const turns = Array.from(
      { length: 4 },
      (_, i) =>
        `u3(1, ${i}, 0.3) q; cz q[0:36], q[1:37]; c[0] = measure q[0]; if (c[0]) ry(0.2) q[1]; reset q[0];`,
    );
    const { name, reason } = chosen(wide(turns.join("\n"), 38), { shots: 20 });
    expect(name).toBe("matrix product state");
    expect(reason).toMatch(/as a sparse state it got on more slowly when it was tried/);
  });

  test("gives up a method that takes too much memory, and says so where none is left", () => {
    expect(() => chosen(wide(layers(30)), { maxBytes: 2 ** 16 })).toThrow(/at most 64 KiB/);
  });

  test("does what it is told", () => {
    for (const method of [
      "statevector",
      "stabilizer",
      "matrix product state",
      "sparse",
    ] satisfies MethodName[])
      expect(chosen(programOf(["h q[0];"]), { method })).toMatchObject({
        name: method,
        reason: expect.stringMatching(/^It was asked for\./),
      });
  });
});
