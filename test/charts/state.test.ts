import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  amplitudeChart,
  blochChart,
  blochVector,
  cityChart,
  hintonChart,
  qsphereChart,
  qubitsOf,
  reducedDensityMatrix,
} from "../../src/charts/index.ts";
import { renderSvg } from "../../src/charts/render.ts";
import { formatPhase } from "../../src/charts/state/phase.ts";
import { patched } from "../../src/charts/vega/narrowed.ts";
import { specificationCheck } from "./schema.ts";

const half = Math.SQRT1_2;
const bell = [half, 0, 0, 0, 0, 0, half, 0];
const turned = [half, 0, 0, half];
const textsOf = (svg: string) => [...svg.matchAll(/>([^<>]+)</g)].map(match => match[1]);

/** Any state of so many qubits. */
const states = (qubits: number) =>
  fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), {
      minLength: 2 ** (qubits + 1),
      maxLength: 2 ** (qubits + 1),
    })
    .filter(values => Math.hypot(...values) > 0.1)
    .map(values => values.map(value => value / Math.hypot(...values)));

describe("reduced states", () => {
  test("of |0⟩, |1⟩, |+⟩ and |+i⟩ point up, down, along x and along y", () => {
    expect(blochVector([1, 0, 0, 0], 0)).toEqual({ x: 0, y: -0, z: 1 });
    expect(blochVector([0, 0, 1, 0], 0).z).toBe(-1);
    expect(blochVector([half, 0, half, 0], 0).x).toBeCloseTo(1, 12);
    expect(blochVector(turned, 0).y).toBeCloseTo(1, 12);
  });

  test("of a Bell pair are mixed completely", () => {
    for (const qubit of [0, 1]) {
      const { x, y, z } = blochVector(bell, qubit);
      expect(Math.hypot(x, y, z)).toBeCloseTo(0, 12);
    }
  });

  test("have trace 1, equal their own adjoint, and stay inside the sphere", () => {
    fc.assert(
      fc.property(states(3), amplitudes => {
        const { size, values } = reducedDensityMatrix(amplitudes, [2, 0]);
        let trace = 0;
        for (let row = 0; row < size; row++) {
          trace += values[2 * (row * size + row)]!;
          for (let column = 0; column < size; column++) {
            expect(values[2 * (row * size + column)]).toBeCloseTo(values[2 * (column * size + row)]!, 10);
            expect(values[2 * (row * size + column) + 1]).toBeCloseTo(
              -values[2 * (column * size + row) + 1]!,
              10,
            );
          }
        }
        expect(trace).toBeCloseTo(1, 10);
        const { x, y, z } = blochVector(amplitudes, 1);
        expect(Math.hypot(x, y, z)).toBeLessThan(1 + 1e-9);
      }),
      { numRuns: 100 },
    );
  });

  test("agree whether other qubits are traced out at once or one by one", () => {
    fc.assert(
      fc.property(states(3), amplitudes => {
        const pair = reducedDensityMatrix(amplitudes, [0, 1]).values;
        const { z } = blochVector(amplitudes, 1);
        const upper = pair[0]! + pair[2 * 5]!;
        const lower = pair[2 * 10]! + pair[2 * 15]!;
        expect(z).toBeCloseTo(upper - lower, 10);
      }),
      { numRuns: 100 },
    );
  });

  test("are refused of what is no state", () => {
    expect(qubitsOf([1, 0])).toBe(0);
    expect(() => qubitsOf([1, 0, 0])).toThrow(/3 numbers fit no n/);
    expect(() => qubitsOf([])).toThrow(RangeError);
    expect(() => qubitsOf([Number.NaN, 0])).toThrow(/Number 0 of the state is NaN/);
  });
});

test.each([
  [0, "0"],
  [Math.PI, "π"],
  [-Math.PI, "π"],
  [Math.PI / 2, "π/2"],
  [-Math.PI / 2, "−π/2"],
  [(3 * Math.PI) / 4, "3π/4"],
  [2 * Math.PI, "0"],
  [-Math.PI / 3, "−π/3"],
  [1, "0.32π"],
])("writes the phase %s as %s", (radians, text) => expect(formatPhase(radians)).toBe(text));

describe("amplitudes", () => {
  test("are bars in the order of the basis with phases, and say what is left out", () => {
    const text = amplitudeChart(turned).toText();
    expect(text).toMatch(/\|0⟩ .* 50\.0 % +∠ 0\n.*\|1⟩ .* 50\.0 % +∠ π\/2/);
    const many = new Float64Array(2 ** 11).fill(2 ** -5.5);
    expect(amplitudeChart(many).toText()).toContain("1,024 of 1,024 basis states · +992 more: 96.9 %");
    expect(amplitudeChart(many, { top: 4 }).table().text.split("\n")).toHaveLength(7);
  });

  test("take the first of equal basis states, and sum up all others in words", () => {
    const uneven = Float64Array.from({ length: 128 }, (_, at) => (at % 2 ? 0 : 0.125 + (at % 3) * 1e-13));
    const { data, title } = amplitudeChart(uneven, { labels: "raw" }).bareSpec as never as {
      data: { values: { outcome: string }[] };
      title: { text: string[] };
    };
    expect(data.values.map(({ outcome }) => Number.parseInt(outcome, 2))).toEqual([...Array(32).keys()]);
    expect(title.text.join(" ")).toContain("+32 more: 50.0 %");
  });

  test("name their qubits, the last one on the left", () => {
    expect(textsOf(amplitudeChart(bell).toSVG())).toEqual(
      expect.arrayContaining(["|00⟩", "|11⟩", "q[1] q[0] · 2 of 4 basis states", "π/2"]),
    );
  });
});

