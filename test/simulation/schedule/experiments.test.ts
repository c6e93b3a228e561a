import { describe, expect, test } from "vitest";
import { type DeviceFigures, simulateDevice } from "../../../src/simulation/index.ts";
import { circuit, countsOn, exactOn, figuresOf, isWithin, perth } from "./devices.ts";

const SHOTS = 20_000;
const QUBITS = perth.qubits.map((_, qubit) => qubit);

/** The probability of reading 1 of a qubit that is 1 with this probability. */
const read = ({ qubits }: DeviceFigures, qubit: number, one: number) => {
  const { zeroGivenOne, oneGivenZero } = qubits[qubit]!;
  return one * (1 - zeroGivenOne) + (1 - one) * oneGivenZero;
};
/** What a pulse of this error takes off a probability at most. */
const slack = (qubit: number, pulses: number) => 2 * pulses * perth.qubits[qubit]!.otherwise.error;

/** Returns the first path of so many coupled qubits. */
function pathOf({ pairs }: DeviceFigures, length: number): number[] {
  const grow = (path: number[]): number[] | undefined => {
    if (path.length === length) return path;
    for (const { a, b } of pairs)
      for (const [from, to] of [
        [a, b],
        [b, a],
      ] as const) {
        const found = from === path.at(-1) && !path.includes(to) ? grow([...path, to]) : undefined;
        if (found) return found;
      }
    return undefined;
  };
  return grow([0])!;
}

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

  test.each(["perth", "auckland", "garnet", "forte"])("the readout matrix of %s", name => {
    const device = figuresOf(name);
    const qubits = device.qubits.slice(0, 5).map((_, i) => i);
    const measure = qubits.map(qubit => `c[${qubit}] = measure $${qubit};`).join(" ");
    for (const [value, flips] of ["", qubits.map(qubit => `x $${qubit};`).join(" ")].entries()) {
      const counts = countsOn(device, `bit[5] c; ${flips} ${measure}`);
      for (const qubit of qubits) {
        const ones = Object.entries(counts).reduce(
          (sum, [key, count]) => sum + (key[4 - qubit] === "1" ? count : 0),
          0,
        );
        const { oneGivenZero, zeroGivenOne, otherwise } = device.qubits[qubit]!;
        const isExpected = [0, value * otherwise.error * 1.5].some(error =>
          isWithin(ones, SHOTS, value ? 1 - zeroGivenOne - error : oneGivenZero),
        );
        expect(isExpected, `${qubit} ${value} ${ones}`).toBe(true);
      }
    }
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

  test("a GHZ state of five qubits has about the product of its figures", () => {
    const edges = [
      [0, 1],
      [1, 3],
      [3, 5],
      [5, 6],
    ] as const;
    const gates = edges.map(([a, b]) => `cx $${a}, $${b};`).join(" ");
    const undo = edges
      .map(([a, b]) => `cx $${a}, $${b};`)
      .reverse()
      .join(" ");
    const on = [0, 1, 3, 5, 6];
    const measure = on.map((qubit, i) => `c[${i}] = measure $${qubit};`).join(" ");
    const found = exactOn(perth, `bit[5] c; h $0; ${gates} ${undo} h $0; ${measure}`, { readout: false });
    const product = edges.reduce((kept, [a, b]) => {
      const { error } = perth.pairs.find(pair => pair.a === a && pair.b === b)!.gates.cx!;
      return kept * (1 - (5 / 4) * error) ** 2;
    }, 1);
    expect(found["00000"]!).toBeGreaterThan(product * 0.85);
    expect(found["00000"]!).toBeLessThan(product * 1.05);
  });

  test.each(["auckland", "brisbane"])("a GHZ state of 20 qubits on %s has the errors of its gates", name => {
    const device = figuresOf(name);
    const path = pathOf(device, 20);
    const steps = path.slice(1).map((qubit, i) => [path[i]!, qubit] as const);
    const gates = steps.map(([a, b]) => `cx $${a}, $${b};`).join(" ");
    const measure = path.map((qubit, i) => `c[${i}] = measure $${qubit};`).join(" ");
    const counts = countsOn(device, `bit[20] c; h $${path[0]}; ${gates} ${measure}`, {
      noise: { relaxation: false, readout: false },
    });
    const equal = (counts["0".repeat(20)] ?? 0) + (counts["1".repeat(20)] ?? 0);
    /** Probabilities that all qubits after an edge agree, by whether its first qubit alone has flipped. */
    let alike = [1, 0];
    for (const [a, b] of steps.toReversed()) {
      const pair =
        device.pairs.find(one => one.a === a && one.b === b) ??
        device.pairs.find(one => one.a === b && one.b === a);
      const { error } = pair!.gates.cx ?? pair!.otherwise;
      const flips = (4 / 15) * (5 / 4) * error;
      const share = (first: number, second: number) => (first + second > 0 ? flips : 1 - 3 * flips);
      alike = [0, 1].map(own => [0, 1].reduce((sum, next) => sum + alike[next]! * share(own, own ^ next), 0));
    }
    const expected = alike[0]! + alike[1]!;
    expect(isWithin(equal, SHOTS, expected), `${equal} ${SHOTS * expected}`).toBe(true);
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
