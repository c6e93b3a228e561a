import {
  amplitudeChart,
  barsChart,
  blochChart,
  boxChart,
  type Chart,
  type CoupledDevice,
  calibrationBars,
  calibrationMap,
  cityChart,
  comparison,
  dailyUsageChart,
  energies,
  heatmapChart,
  hintonChart,
  histogram,
  lineChart,
  qsphereChart,
  scatterChart,
  spendingChart,
} from "../../src/charts/index.ts";
import { compile, drawSvg } from "../../src/simulation/index.ts";
import { calibration, heavyHex } from "../charts/calibrations.ts";
import { daysOf, spending } from "../charts/spendings.ts";

/** A picture of the grid: what it is called, and how it is drawn as SVG. */
export interface GridPicture {
  readonly name: string;
  readonly draw: () => string;
  /** The specification of a chart. */
  readonly spec?: () => object;
}

const outcomeCounts = [1, 2, 64, 1024, 2 ** 20];
const qubitCounts = [1, 7, 27, 127];
/** Widths of a narrow column, of a notebook, and of a slide. */
const widths = [240, 480, 900];
const many = 64;

const bitsOf = (count: number) => Math.max(1, Math.ceil(Math.log2(count)));
const outcome = (index: number, bits: number) => index.toString(2).padStart(bits, "0");

/** Counts of each number of outcomes, no two neighbours alike. */
const countsOf = new Map(
  [...outcomeCounts, 8].map(count => [
    count,
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        outcome(index, bitsOf(count)),
        1 + ((index * 7919) % 9973),
      ]),
    ),
  ]),
);

/** Outcomes of 60 bits that differ in four of them. */
const longCounts = Object.fromEntries(
  Array.from({ length: 16 }, (_, index) => {
    const bits = [...outcome(index, 4)];
    return [
      `${"01".repeat(10)}${bits[0]}${"1".repeat(19)}${bits[1]}${"0".repeat(17)}${bits[2]}${bits[3]}`,
      100 + index,
    ];
  }),
);

function stateOf(qubits: number, isUniform: boolean): Float64Array {
  const size = 2 ** qubits;
  const amplitudes = new Float64Array(2 * size);
  let norm = 0;
  for (let index = 0; index < size; index++) {
    const length = isUniform ? 1 : 1 + ((index * 37) % 11);
    amplitudes[2 * index] = length * Math.cos(index);
    amplitudes[2 * index + 1] = isUniform ? length * Math.sin(index) : length * Math.sin(index);
    norm += length ** 2;
  }
  return amplitudes.map(value => value / Math.sqrt(norm));
}

const lattices: Record<number, ReturnType<typeof heavyHex>> = {
  1: { qubits: 1, edges: [], coordinates: [[0, 0]] },
  7: heavyHex(1, 7),
  27: heavyHex(3, 8),
  127: heavyHex(7, 15),
};

function latticeOf(count: number) {
  const { qubits, edges } = lattices[count]!;
  return calibration(
    qubits,
    edges.map(([a, b], index) => [a, b, 0.002 + (index % 40) / 1000] as const),
  );
}

function deviceOf(count: number): CoupledDevice {
  const { qubits, edges } = lattices[count]!;
  return {
    name: "Test",
    numberQubits: qubits,
    topology: { type: "coupling-map", qubits, edges },
  };
}

const names = [
  "Bell 🔔 pair",
  "מעגל קוונטי",
  "量子ビット",
  "a very long name of a simulator that goes on and on",
];

function programs(): Record<string, string> {
  const head = 'OPENQASM 3.0; include "stdgates.inc";';
  return {
    bell: `${head} qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;`,
    sixty: `${head} qubit[60] q; bit[60] c; h q[0]; for int i in [0:58] { cx q[i], q[i+1]; } c = measure q;`,
    flow: `${head} gate turn(a, b) x, y { ry(a) x; cx x, y; rz(b) y; } qubit[4] q; bit[4] c; bit d; int n;
      gphase(pi/4); turn(0.3, pi/7) q[0], q[2]; ctrl @ turn(0.1234, 2) q[3], q[1], q[2]; delay[100ns] q[0];
      box [300ns] { x q[1]; delay[20ns] q; } for int i in [0:3] { h q[i]; if (c[0]) { x q[0]; } else { while (d) { y q[0]; c[0] = measure q[0]; d = c[0]; } } n = n + 1; }
      c = measure q; if (c == 3) { x q[0]; } else { z q[1]; }`,
    wide: `${head} qubit[127] q; bit[127] c; h q; ${Array.from({ length: 126 }, (_, i) => `cx q[${i}], q[${i + 1}];`).join(" ")} c = measure q;`,
  };
}