test("amplitudes have a form for phones, in which dials stay below upright kets and the wheel beside the bars", () => {
  const { spec } = amplitudeChart(
    Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? 8 ** -0.5 : 0)),
  );
  const narrow = renderSvg(patched(spec, Object(spec.usermeta).narrow) as object);
  const [, width, height] = /width="([\d.]+)" height="([\d.]+)"/.exec(narrow)!.map(Number);
  expect(width).toBeLessThan(340);
  expect(height).toBeGreaterThan(Number(/height="([\d.]+)"/.exec(renderSvg(spec))![1]));
  expect(textsOf(narrow)).toEqual(expect.arrayContaining(["|111⟩", "−π/2"]));
});

describe("Bloch spheres", () => {
  test("of one qubit show its angles and mean values, of a mixed one only these", () => {
    const pure = textsOf(blochChart([{ x: 0.6, y: 0, z: 0.8 }]).toSVG());
    expect(pure).toEqual(expect.arrayContaining(["θ", "⟨X⟩", "0.60", "⟨Z⟩", "0.80"]));
    const mixed = textsOf(blochChart([{ x: 0.3, y: 0.3, z: 0 }]).toSVG());
    expect(mixed).toEqual(expect.arrayContaining(["⟨Y⟩", "0.30", "mixed, |r| = 0.42"]));
    expect(mixed).not.toContain("θ");
  });

  test("are drawn for the qubits that are asked for", () => {
    expect(blochChart(bell).toText()).toContain("2 of 2 qubits entangled");
    expect(textsOf(blochChart(bell, { qubits: [1] }).toSVG())).not.toContain("q[0]");
    expect(() => blochChart(bell, { qubits: [2] })).toThrow(/no qubit 2/);
  });
});

describe("the Hinton diagram", () => {
  test("has a square for each entry that is not zero, its area in proportion", () => {
    const [, points] = (hintonChart(bell).spec as never as { layer: { data: { values: object[] } }[] }).layer;
    expect(points!.data.values).toMatchObject([
      { row: "|00⟩", column: "⟨00|", phase: 0 },
      { row: "|00⟩", column: "⟨11|" },
      { row: "|11⟩", column: "⟨00|" },
      { row: "|11⟩", column: "⟨11|" },
    ]);
    const areas = points!.data.values.map(each => (each as { area: number }).area);
    expect(new Set(areas).size).toBe(1);
    expect(specificationCheck()(hintonChart(bell).spec)).toBe(true);
  });

  test("is of six qubits at most", () => {
    const seven = new Float64Array(2 ** 8);
    seven[0] = 1;
    expect(() => hintonChart(seven)).toThrow("A Hinton diagram is drawn of 1 to 6 qubits, not of 7");
    expect(hintonChart(seven, { qubits: [6, 0] }).toText()).toContain("q[0] q[6] · purity 1.000");
  });
});

describe("the city", () => {
  test("has a house for each entry that is not 0", () => {
    const { spec } = cityChart(bell);
    const { data } = spec as unknown as { data: { values: { text?: string }[] } };
    expect(data.values.filter(({ text }) => text)).toHaveLength(4);
    expect(data.values.some(({ text }) => text === "|00⟩⟨11|: 0.500 ∠ 0")).toBe(true);
  });

  test("traces out qubits that are not asked for, and takes four at most", () => {
    expect(cityChart(bell, { qubits: [0] }).toText()).toContain("purity 0.500");
    const five = new Float64Array(64);
    five[0] = 1;
    expect(() => cityChart(five)).toThrow(/1 to 4 qubits, not of 5/);
    expect(cityChart(five, { qubits: [4, 0] }).toText()).toContain("q[0] q[4]");
    expect(() => cityChart(bell, { qubits: [0, 0] })).toThrow(/twice/);
  });

  test("stays small for a dense matrix of four qubits", () => {
    const dense = Float64Array.from({ length: 32 }, (_, index) => Math.sin(index * 1.7));
    expect(JSON.stringify(cityChart(dense).spec).length).toBeLessThan(63_000);
  });
});

test("a q-sphere with other options has their table and text", () => {
  const chart = qsphereChart(bell).with({ title: "Pair", top: 1 });
  expect(chart.toText()).toMatch(/^Pair\n/);
  expect(chart.table().text).toContain("|00⟩");
  expect(chart.table().text).not.toContain("|11⟩");
});

describe("its specification", () => {
  const valid = specificationCheck();

  test.each([
    ["amplitudes", amplitudeChart(bell)],
    ["Bloch spheres", blochChart(bell)],
    ["a city", cityChart(turned)],
  ])("is valid for %s", (_, { spec }) => {
    expect(valid(spec)).toBe(true);
    expect(JSON.parse(JSON.stringify(spec))).toEqual(spec);
  });
});
