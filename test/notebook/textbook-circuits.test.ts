import { describe, expect, test } from "vitest";
import { circuits, program, type QasmProgram } from "../../src/index.ts";
import { countsOf } from "./program-counts.ts";

const { PI } = Math;
const outcomes = (made: QasmProgram) => Object.keys(countsOf(made, "automatic")).sort();
/** Returns the values that one bit had. */
const bitOf = (made: QasmProgram, bit: number) => [...new Set(outcomes(made).map(bits => bits.at(-1 - bit)))];
const nothing = (qubits: number) => program(qubits, () => {});

describe("twenty circuits of textbooks in at most ten lines each", () => {
  test("teleportation of a state, which is undone where it arrives", () => {
    const teleport = program({ qubits: 3, bits: 3 }, q => {
      q.ry(1.1, 0).h(1).cx(1, 2);
      q.cx(0, 1).h(0).measure([0, 1]);
      q.if(1, b => b.x(2)).if(0, b => b.z(2));
      q.ry(-1.1, 2).measure(2);
    });
    expect(bitOf(teleport, 2)).toEqual(["0"]);
  });

  test("GHZ state", () => {
    const ghz = program(4, q => {
      q.h(0);
      for (let k = 1; k < 4; k++) q.cx(k - 1, k);
    });
    expect(outcomes(ghz.measureAll())).toEqual(["0000", "1111"]);
    expect(ghz.equals(circuits.ghz(4))).toBe(true);
  });

  test("quantum Fourier transform on 4 qubits", () => {
    const qft = program(4, q => {
      for (let j = 3; j >= 0; j--) {
        q.h(j);
        for (let k = j - 1; k >= 0; k--) q.cp(PI / 2 ** (j - k), k, j);
      }
      q.swap(0, 3).swap(1, 2);
    });
    expect(qft.equals(circuits.qft(4))).toBe(true);
    expect(qft.compose(qft.inverse()).equals(nothing(4))).toBe(true);
  });

  test("Grover's search on 3 qubits", () => {
    const grover = program(3, q => {
      q.h(q.qubits);
      for (let i = 0; i < 2; i++) {
        q.x(1).mcz([0, 1], 2).x(1);
        q.h(q.qubits).x(q.qubits).mcz([0, 1], 2).x(q.qubits).h(q.qubits);
      }
    });
    expect(grover.equals(circuits.grover(3, "101"))).toBe(true);
    expect(countsOf(grover.measureAll(), "automatic")["101"]).toBeGreaterThan(170);
  });

  test("Deutsch–Jozsa algorithm with a balanced and a constant function", () => {
    const deutschJozsa = (oracle: QasmProgram) =>
      program({ qubits: 4, bits: 3 }, q => q.x(3).h(q.qubits).apply(oracle).h([0, 1, 2]).measure([0, 1, 2]));
    const balanced = program(4, q => q.cx(0, 3).cx(1, 3).cx(2, 3));
    expect(outcomes(deutschJozsa(balanced))).toEqual(["111"]);
    expect(outcomes(deutschJozsa(program(4, q => q.x(3))))).toEqual(["000"]);
  });

  test("Bernstein–Vazirani algorithm", () => {
    const bernsteinVazirani = (secret: string) =>
      program({ qubits: secret.length + 1, bits: secret.length }, q => {
        const [last, inputs] = [secret.length, q.qubits.slice(0, -1)];
        q.x(last).h(q.qubits);
        for (const k of inputs) if (secret.at(-1 - k) === "1") q.cx(k, last);
        q.h(inputs).measure(inputs);
      });
    expect(outcomes(bernsteinVazirani("10110"))).toEqual(["10110"]);
  });

  test("phase estimation", () => {
    const estimate = program({ qubits: 4, bits: 3 }, q => {
      const counting = [0, 1, 2];
      q.h(counting).x(3);
      for (const k of counting) q.cp(((2 * PI * 3) / 8) * 2 ** k, k, 3);
      q.apply(circuits.qft(3).inverse(), counting).measure(counting);
    });
    expect(outcomes(estimate)).toEqual(["011"]);
  });

  test("swap test of equal and of orthogonal states", () => {
    const swapTest = (one: number, other: number) =>
      program({ qubits: 3, bits: 1 }, q => q.ry(one, 1).ry(other, 2).h(0).cswap(0, 1, 2).h(0).measure(0));
    expect(outcomes(swapTest(0.7, 0.7))).toEqual(["0"]);
    expect(outcomes(swapTest(0, PI))).toEqual(["0", "1"]);
  });

  test("Hadamard test", () => {
    const hadamardTest = (unitary: QasmProgram) =>
      program({ qubits: 2, bits: 1 }, q => q.h(0).x(1).apply(unitary.controlled()).h(0).measure(0));
    expect(outcomes(hadamardTest(program(1, q => q.z(0))))).toEqual(["1"]);
    expect(outcomes(hadamardTest(nothing(1)))).toEqual(["0"]);
  });

  test("W state", () => {
    const w = program(3, q =>
      q
        .ry(2 * Math.acos(Math.sqrt(1 / 3)), 0)
        .ch(0, 1)
        .cx(1, 2)
        .cx(0, 1)
        .x(0)
        .measureAll(),
    );
    expect(outcomes(w)).toEqual(["001", "010", "100"]);
  });

  test("full adder", () => {
    const add = program(4, q => q.ccx(0, 1, 3).cx(0, 1).ccx(1, 2, 3).cx(1, 2).cx(0, 1));
    for (let input = 0; input < 8; input++) {
      const set = program(4, q => q.x([0, 1, 2].filter(k => (input >> k) & 1)));
      const [sum] = outcomes(set.compose(add).measureAll());
      const ones = [0, 1, 2].filter(k => (input >> k) & 1).length;
      expect(Number.parseInt(sum!.slice(0, 2), 2)).toBe(ones);
    }
  });

  test("repetition code against a bit flip", () => {
    const corrected = (error: number) =>
      program({ qubits: 5, bits: 3 }, q => {
        q.x(0).cx(0, 1).cx(0, 2).x(error);
        q.cx(0, 3).cx(1, 3).cx(1, 4).cx(2, 4).measure([3, 4], [0, 1]);
        q.if({ value: 1 }, b => b.x(0))
          .if({ value: 3 }, b => b.x(1))
          .if({ value: 2 }, b => b.x(2));
        q.measure(0, 2);
      });
    expect([0, 1, 2].map(error => bitOf(corrected(error), 2))).toEqual([["1"], ["1"], ["1"]]);
  });

  test("superdense coding", () => {
    const send = (bits: string) =>
      program(2, q => {
        q.h(0).cx(0, 1);
        if (bits[0] === "1") q.x(0);
        if (bits[1] === "1") q.z(0);
        q.cx(0, 1).h(0).measureAll();
      });
    for (const bits of ["00", "01", "10", "11"]) expect(outcomes(send(bits))).toEqual([bits]);
  });

  test("a step of BB84", () => {
    const step = (bit: number, sent: "X" | "Z", read: "X" | "Z") =>
      program({ qubits: 1, bits: 1 }, q => {
        if (bit === 1) q.x(0);
        if (sent === "X") q.h(0);
        q.barrier();
        if (read === "X") q.h(0);
        q.measure(0);
      });
    expect(outcomes(step(1, "X", "X"))).toEqual(["1"]);
    expect(outcomes(step(1, "X", "Z"))).toEqual(["0", "1"]);
  });

  test("ansatz of a variational eigensolver", () => {
    const inputs = ["a0", "a1", "b0", "b1"];
    const ansatz = program({ qubits: 2, inputs }, q => {
      for (const layer of ["a", "b"]) for (const k of q.qubits) q.ry(`${layer}${k}`, k);
      q.cx(0, 1);
    });
    expect(ansatz.gateCounts).toEqual({ ry: 4, cx: 1 });
    const set = ansatz.assign({ a0: PI / 4, a1: 0, b0: PI / 4, b1: 0 });
    expect(outcomes(set.measureAll())).toEqual(["00", "11"]);
  });

  test("QAOA on a ring", () => {
    const ring = [0, 1, 2, 3].map(k => [k, (k + 1) % 4] as const);
    const layer = program({ qubits: 4, inputs: ["gamma", "beta"] }, q => {
      q.h(q.qubits);
      for (const [a, b] of ring) q.rzz("-gamma", a, b);
      q.rx("2 * beta", q.qubits);
    });
    const known = circuits.qaoa(4, ring, [{ gamma: 0.4, beta: 0.3 }]);
    expect(layer.assign({ gamma: 0.4, beta: 0.3 }).equals(known)).toBe(true);
  });

  test("Trotter steps of an Ising chain", () => {
    const [time, steps] = [0.8, 10];
    const evolve = program(3, q =>
      q.repeat(steps, s => {
        for (const k of [0, 1]) s.rzz((2 * time) / steps, k, k + 1);
        s.rx(time / steps, s.qubits);
      }),
    );
    const sum = "Z0 Z1 + Z1 Z2 + 0.5*X0 + 0.5*X1 + 0.5*X2";
    expect(evolve.equals(circuits.trotter(sum, time, { steps }))).toBe(true);
    expect(evolve.data.match(/rzz/g)).toHaveLength(2);
  });

  test("a T gate that is teleported", () => {
    const teleported = program({ qubits: 2, bits: 2 }, q => {
      q.h(0).h(1).t(1).cx(0, 1).measure(1, 0);
      q.if(0, b => b.s(0));
      q.tdg(0).h(0).measure(0, 1);
    });
    expect(bitOf(teleported, 1)).toEqual(["0"]);
  });

  test("iterative phase estimation", () => {
    const iterative = program({ qubits: 2, bits: 3 }, q => {
      q.x(1);
      for (const bit of [0, 1, 2]) {
        q.reset(0)
          .h(0)
          .cp(((2 * PI * 3) / 8) * 2 ** (2 - bit), 0, 1);
        for (let known = 0; known < bit; known++) q.if(known, b => b.p(-PI / 2 ** (bit - known), 0));
        q.h(0).measure(0, bit);
      }
    });
    expect(outcomes(iterative)).toEqual(["011"]);
  });

  test("amplitude estimation", () => {
    const prepare = program(1, q => q.ry(PI / 4, 0));
    const grover = program(1, q => q.z(0).apply(prepare.inverse()).z(0).apply(prepare));
    const estimation = circuits.phaseEstimation(grover, 3, { prepare });
    const read = program({ qubits: 4, bits: 3 }, q => q.apply(estimation).measure([0, 1, 2]));
    expect(outcomes(read)).toEqual(["001", "111"]);
  });

  test("repeat until success", () => {
    const untilOne = program({ qubits: 1, bits: 1 }, q =>
      q
        .h(0)
        .measure(0)
        .while({ bit: 0, is: 0 }, b => b.h(0).measure(0)),
    );
    expect(outcomes(untilOne)).toEqual(["1"]);
  });
});

