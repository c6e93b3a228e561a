import { describe, expect, test } from "vitest";
import { type DeviceFigures, simulateDevice } from "../../../src/simulation/index.ts";
import { circuit, countsOn, exactOn, figuresOf, perth } from "./devices.ts";

const SHOTS = 20_000;
const QUBITS = perth.qubits.map((_, qubit) => qubit);

/** The probability of reading 1 of a qubit that is 1 with this probability. */
const read = ({ qubits }: DeviceFigures, qubit: number, one: number) => {
  const { zeroGivenOne, oneGivenZero } = qubits[qubit]!;
  return one * (1 - zeroGivenOne) + (1 - one) * oneGivenZero;
};
/** What a pulse of this error takes off a probability at most. */
const slack = (qubit: number, pulses: number) => 2 * pulses * perth.qubits[qubit]!.otherwise.error;

describe("experiments on an emulated device find its published figures", () => {
  test.each(QUBITS)("T1 of qubit %i, by the decay of a 1 over delays", qubit => {
    const { T1 } = perth.qubits[qubit]!;
    for (const part of [0.1, 0.5, 1, 2, 5]) {
      const counts = countsOn(
        perth,
        `bit c; x $${qubit}; delay[${part * T1}ns] $${qubit}; c = measure $${qubit};`,
      );
      const one = (counts["1"] ?? 0) / SHOTS;
      const expected = read(perth, qubit, Math.exp(-part));
      const deviation = Math.sqrt((expected * (1 - expected)) / SHOTS);
      expect(Math.abs(one - expected)).toBeLessThan(5 * deviation + slack(qubit, 1));
    }
  });

  test.each(QUBITS)("T2 of qubit %i, by a Ramsey fringe and by an echo", qubit => {
    const { T2 } = perth.qubits[qubit]!;
    const q = `$${qubit}`;
    for (const part of [0.2, 0.7, 1.5]) {
      const half = `delay[${(part * T2) / 2}ns] ${q};`;
      const bodies = {
        ramsey: `bit c; sx ${q}; ${half} rz(0.8) ${q}; ${half} rz(pi) ${q}; sx ${q}; c = measure ${q};`,
        echo: `bit c; sx ${q}; ${half} x ${q}; ${half} sx ${q}; c = measure ${q};`,
      };
      const signs = { ramsey: -Math.cos(0.8), echo: -1 };
      for (const name of ["ramsey", "echo"] as const) {
        const one = (countsOn(perth, bodies[name])["1"] ?? 0) / SHOTS;
        const expected = read(perth, qubit, (1 + signs[name] * Math.exp(-part)) / 2);
        const deviation = Math.sqrt((expected * (1 - expected)) / SHOTS);
        expect(Math.abs(one - expected), name).toBeLessThan(5 * deviation + slack(qubit, 3));
      }
    }
  });

  test.each([0, 3, 6])("the error of a gate on qubit %i, by randomized benchmarking", qubit => {
    let state = 12345 + qubit;
    const random = (below: number) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const survival = (length: number) => {
      const SEQUENCES = 24;
      let sum = 0;
      for (let i = 0; i < SEQUENCES; i++) {
        const gates = Array.from({ length }, () => random(4));
        const forth = gates.map(turn => `rz(${turn} * pi / 2) $${qubit}; sx $${qubit};`);
        const back = gates.map(turn => `sx $${qubit}; rz(${-turn} * pi / 2) $${qubit};`).reverse();
        const undo = back.map(step => step.replace(/sx (\$\d)/, "rz(pi) $1; sx $1; rz(pi) $1"));
        const flip = i % 2 ? `x $${qubit};` : "";
        const body = `bit c; ${forth.join(" ")} ${undo.join(" ")} ${flip} c = measure $${qubit};`;
        sum += exactOn(perth, body, { readout: false })[i % 2] ?? 0;
      }
      return sum / SEQUENCES - 0.5;
    };
    const ratio = survival(100) / survival(10);
    const found = (1 - ratio ** (1 / 180)) / 2;
    expect(found / perth.qubits[qubit]!.gates.sx!.error).toBeCloseTo(1, 1);
  });

  test("a Bell state has the errors of its gates and readouts alone, to four digits, where relaxation is off", () => {
    const { pairs, qubits } = perth;
    const found = exactOn(perth, "bit[2] c; h $0; cx $0, $1; c[0] = measure $0; c[1] = measure $1;", {
      relaxation: false,
    });
    const cx = pairs.find(({ a, b }) => a === 0 && b === 1)!.gates.cx!.error;
    const odd = (8 / 15) * (5 / 4) * cx;
    const [first, second] = [qubits[0]!, qubits[1]!];
    const pair = (a: number, b: number) => (a === b ? (1 - odd) / 2 : odd / 2);
    const says = (figures: typeof first, said: number, is: number) => {
      const wrong = is ? figures.zeroGivenOne : figures.oneGivenZero;
      return said === is ? 1 - wrong : wrong;
    };
    for (const [b, a] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ] as const) {
      let expected = 0;
      for (const x of [0, 1])
        for (const y of [0, 1]) expected += pair(x, y) * says(first, a, x) * says(second, b, y);
      expect(found[`${b}${a}`]).toBeCloseTo(expected, 12);
    }
  });

  test("a reset leaves a qubit in 1 as often as it is misread", () => {
    const { "1": one } = exactOn(perth, "bit c; x $2; reset $2; c = measure $2;", { readout: false });
    const { zeroGivenOne, oneGivenZero } = perth.qubits[2]!;
    expect(one).toBeCloseTo((zeroGivenOne + oneGivenZero) / 2, 10);
  });

  test("each published part can be switched off alone, and all of them leave nothing", () => {
    const body = "bit c; x $0; delay[20us] $0; c = measure $0;";
    const { T1, zeroGivenOne, gates } = perth.qubits[0]!;
    const one = (noise: object) => exactOn(perth, body, noise)["1"]!;
    expect(one({ relaxation: false, gates: false, readout: false })).toBe(1);
    expect(one({ relaxation: false, gates: false })).toBeCloseTo(1 - zeroGivenOne, 12);
    expect(one({ relaxation: false, readout: false })).toBeCloseTo(1 - gates.x!.error, 12);
    expect(one({ gates: false, readout: false })).toBeCloseTo(Math.exp(-(20_000 + gates.x!.length) / T1), 12);
  });

  test("each qubit relaxes for all of the pulses of a gate that is decomposed", () => {
    for (const target of [0, 1, 2]) {
      const [a, b] = [(target + 1) % 3, (target + 2) % 3];
      const length = [
        [a, b],
        [a, target],
        [b, target],
      ].reduce((sum, [from, to]) => {
        const pair = perth.pairs.find(one => one.a === from && one.b === to);
        return sum + 2 * (pair?.otherwise ?? perth.uncoupled).length;
      }, 0);
      const { T1, gates } = perth.qubits[target]!;
      const body = `bit c; x $${target}; ccx $${a}, $${b}, $${target}; c = measure $${target};`;
      const { "1": one } = exactOn(perth, body, { gates: false, readout: false });
      expect(one).toBeCloseTo(Math.exp(-(length + gates.x!.length) / T1), 10);
    }
  });

  test("qubits that a program does not touch cost nothing", () => {
    const { method } = simulateDevice(circuit("bit c; x $126; c = measure $126;"), figuresOf("brisbane"), {
      shots: 0,
    });
    expect(method.reason).toMatch(/uses 1 qubit/);
  });
});
