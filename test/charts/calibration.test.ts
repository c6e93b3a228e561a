import { describe, expect, test } from "vitest";
import { layoutOf } from "../../src/charts/calibration/layout.ts";
import { type CoupledDevice, calibrationBars, calibrationMap, miniMap } from "../../src/charts/index.ts";
import { renderSvg } from "../../src/charts/render.ts";
import { patched } from "../../src/charts/vega/narrowed.ts";
import { hostileTexts } from "../display/records.ts";
import { calibration, heavyHex, qubit } from "./calibrations.ts";
import { specificationCheck } from "./schema.ts";

const line: CoupledDevice = {
  name: "Line",
  numberQubits: 3,
  topology: {
    type: "coupling-map",
    qubits: 3,
    edges: [
      [0, 1],
      [1, 2],
    ],
  },
};
const lattice = (rows: number, cols: number): CoupledDevice => ({
  name: "Lattice",
  numberQubits: rows * cols,
  topology: { type: "square-lattice", rows, cols },
});
const meshed = (qubits: number): CoupledDevice => ({
  name: "Ions",
  numberQubits: qubits,
  topology: { type: "fully-connected", qubits },
});

type Record = Parameters<typeof calibrationMap>[1];

/** What the drawing of a map says and shows of each pair: its error in words, and the width of its line. */
function drawnPairs(device: CoupledDevice, record: Record, options = {}) {
  const lines = calibrationMap(device, record, options)
    .toSVG()
    .matchAll(/<line aria-label="[^"]*pair: ([^";]*); error: ([^";]*)"[^>]*stroke-width="([^"]*)"/g);
  return Array.from(lines, ([, pair, error, width]) => ({ pair, error, width: Number(width) }));
}
const textsOf = (svg: string) => [...svg.matchAll(/>([^<>]+)</g)].map(match => match[1]);

describe("a calibration map", () => {
  test("finds errors by the pair of qubits, whatever their order in the record", () => {
    const record = calibration(3, [
      [2, 1, 0.02],
      [0, 1, 0.004],
    ]);
    const [first, second] = drawnPairs(line, record);
    expect([first, second]).toMatchObject([
      { pair: "0–1", error: "0.40 %" },
      { pair: "1–2", error: "2.0 %" },
    ]);
    expect(second!.width).toBeGreaterThan(first!.width);
  });

  test("takes the smaller figure where both directions of a pair have one", () => {
    const record = calibration(3, [
      [0, 1, 0.03],
      [1, 0, 0.01],
    ]);
    expect(drawnPairs(line, record)).toContainEqual(expect.objectContaining({ pair: "0–1", error: "1.0 %" }));
  });

  test("draws a pair without a figure, or with the error 1, as not calibrated", () => {
    const record = calibration(3, [[0, 1, 1]]);
    expect(drawnPairs(line, record).map(({ error }) => error)).toEqual(["not calibrated", "not calibrated"]);
    expect(calibrationMap(line, record).toText()).toContain("not calibrated");
  });

  test("names the gate, and draws another when asked to", () => {
    const record = calibration(
      3,
      [
        [0, 1, 0.02],
        [1, 2, 0.01],
      ],
      "ecr",
    );
    record.edges.gateError.cx = [{ source: 0, target: 1, value: 0.05 }];
    expect(textsOf(calibrationMap(line, record).toSVG()).join()).toContain("ecr error,median 1.5 %");
    expect(drawnPairs(line, record, { gate: "cx" })).toContainEqual(
      expect.objectContaining({ pair: "0–1", error: "5.0 %" }),
    );
  });

  test("draws a matrix where all qubits are joined", () => {
    const chart = calibrationMap(meshed(8), calibration(8, [[0, 7, 0.006]]));
    const marks = [...chart.toSVG().matchAll(/aria-label="[^"]*qubits: ([^";]*); error: ([^";]*)"/g)];
    const figures = new Map(marks.map(([, qubits, error]) => [qubits, error]));
    expect(figures.size).toBe(28 + 8);
    expect(figures.get("0–7")).toBe("0.60 %");
    expect(figures.get("0–1")).toBe("not calibrated");
  });

  test("draws one qubit, and a device that says nothing of its qubits", () => {
    const alone = calibrationMap(lattice(1, 1), calibration(1, []));
    expect(textsOf(alone.toSVG())).toContain("0");
    const unknown: CoupledDevice = { name: "?", numberQubits: null, topology: null };
    expect(drawnPairs(unknown, calibration(0, [[3, 5, 0.01]]))).toMatchObject([{ pair: "3–5" }]);
    expect(calibrationMap(unknown, calibration(0, [])).toText()).toContain("readout error, median —");
  });

  test("keeps a thousand qubits small, and says how many more there are", () => {
    const chart = calibrationMap(lattice(50, 50), calibration(10, []));
    expect(chart.toText(200)).toContain("1,476 qubits are not drawn");
    expect(JSON.stringify(chart.spec).length).toBeLessThan(250_000);
  });

  test("holds hostile names, gates and numbers as text", () => {
    for (const text of hostileTexts) {
      const record = calibration(
        3,
        [
          [0, 1, 0.02],
          [-1, 2, 0.1],
          [1.5, 1, 2],
          [0, 1, Number.NaN],
        ],
        text,
      );
      record.lastCalibrated = text;
      record.qubits[text] = qubit({ gateError: { [text]: 0.1 } });
      const chart = calibrationMap({ ...line, name: text }, record);
      expect(chart.toSVG()).not.toMatch(/<script|<img|<style|onload="|onerror="/);
      expect(chart.toText()).not.toMatch(/(?!\n)\p{Cc}/u);
      expect(calibrationBars({ ...line, name: text }, record).toText()).not.toMatch(/(?!\n)\p{Cc}/u);
      expect(JSON.stringify(chart.spec).length).toBeLessThan(20_000);
    }
  });

  test("its table has each qubit with its readout error, and the error with each neighbour", () => {
    const record = calibration(3, [
      [0, 1, 0.004],
      [1, 2, 0.02],
    ]);
    const rows = calibrationMap(line, record).table().text.split("\n");
    expect(rows.find(row => /^ *1 /.test(row))).toMatch(/1\.1 % .*0: 0\.40 % · 2: 2\.0 %$/);
    expect(rows.filter(row => /^ *\d /.test(row))).toHaveLength(3);
  });
});

test("a map's form for phones holds only what differs, and its caption fits", () => {
  const { qubits, edges, coordinates } = heavyHex(7, 15);
  const device: CoupledDevice = {
    ...{ name: "Heavy hexagons", numberQubits: qubits },
    topology: { type: "coupling-map", qubits, edges, coordinates },
  };
  const record = calibration(
    qubits,
    edges.slice(3).map(([a, b], index) => [a, b, 0.004 + index / 5000]),
  );
  const { spec } = calibrationMap(device, record);
  const { narrow } = spec.usermeta as { narrow: object };
  expect(JSON.stringify(narrow).length).toBeLessThan(2000);
  const svg = renderSvg(patched(spec, narrow) as object);
  expect(Number(/width="([\d.]+)"/.exec(svg)![1])).toBeLessThan(400);
  expect(textsOf(svg).join(" ")).toContain("Heavy hexagons: calibrated");
});

describe("the layout", () => {
  const stepsOf = (device: { qubits: number; edges: [number, number][] }) => {
    const layout = layoutOf(
      device.qubits,
      device.edges.map(([a, b]) => ({ a, b })),
    );
    const lengths = device.edges.map(([a, b]) =>
      Math.hypot(layout[a]!.x - layout[b]!.x, layout[a]!.y - layout[b]!.y),
    );
    return { layout, lengths };
  };

  test("sets joined qubits side by side on heavy-hexagonal lattices", () => {
    for (const device of [heavyHex(3, 9), heavyHex(7, 15)]) {
      const { layout, lengths } = stepsOf(device);
      expect(lengths.every(length => length === 1)).toBe(true);
      expect(new Set(layout.map(({ x, y }) => `${x},${y}`)).size).toBe(device.qubits);
    }
  });

  test("keeps qubits apart on a graph that fits no grid", () => {
    const edges = Array.from({ length: 7 }, (_, index): [number, number] => [index, (index + 1) % 7]);
    const { layout } = stepsOf({ qubits: 8, edges: [...edges, [0, 3]] });
    for (const [index, one] of layout.entries())
      for (const other of layout.slice(index + 1))
        expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(0.8);
  });

  test("is the same every time", () => {
    expect(stepsOf(heavyHex(3, 9)).layout).toEqual(stepsOf(heavyHex(3, 9)).layout);
  });
});

describe("calibration bars", () => {
  const record = calibration(4, []);
  record.qubits["2"] = qubit({ T1: null, readoutError: null });
  const device = lattice(2, 2);

  test("say the medians and mark what is missing", () => {
    const chart = calibrationBars(device, record);
    expect(chart.toText()).toMatch(/Medians \(dashed\): T1 120 µs · T2 80 µs/);
    expect(chart.table().text).toMatch(/2 +— +80 µs +— +0\.030 %/);
    expect(textsOf(chart.toSVG())).toEqual(expect.arrayContaining(["T1 (µs)", "sx error", "–"]));
  });

  test("draw the qubits that are asked for, in their order", () => {
    const median = /readout error ([\d.]+ %)/i;
    const medianOf = (chart: { toText(): string }) => median.exec(chart.toText())?.[1];
    expect(medianOf(calibrationBars(device, record, { qubits: [3] }))).toBe(
      medianOf(calibrationBars(device, record)),
    );
    const svg = calibrationBars(device, record, { qubits: [3, 0] }).toSVG();
    expect(textsOf(svg).join(" ")).toMatch(/ 3 0 qubit/);
    expect(svg).toMatch(/aria-label="qubit: 3; [^"]*T1: 120 µs"/);
  });
});

test("the small map for a card is a picture without text", () => {
  const { svg, text } = miniMap(line, calibration(3, [[0, 1, 0.02]]));
  expect(svg).toMatch(/^<svg[^>]*>(<(path|circle) [^<>]*\/>)+<\/svg>$/);
  expect(text).toContain("cz error");
  expect(miniMap(meshed(36), calibration(36, [])).svg.length).toBeLessThan(40_000);
});

describe("its specification", () => {
  const valid = specificationCheck();
  const record = calibration(9, [
    [0, 1, 0.02],
    [1, 2, 0.004],
  ]);

  test.each([
    ["graph", calibrationMap(lattice(3, 3), record)],
    ["matrix", calibrationMap(meshed(9), record)],
    ["single qubit", calibrationMap(lattice(1, 1), calibration(1, []))],
    ["set of strips", calibrationBars(lattice(3, 3), record)],
    ["set of empty strips", calibrationBars(lattice(3, 3), { ...record, qubits: {} })],
  ])("is valid and plain data for a %s", (_, { spec, ...chart }) => {
    expect(valid(spec)).toBe(true);
    expect(JSON.parse(JSON.stringify(spec))).toEqual(spec);
    expect(chart).toBeDefined();
  });
});
