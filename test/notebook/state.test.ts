import { inspect } from "node:util";
import { expect, test } from "vitest";
import { KetbookError } from "../../src/client/errors/index.ts";
import { jupyterDisplay } from "../../src/display/bundle.ts";
import { State } from "../../src/notebook/results/state.ts";

const half = Math.SQRT1_2;
const bell = new State([half, 0, 0, 0, 0, 0, 0, half]);

test("a state gives amplitudes, probabilities and what each qubit is by itself", () => {
  expect(bell.numQubits).toBe(2);
  expect(bell.amplitudes).toBeInstanceOf(Float64Array);
  expect(bell.amplitude("11")).toEqual({ re: 0, im: half });
  expect(bell.probability("00")).toBeCloseTo(0.5, 12);
  expect(bell.probability("01")).toBe(0);
  expect(bell.blochVector(1).z).toBeCloseTo(0, 12);
  expect(bell.densityMatrix([0]).values[0]).toBeCloseTo(0.5, 12);
});

test("it shows itself as its amplitudes, and draws spheres and a city", () => {
  expect(Object.keys(bell[jupyterDisplay]())).toEqual([
    "application/vnd.vegalite.v5+json",
    "image/png",
    "text/plain",
  ]);
  expect(inspect(bell)).toMatch(/\|11⟩ .* 50\.0 % +∠ π\/2/);
  expect(bell.bloch().toText()).toContain("2 of 2 qubits entangled");
  expect(bell.city({ qubits: [1] }).toText()).toContain("purity 0.500");
});

test("its JSON makes the same state again", () => {
  const { amplitudes } = new State(JSON.parse(JSON.stringify(bell)));
  expect(amplitudes).toEqual(bell.amplitudes);
});

test("it says which basis states and qubits it has", () => {
  expect(() => bell.amplitude("0")).toThrow(/2 qubits/);
  expect(() => bell.amplitude("0x")).toThrow(KetbookError);
  expect(() => bell.blochVector(2)).toThrow(/qubits 0 to 1/);
  expect(() => new State([1, 0, 0])).toThrow(/fit no n/);
});

test("it stands in a line, and refuses options that do not exist", () => {
  expect(String(bell)).toBe("State of 2 qubits: 00 50.0 %, 11 50.0 %");
  expect(() => bell.city({ qubit: [0] } as object)).toThrow(
    'city: Unknown option "qubit". Did you mean "qubits"?',
  );
  expect(() => bell.bloch({ size: "large" } as object)).toThrow("bloch: size must be a number");
  expect(() => bell.histogram({ top: -1 })).toThrow(
    "histogram: top must be a whole number, 1 or more, not -1.",
  );
});

test("a state says which qubits and basis states it has, and zero has no sign", () => {
  expect(Object.values(bell.blochVector(0)).every(value => !Object.is(value, -0))).toBe(true);
  expect(() => bell.blochVector(4)).toThrow(
    new KetbookError("blochVector(4): the state has the qubits 0 to 1."),
  );
  expect(() => bell.amplitude("0")).toThrow(
    new KetbookError('amplitude("0"): a basis state of 2 qubits has a 0 or 1 for each, such as "00".'),
  );
});

test("State.from reads what people have: lists, kets, typed arrays, rounded numbers", () => {
  const imaginary = { "00": half, "11": [0, half] } as const;
  const phi = [Math.SQRT1_2, 0, 0, 0, 0, 0, 0, Math.SQRT1_2];
  for (const given of [
    imaginary,
    { "|00>": 0.71, "|11⟩": { re: 0, im: 0.71 } },
    Float64Array.from(phi),
    [0.71, 0, 0, [0, 0.71]] as const,
  ])
    State.from(given).amplitudes.forEach((part, index) => {
      expect(part).toBeCloseTo(phi[index]!, 6);
    });
});