function chartsOf(width: number): Record<string, () => Chart> {
  const charts: Record<string, () => Chart> = {};
  for (const count of outcomeCounts) {
    const counts = countsOf.get(count)!;
    for (const top of [32, many, 100, 256].slice(0, count < many || count > 1024 ? 1 : 4)) {
      charts[`histogram-${count}-top${top}`] = () => histogram({ counts, shots: 1e6 }, { top, width });
      charts[`comparison-${count}-top${top}`] = () =>
        comparison(
          [
            { label: "one", counts },
            { label: names[3]!, counts },
            { label: "ideal", probabilities: counts },
          ],
          { top: Math.min(top, many), width },
        );
    }
    charts[`histogram-${count}-log`] = () => histogram({ counts, shots: 1e6 }, { logarithmic: true, width });
    if (count > 1 && bitsOf(count) <= 20)
      for (const isUniform of [true, false])
        charts[`amplitudes-${count}-${isUniform ? "uniform" : "mixed"}`] = () =>
          amplitudeChart(stateOf(bitsOf(count), isUniform), { width });
  }
  charts["histogram-long"] = () => histogram({ counts: longCounts, shots: 5000 }, { width });
  charts["histogram-rare"] = () =>
    histogram(
      { probabilities: { 0: 0.999999, 1: 1e-6 - 1e-9, 2: 1e-9 }, shots: 0 },
      { logarithmic: true, width },
    );
  charts["comparison-long"] = () =>
    comparison(
      [
        { label: "one", counts: longCounts },
        { label: "other", counts: longCounts },
      ],
      { width },
    );
  charts["comparison-names"] = () =>
    comparison(
      names.map(label => ({ label, counts: countsOf.get(8)! })),
      { width },
    );
  charts["comparison-rare"] = () =>
    comparison(
      [
        { label: "one", probabilities: { 0: 0.9, 1: 1e-9 } },
        { label: "other", counts: { 0: 9, 1: 1 } },
      ],
      { logarithmic: true, width },
    );
  for (const count of [1, 2, 64, 1024])
    charts[`energies-${count}`] = () =>
      energies(
        {
          solutions: Array.from({ length: count }, (_, index) => ({
            energy: -12.5 + ((index * 31) % 97) / 3,
            occurrences: 1 + (index % 9),
          })),
        },
        { width },
      );
  for (const qubits of [1, 2, 3, 4])
    charts[`city-${qubits}`] = () => cityChart(stateOf(qubits, false), { width });
  for (const qubits of [1, 2, 4, 6])
    charts[`hinton-${qubits}`] = () => hintonChart(stateOf(qubits, false), { width });
  for (const qubits of [1, 2, 6, 7, 10])
    charts[`bloch-${qubits}`] = () => blochChart(stateOf(qubits, false), { size: Math.round(width / 4.3) });
  for (const qubits of [1, 2, 3, 4, 5])
    charts[`qsphere-${qubits}`] = () => qsphereChart(stateOf(qubits, true), { width });
  for (const count of [3, 20, 64]) {
    const rows = rowsOf(count);
    const axes = { x: "name", y: "value" } as const;
    charts[`bars-${count}`] = () => barsChart(rows.slice(0, count), { ...axes, width });
    charts[`level-bars-${count}`] = () =>
      barsChart(rows, { ...axes, series: "part", horizontal: true, width });
    charts[`box-${count}`] = () => boxChart(rows, { ...axes, width });
    charts[`line-${count}`] = () => lineChart(rows, { x: "when", y: "close", series: "part", width });
    charts[`scatter-${count}`] = () => scatterChart(rows, { x: "close", y: "tiny", label: "name", width });
    charts[`heatmap-${count}`] = () => heatmapChart(rows, { x: "name", y: "part", color: "tiny", width });
    charts[`signed-heatmap-${count}`] = () =>
      heatmapChart(rows, { x: "name", y: "part", color: "signed", width });
  }
  for (const days of [1, 2, 30, 366]) {
    const dates = daysOf(days);
    charts[`daily-usage-${days}`] = () =>
      dailyUsageChart(
        dates.flatMap(date => names.map((deviceQrn, index) => ({ date, deviceQrn, count: 3 + index }))),
        { width },
      );
    charts[`spending-${days}`] = () =>
      spendingChart(
        spending(
          "day",
          dates.map((date, i) => [date, i + 0.25]),
        ),
        { width },
      );
  }
  charts["spending-names"] = () =>
    spendingChart(
      spending(
        "device",
        names.map((name, i) => [name, 2 ** i]),
      ),
      { width },
    );
  for (const count of qubitCounts) {
    charts[`calibration-map-${count}`] = () => calibrationMap(deviceOf(count), latticeOf(count), { width });
    charts[`calibration-bars-${count}`] = () => calibrationBars(deviceOf(count), latticeOf(count), { width });
  }
  return charts;
}

/** Rows of as many names, with numbers that are close to each other, very small ones, and moments. */
const rowsOf = (count: number) =>
  Array.from({ length: 4 * count }, (_, index) => ({
    name: names[index % count] ?? `name ${index % count}`,
    part: `part ${Math.floor(index / count)}`,
    value: ((index * 7919) % 9973) / 10,
    close: 5.012345e9 + ((index * 31) % 97) * 10.5,
    tiny: ((index * 37) % 89) * 1e-9,
    signed: ((index * 37) % 89) - 44,
    when: new Date(Date.UTC(2026, 10, 1) + index * 5e6),
  }));

/** Every chart at every size and width, and circuits. */
export function pictureGrid(): GridPicture[] {
  const circuits = Object.entries(programs()).flatMap(([name, data]) =>
    widths.map(width => ({
      name: `circuit-${name}-${width}`,
      draw: () =>
        drawSvg(compile({ format: "qasm3", data }), { width }).replace(
          /^<svg[^>]*>/,
          tag => `${tag}<rect width="100%" height="100%" fill="#ffffff"/>`,
        ),
    })),
  );
  const charts = widths.flatMap(width =>
    Object.entries(chartsOf(width)).map(([name, chart]) => ({
      name: `${name}-${width}`,
      draw: () => chart().toSVG(),
      spec: () => chart().spec,
    })),
  );
  return [...circuits, ...charts];
}
