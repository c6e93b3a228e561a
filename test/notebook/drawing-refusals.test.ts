import { describe, expect, test } from "vitest";
import { checks } from "../../src/course.ts";
import {
  bars,
  bloch,
  Calibration,
  chart,
  coupling,
  facet,
  grid,
  heatmap,
  histogram,
  KetbookError,
  layer,
  line,
  noise,
  qasm,
  Result,
  State,
  scatter,
  theme,
} from "../../src/index.ts";
import { calibration, program, rows } from "./own-rows.ts";

describe("a specification from outside", () => {
  const bar = { mark: "bar", encoding: { x: { field: "a" } } };

  test.each([
    [
      { ...bar, data: { url: "https://example.org/a.csv" } },
      /spec\.data\.url: a chart holds all that it shows and loads nothing/,
    ],
    [
      { mark: "bar", encoding: { href: { value: "javascript:alert(1)" } } },
      /spec\.encoding\.href: .* no links/,
    ],
    [{ mark: { type: "image" } }, /no mark "image"/],
    [{ mark: "bra" }, /spec\.mark: there is no mark "bra": did you mean "bar"\?/],
    [{ mark: "bar", encoding: { colour: {} } }, /no channel "colour": did you mean "color"\?/],
    [{ ...bar, transform: [{ calculate: "1 +", as: "b" }] }, /can't be drawn/],
    [{ ...bar, data: { sequence: { start: 0, stop: 1e12 } } }, /more than 1,000,000 numbers/],
    [{ $schema: "https://vega.github.io/schema/vega/v5.json" }, /not a Vega-Lite schema/],
    [{}, /has one of these members: mark, layer/],
    [[], /is an object/],
  ])("%j is refused with what is wrong", (spec, message) => {
    expect(() => chart(spec)).toThrow(KetbookError);
    expect(() => chart(spec)).toThrow(message);
  });

  test("keeps its own look, its data are rows of a table, and what it was made from is not changed", () => {
    const spec = Object.freeze({
      ...bar,
      data: { values: [{ a: 3 }] },
      background: "#fee",
      config: { bar: { color: "#123456" } },
    });
    const drawn = chart(spec, { description: "One bar." });
    expect(drawn.toSVG()).toContain("#123456");
    expect(drawn.toSVG()).toContain("#fee");
    expect(drawn.table().text).toMatch(/a\n─\n3/);
    expect(String(drawn)).toBe("One bar.");
  });
});

test.each([
  [
    () => line(rows, { x: "dealy" as never, y: "p1" }),
    /line: x: no row has a column "dealy": did you mean "delay"\?/,
  ],
  [() => line(rows, { x: "delay", y: "p1", colr: "red" } as never), /Unknown option "colr"/],
  [() => line(rows, { x: "delay" } as never), /y is missing/],
  [() => scatter([{ x: 0, y: 1 }], { x: { field: "x", scale: "log" }, y: "y" }), /0 or less/],
  [() => bars(rows, { x: "delay", y: "p1" }), /several rows have the same "delay"/],
  [() => heatmap([[1, 2], [3]]), /Row 1 of the matrix/],
  [() => histogram(Promise.resolve({}) as never), /not a promise. Is an await missing/],
  [
    () => histogram(Result.from({ resultData: { measurementCounts: { "0": 1 } } }) as never),
    /A result draws itself: result\.histogram\(\)/,
  ],
  [() => coupling(calibration as never), /A calibration draws itself: calibration\.map\(\)/],
  [() => histogram({ "00": 0.2 }), /sum to 1\. These sum to 0\.2/],
  [
    () => histogram({ "00": -1 }),
    /"00" has -1, which is not a count; quasi-probabilities must sum to 1, but these sum to -1/,
  ],
  [() => histogram({ "00": Number.NaN }), /neither a count nor a probability/],
  [() => histogram({ "0": 1.1, "1": -0.1 }, { logarithmic: true }), /no place for negative/],
  [() => histogram({ "00": 3 }, { top: -1 }), /top must be a whole number/],
  [() => histogram({ "00": 3 }, { width: Number.NaN }), /width must be a number of pixels/],
  [() => histogram({ "00": 3 }, { sort: "foo" as never }), /sort must be "value"/],
  [() => calibration.map({ gate: "cz" }), /no two-qubit gate "cz": did you mean "cx"\?/],
  [() => calibration.bars({ qubits: [0, 7] }), /no qubit 7: the device has the qubits 0 to 1/],
  [() => coupling([[0, -1]]), /Pair 0 must be two qubits/],
  [() => bloch({ x: 1, y: 1, z: 0 }), /longer/],
  [() => State.from([1, 0]).bloch({ qubits: [3] }), /no qubit 3/],
  [() => bloch([1, 0] as never), /State\.from/],
  [() => State.from([1, 1]), /must sum to 1, but these sum to 2\.000\. Divide the amplitudes by 1\.414/],
  [() => State.from([1, 0, 0]), /cannot have 3/],
  [() => Calibration.from(7 as never), /a calibration is an object/],
  [
    () => Calibration.from({ qubits: { 0: { T1: (() => 1) as never } } }),
    /a calibration must be plain JSON data/,
  ],
  [
    () => Calibration.from({ qubits: { q0: { T1: 1 } } as never }),
    /the name of qubit "q0" must be the number of a qubit/,
  ],
  [() => Calibration.from({ qubits: 7 as never }), /qubits must be an object, not 7/],
  [
    () => Calibration.from({ qubits: { 0: { T1: "long" as never } } }),
    /qubits\.0\.T1 must be a number, 0 or more, not "long"/,
  ],
  [
    () => Calibration.from({ edges: { gateError: { cx: [{ source: 0.5, target: 1, value: 0 }] } } }),
    /edges\.gateError\.cx\[0\]\.source must be a whole number, 0 or more, not 0\.5/,
  ],
  [
    () => Calibration.from({ qubits: { 0: { readoutError: 2 } } }),
    /qubits\.0\.readoutError must be a number, 0 to 1, not 2/,
  ],
  [
    () => Calibration.from({ qubits: { 0: { T1: -3 } } }),
    /qubits\.0\.T1 must be a number, 0 or more, not -3/,
  ],
  [() => noise(undefined as never), /noise: Options must be an object/],
  [() => noise(null as never), /noise: Options must be an object/],
  [() => facet([], undefined as never, () => histogram({})), /by is missing/],
  [() => checks.resources(undefined as never), /no limit is given/],
  [() => grid([]), /list of one and more/],
  [() => layer([grid([histogram({ "0": 1 })])]), /made of several charts/],
  [() => program.draw({ folds: 3 } as never), /Unknown option "folds"\. Did you mean "fold"\?/],
  [() => program.draw({ fold: 0 }), /fold must be/],
  [() => qasm`qubit q; hh q;`.draw(), /hh/],
  [() => theme("papre" as never), /no theme "papre": did you mean "paper"\?/],
])("%# is refused by name", (draw, message) => {
  expect(draw).toThrow(KetbookError);
  expect(draw).toThrow(message);
});