describe("more circuits of textbooks", () => {
  test("Simon's algorithm gives strings that are orthogonal to the period", () => {
    const simon = program({ qubits: 6, bits: 3 }, q => {
      const [inputs, period] = [
        [0, 1, 2],
        [0, 2],
      ];
      q.h(inputs);
      for (const k of inputs) q.cx(k, 3 + k);
      for (const k of period) q.cx(0, 3 + k);
      q.h(inputs).measure(inputs);
    });
    expect(outcomes(simon)).toEqual(["000", "010", "101", "111"]);
  });

  test("Shor's order of 7 modulo 15", () => {
    const times7 = program(4, q => q.swap(2, 3).swap(1, 2).swap(0, 1).x(q.qubits));
    const prepare = program(4, q => q.x(0));
    const order = circuits.phaseEstimation(times7, 3, { prepare });
    const read = program({ qubits: 7, bits: 3 }, q => q.apply(order).measure([0, 1, 2]));
    expect(outcomes(read)).toEqual(["000", "010", "100", "110"]);
  });

  test("Steane's code: all stabilizers of the encoded state are +1", () => {
    const rows = [
      [0, 2, 4, 6],
      [1, 2, 5, 6],
      [3, 4, 5, 6],
    ] as const;
    const encode = program(7, q => {
      for (const [first, ...rest] of rows) {
        q.h(first);
        for (const k of rest) q.cx(first, k);
      }
    });
    const syndrome = program({ qubits: 8, bits: 6 }, q => {
      q.apply(encode);
      rows.forEach((row, i) => {
        q.reset(7);
        for (const k of row) q.cx(k, 7);
        q.measure(7, i).reset(7).h(7);
        for (const k of row) q.cx(7, k);
        q.h(7).measure(7, 3 + i);
      });
    });
    expect(outcomes(syndrome)).toEqual(["000000"]);
  });

  test("CHSH: entangled players win more often than 3 of 4 rounds", () => {
    const wins = [0, 1, 2, 3].map(questions => {
      const [x, y] = [questions & 1, questions >> 1];
      const round = program({ qubits: 2, bits: 2 }, q => {
        q.h(0).cx(0, 1);
        q.ry(x ? -PI / 2 : 0, 0)
          .ry(y ? PI / 4 : -PI / 4, 1)
          .measureAll();
      });
      const counts = countsOf(round, "automatic");
      const won = Object.entries(counts).filter(([bits]) => (bits[0] !== bits[1]) === (x === 1 && y === 1));
      return won.reduce((sum, [, count]) => sum + count, 0) / 200;
    });
    expect(wins.reduce((sum, each) => sum + each / 4, 0)).toBeGreaterThan(0.78);
  });

  test("quantum walk on a circle of four places", () => {
    const increment = program(2, q => q.cx(0, 1).x(0));
    const [up, down] = [increment.controlled(), increment.inverse().controlled()];
    const step = program(3, q => q.h(0).apply(up).x(0).apply(down).x(0));
    const places = (steps: number) =>
      outcomes(program({ qubits: 3, bits: 2 }, q => q.apply(step.power(steps)).measure([1, 2], [0, 1])));
    expect([places(1), places(2)]).toEqual([
      ["01", "11"],
      ["00", "10"],
    ]);
  });

  test("entanglement swapping", () => {
    const swapping = program({ qubits: 4, bits: 4 }, q => {
      q.h([0, 2]).cx(0, 1).cx(2, 3);
      q.cx(1, 2).h(1).measure([1, 2], [0, 1]);
      q.if(1, b => b.x(3)).if(0, b => b.z(3));
      q.cx(0, 3).h(0).measure([0, 3], [2, 3]);
    });
    expect([bitOf(swapping, 2), bitOf(swapping, 3)]).toEqual([["0"], ["0"]]);
  });
});

