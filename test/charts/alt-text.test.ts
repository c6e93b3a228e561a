import { expect, test } from "vitest";
import { describeShares, describeTrend } from "../../src/charts/alt-text.ts";
import { comparison, histogram } from "../../src/charts/index.ts";
import { displayMetadata } from "../../src/display/index.ts";
import { bars, chart } from "../../src/index.ts";
import { nestedBundle } from "../../src/kernels/values/nested-values.ts";
import { circuitView } from "../../src/notebook/programs/circuit.ts";
import { pixelsOf } from "./png-reader.ts";

const words = (counts: { [outcome: string]: number }) =>
  histogram({ counts, shots: 0, title: "T" }).toString();

test.each([
  [{ "00": 503, "11": 497 }, "00 and 11, about half each."],
  [{ "00": 480, "11": 470, "01": 50 }, "00 and 11, about half each, others rarely."],
  [{ "1": 7 }, "1, always."],
  [{ "1": 97, "0": 3 }, "1, nearly always, others rarely."],
  [{ a: 1, b: 1, c: 1 }, "a, b and c, about a third each."],
  [{ a: 6, b: 3, c: 1 }, "a 60 %, b 30 % and c 10 %."],
  [{ a: 60, b: 20, c: 10, d: 5, e: 5 }, "a 60 %, b 20 %, c 10 %, d 5 % and 1 more."],
  [
    Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`x${index}`, 10])),
    "8 outcomes, about equally often.",
  ],
  [{}, "no outcomes."],
  [{ "": 5 }, "nothing was measured."],
])("%j is said to be %j", (counts, text) => expect(words(counts)).toMatch(`T: ${text}`));

test("a comparison says what each result has", () => {
  const text = comparison([
    { label: "perth", counts: { "00": 40, "11": 45, "01": 15 } },
    { label: "exact", probabilities: { "00": 0.5, "11": 0.5 } },
  ]).toString();
  expect(text).toContain("perth: 11 45 %, 00 40 % and 01 15 %; exact: 00 and 11, about half each.");
});

test("a picture says in notebooks what it shows, and a circuit what it does", async () => {
  const chart = histogram({ counts: { "0": 1 }, shots: 1, title: "T" });
  expect(chart[displayMetadata]()).toMatchObject({ "image/png": { alt: chart.toString() } });
  const { "text/html": gallery } = await nestedBundle([chart, chart]);
  expect(gallery).toContain(`alt="${chart}"`);
  const [dark, light] = Array.from(String(gallery).matchAll(/base64,([^"]+)"/g), ([, data = ""]) =>
    pixelsOf(Buffer.from(data, "base64")).data.subarray(0, 4).join(),
  );
  expect([light, dark]).toEqual(["255,255,255,255", "17,17,17,255"]);
  expect(gallery).toContain('<source media="(prefers-color-scheme: dark)"');
  const { "text/html": chosen } = await nestedBundle([chart.with({ theme: "paper" })]);
  expect(chosen).not.toContain("<source");
  const { html } = circuitView({
    format: "qasm3",
    data: 'include "stdgates.inc"; qubit[2] q; h q[0]; rz(pi/4) q[1]; cx q[0], q[1]; bit[2] c = measure q;',
  });
  expect(html).toContain('alt="Circuit on 2 qubits: H, Rz(π/4), CX, measure"');
});

test("characters that no XML may have break no picture", () => {
  const rows = [{ x: "\uFFFF", y: 1 }];
  const drawn = [
    bars(rows, { x: "x", y: "y", title: "a\uFFFF\u0001\uD800b" }),
    chart({ title: "a\uFFFF\u0001", data: { values: rows }, mark: "bar", encoding: { x: { field: "x" } } }),
  ];
  for (const one of drawn) {
    expect(() => one.toPNG()).not.toThrow();
    expect(one.toSVG()).not.toMatch(/[\uFFFE\uFFFF]/);
  }
});

test("a line is said by its ends and its extremes", () => {
  const points = (...ys: number[]) => ys.map((y, x) => ({ x, y }));
  expect(describeTrend(points(1, 0, -1))).toBe("from 1 at 0 down to -1 at 2");
  expect(describeTrend(points(0, 1, 0.5, 0))).toBe("from 0 at 0 back to 0 at 3, highest 1 at 1");
  expect(describeTrend(points(0, 3, -2, 1))).toBe("from 0 at 0 up to 1 at 3, highest 3 at 1, lowest -2 at 2");
  expect(describeTrend(points(2, 2))).toBe("always 2");
  expect(describeTrend(points(2))).toBe("2 at 0");
  expect(describeShares([], 0)).toBe("no outcomes");
});
