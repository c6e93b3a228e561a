import { createRequire } from "node:module";
import { type Chart, calibrationBars, calibrationMap, histogram, lineChart } from "../../src/charts/index.ts";
import { scatterChart } from "../../src/charts/rows/scatter.ts";
import { displayable, jobTable, jupyterDisplay, type MimeBundle } from "../../src/display/index.ts";
import { calibration, heavyHex } from "../charts/calibrations.ts";
import { job, now } from "../display/records.ts";
import { percentile, report } from "./measure.ts";

type Vega = { renderSvg(spec: object): string };

/** Vega as the library brings it, bundled. */
const vega = () => createRequire(import.meta.url)("../../dist/vega.js") as Vega;

/** Counts of so many outcomes, the frequent ones among them few, as they are of a noisy device. */
function countsOf(outcomes: number): { [outcome: string]: number } {
  const width = Math.log2(outcomes);
  return Object.fromEntries(
    Array.from({ length: outcomes }, (_, index) => [
      index.toString(2).padStart(width, "0"),
      1 + Math.floor(1e6 / (1 + ((index * 2_654_435_761) % outcomes))),
    ]),
  );
}

/** The same counts as a plain bar chart of Vega-Lite, one bar an outcome. */
const plainSpec = (counts: { [outcome: string]: number }) => ({
  $schema: "https://vega.github.io/schema/vega-lite/v5.json",
  data: { values: Object.entries(counts).map(([outcome, count]) => ({ outcome, count })) },
  mark: "bar",
  encoding: {
    x: { field: "outcome", type: "nominal", sort: "-y" },
    y: { field: "count", type: "quantitative" },
  },
});

const sizeOf = (bundle: MimeBundle) => Buffer.byteLength(JSON.stringify(bundle));
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/** The median time of some runs in milliseconds. */
function timeOf(rounds: number, make: () => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const started = performance.now();
    make();
    return performance.now() - started;
  });
  return percentile(times, 0.5);
}

/** The median time of some runs in milliseconds, and the size of what they give. */
function measured(rounds: number, make: () => MimeBundle): string[] {
  return [`${timeOf(rounds, make).toFixed(1)} ms`, kilobytes(sizeOf(make()))];
}

/** Above so many outcomes, plain Vega-Lite takes minutes, or all memory. */
const mostPlain = 65_536;

/** What it costs to show things: from a record in memory to the bundle that a notebook keeps. */
export async function benchDisplay(): Promise<void> {
  vega().renderSvg(plainSpec({ 0: 1 }));
  histogram({ counts: { 0: 1 }, shots: 1 })[jupyterDisplay]();

  const rows = [4, 64, 1024, 65_536, 2 ** 20].map(outcomes => {
    const counts = countsOf(outcomes);
    const ours = measured(outcomes > 1024 ? 3 : 15, () =>
      histogram({ counts, shots: 1_000_000 })[jupyterDisplay](),
    );
    const plain =
      outcomes > mostPlain
        ? ["not run", "—"]
        : measured(outcomes > 1024 ? 1 : 5, () => {
            const spec = plainSpec(counts);
            return { "application/vnd.vegalite.v5+json": spec, "image/svg+xml": vega().renderSvg(spec) };
          });
    return [`${outcomes} outcomes`, ...ours, ...plain];
  });
  report("A result's bundle (time, size), and the same counts straight through Vega-Lite (time, size)", rows);

  const bell = { "00": 480, "01": 20, "10": 30, "11": 470 };
  const plainTime = timeOf(25, () => vega().renderSvg(plainSpec(bell)));
  const inAllForms = (chart: Chart) => [chart.toHTML(), chart.toSVG(), chart.toPNG(), chart.toText()];
  const points = Array.from({ length: 100_000 }, (_, x) => ({ x, y: Math.sin(x / 9000) + (x % 97) / 400 }));
  const ratio = (name: string, rounds: number, make: () => Chart) => {
    const time = timeOf(rounds, () => inAllForms(make()));
    const [page, svg] = inAllForms(make());
    return [
      name,
      `${(time / plainTime).toFixed(1)} ×`,
      kilobytes(Buffer.byteLength(page!)),
      kilobytes(Buffer.byteLength(svg!)),
    ];
  };

  const { qubits, edges, coordinates } = heavyHex(7, 15);
  const record = calibration(
    qubits,
    edges.map(([a, b], index) => [a, b, 0.003 + ((index * 37) % 100) / 2000]),
    "ecr",
  );
  for (const [name, figures] of Object.entries(record.qubits)) {
    figures.readoutError = 0.004 + ((Number(name) * 53) % 90) / 1500;
    figures.T1 = 60 + ((Number(name) * 71) % 240);
    figures.T2 = 30 + ((Number(name) * 29) % 200);
  }
  const topology = { type: "coupling-map" as const, qubits, edges, coordinates };
  const device = { name: "Heavy hexagons", numberQubits: qubits, topology };
  const jobs = Array.from({ length: 2000 }, (_, index) =>
    job({ jobQrn: job().jobQrn.replace(/.{6}$/, String(100_000 + index)), name: `Job ${index}` }),
  );
  const table = (count: number, limit: number) => () =>
    displayable(jobTable(jobs.slice(0, count), { now, limit }))[jupyterDisplay]();
  report("HTML, SVG, PNG and text, in times of a plain bar chart of four outcomes by Vega-Lite (page, SVG)", [
    ratio("4 outcomes", 15, () => histogram({ counts: bell, shots: 1000 })),
    ratio("map of 129 qubits", 5, () => calibrationMap(device, record)),
    ratio("scatter plot of 100,000 rows", 3, () => scatterChart(points, { x: "x", y: "y" })),
    ratio("line of 100,000 rows", 3, () => lineChart(points, { x: "x", y: "y" })),
  ]);
  report("Bundles of tables and calibrations (time, size)", [
    ["100 jobs", ...measured(15, table(100, 100))],
    ["2,000 jobs, 100 of them shown", ...measured(15, table(2000, 100))],
    ["2,000 jobs, all of them shown", ...measured(5, table(2000, 2000))],
    [`map of ${qubits} qubits`, ...measured(7, () => calibrationMap(device, record)[jupyterDisplay]())],
    [`strips of ${qubits} qubits`, ...measured(7, () => calibrationBars(device, record)[jupyterDisplay]())],
  ]);
}
