import { type Chart, comparison } from "../../src/charts/index.ts";
import { bars, bloch, facet, grid, heatmap, histogram, line, scatter } from "../../src/index.ts";
import { charts } from "./objects.ts";

const names = ["ibm:emulated:qpu:brisbane-with-a-suffix", "iqm:garnet", "quantinuum:h2-1", "量子ビット"];
const rows = names.flatMap((device, row) =>
  Array.from({ length: 30 }, (_, x) => ({ device, x, y: Math.sin(x / 9 + row), low: -1, high: 1 })),
);
const last = rows.filter(({ x }) => x === 9);
const many = Object.fromEntries(
  Array.from({ length: 90 }, (_, i) => [i.toString(2).padStart(7, "0"), 95 - i]),
);

/** Charts of each kind, with names longer than a phone is wide. */
export function wideCharts(): Chart[] {
  const lines = line(rows, { x: "x", y: "y", series: "device" });
  return [
    ...Object.values(charts()),
    lines,
    line(last, {
      x: "device",
      y: "y",
      title: "a title of many words that has no room on a phone ".repeat(2),
    }),
    scatter(rows, { x: "x", y: "y", label: "device" }),
    bars(last, { x: "device", y: "y", low: "low", high: "high" }),
    bars(last, { x: "device", y: "y", horizontal: true }),
    bars(
      rows.filter(({ x }) => x < 4),
      { x: "device", y: "y", series: "x" },
    ),
    heatmap(Array.from({ length: 8 }, (_, i) => Array.from({ length: 8 }, (_, j) => i * j))),
    heatmap(Array.from({ length: 60 }, (_, i) => Array.from({ length: 60 }, (_, j) => i * j))),
    histogram(many, { top: 60 }),
    histogram(many, { top: 12 }),
    histogram(rows.map(({ y }) => y)),
    facet(rows, { by: "device" }, (part: typeof rows) => line(part, { x: "x", y: "y" })),
    grid([
      lines,
      comparison([
        { label: "one", counts: many },
        { label: "two", counts: many },
      ]),
    ]),
    line(
      rows.map(row => ({ ...row, y: 10 ** (row.y * 6) })),
      { x: "x", y: { field: "y", scale: "log" }, series: "device" },
    ),
    histogram({ "00": 503, "11": 497 }, { theme: "slides" }),
    bloch([0, 1, 2].map(phi => ({ theta: Math.PI / 2, phi }))),
  ] as Chart[];
}