describe("identities of textbooks", () => {
  const xor = program(2, q => q.cx(0, 1));

  test.each<[string, QasmProgram, QasmProgram]>([
    ["X from HZH", program(1, q => q.h(0).z(0).h(0)), program(1, q => q.x(0))],
    ["S from two T", program(1, q => q.t(0)).power(2), program(1, q => q.s(0))],
    ["swap from three CNOTs", xor.compose(xor, [1, 0]).compose(xor), program(2, q => q.swap(0, 1))],
    ["CZ from CNOT", program(2, q => q.h(1).cx(0, 1).h(1)), program(2, q => q.cz(0, 1))],
    ["CNOT turned round", program(2, q => q.h([0, 1]).cx(0, 1).h([0, 1])), xor.on([1, 0])],
    [
      "Toffoli from two-qubit gates",
      program(3, q => {
        q.h(2).cx(1, 2).tdg(2).cx(0, 2).t(2).cx(1, 2).tdg(2).cx(0, 2).t([1, 2]).h(2);
        q.cx(0, 1).t(0).tdg(1).cx(0, 1);
      }),
      program(3, q => q.ccx(0, 1, 2)),
    ],
    [
      "Fredkin from Toffoli",
      program(3, q => q.cx(2, 1).ccx(0, 1, 2).cx(2, 1)),
      program(3, q => q.cswap(0, 1, 2)),
    ],
    [
      "a controlled phase from CNOTs",
      program(2, q => q.p(0.2, 0).cx(0, 1).p(-0.2, 1).cx(0, 1).p(0.2, 1)),
      program(2, q => q.cp(0.4, 0, 1)),
    ],
    [
      "multiplication by 7 modulo 15, four times",
      program(4, q => q.swap(2, 3).swap(1, 2).swap(0, 1).x(q.qubits)).power(4),
      nothing(4),
    ],
  ])("%s", (_, made, wanted) => {
    expect(made.counterexample(wanted)).toBeNull();
  });
});
