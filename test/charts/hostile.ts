import {
  barsChart,
  boxChart,
  type Chart,
  calibrationBars,
  calibrationMap,
  comparison,
  dailyUsageChart,
  heatmapChart,
  histogram,
  lineChart,
  smallMultiples,
  spendingChart,
  textChart,
  usageChart,
} from "../../src/charts/index.ts";
import { calibration } from "./calibrations.ts";
import { spending } from "./spendings.ts";

/** Every chart that shows strings from outside, with one string in each place for them. */
export function hostileCharts(text: string): Chart[] {
  const counts = { [text]: 3, [`${text}2`]: 1 };
  const registers = [{ name: text, size: text.length }];
  const device = { name: text, numberQubits: 3, topology: null };
  const record = { ...calibration(3, [[0, 1, 0.02]], text), deviceQrn: text, lastCalibrated: text };
  record.qubits[0]!.gateError = { [text]: 0.01 };
  const rows = ["", "2"].map(copy => ({
    [text]: copy + text,
    [`${text}y`]: 3 + copy.length,
    [`${text}l`]: text,
  }));
  const columns = { x: text, y: `${text}y`, title: text };
  return [
    ...[boxChart, lineChart].map(draw => draw(rows, columns)),
    barsChart(rows, { ...columns, series: text }),
    heatmapChart(rows, { ...columns, y: text, color: columns.y }),
    textChart(rows, { ...columns, label: `${text}l` }),
    smallMultiples(
      [counts, { [text]: 1, "0": 1 }].map(values => ({ name: text, values, exact: false })),
      { title: text },
    ),
    histogram({ counts, registers, shots: 4, title: text, details: [text] }, { labels: "ket" }),
    comparison([
      { label: text, counts },
      { label: text, probabilities: { [text]: 1 } },
    ]),
    calibrationMap(device, record, { gate: text }),
    calibrationBars(device, record),
    usageChart([{ date: "2026-11-21", count: 3 }], { device: text, title: text }),
    dailyUsageChart(
      ["", "1", "2", "3", "4"].map(copy => ({ date: "2026-11-21", deviceQrn: text + copy, count: 3 })),
    ),
    spendingChart(
      spending(
        "tag",
        ["", "1", "2"].map(copy => [text + copy, 3, 1]),
        { about: [text] },
      ),
      { title: text, top: 2 },
    ),
  ];
}
