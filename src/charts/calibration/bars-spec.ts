import { decades, round } from "../channels.ts";
import { neutral, series } from "../roles.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec, wholeSteps } from "../vega-lite.ts";
import type { CalibrationBars, Strip } from "./bars.ts";
import { errorColorChannel, errorShades } from "./error-channel.ts";
import { labelledQubits } from "./matrix-spec.ts";

const height = 72;
/** Room for the numbers beside a strip, so that the names of all strips stand in one line. */
const minExtent = 48;

/** Returns a unit in which a time is a number that people read. */
const timeUnit = (longest: number) => (longest >= 1e5 ? { name: "s", size: 1e6 } : { name: "µs", size: 1 });

/** Returns powers of ten around some errors, at least one decade of them. */
function errorDomainOf(values: readonly number[]): [number, number] {
  const positive = values.filter(value => value > 0);
  if (positive.length === 0) return [0.001, 0.1];
  const [low, high] = [Math.min(...positive), Math.max(...positive)];
  const from = 10 ** Math.floor(Math.log10(low) - 0.05);
  return [from, Math.max(from * 10, Math.min(1, high * 1.3))];
}

/** Returns a row a qubit, with the figure of each strip under the strip's place: `v0`, `v1`, … */
function qubitRows({ qubits, strips }: CalibrationBars) {
  return qubits.map((qubit, index) => {
    const figures = strips.flatMap(({ values }, strip) => {
      const value = values[index] ?? null;
      return value === null ? [] : [[`v${strip}`, round(value, 3)] as const];
    });
    return { qubit, ...Object.fromEntries(figures) };
  });
}

function stripSpec(strip: Strip, place: number, { qubits, strips }: CalibrationBars, width: number) {
  const last = place === strips.length - 1;
  const known = strip.values.filter(value => value !== null);
  const longest = Math.max(0, ...known);
  const unit = timeUnit(longest);
  const [floor, ceiling] = errorDomainOf(known);
  const timed = strip.kind === "time";
  const shown = (value: number) => (timed ? value / unit.size : Math.max(value, floor));
  const rising = qubits.every((qubit, index) => index === 0 || qubit > qubits[index - 1]!);
  const figure = `datum.v${place}`;
  const derived = timed
    ? [
        { calculate: `${figure} / ${unit.size}`, as: "value" },
        { calculate: `format(${figure} / ${unit.size}, '.3~r') + ' ${unit.name}'`, as: "written" },
      ]
    : [
        { calculate: figure, as: "error" },
        { calculate: `max(datum.error, ${floor})`, as: "value" },
        ...errorShades,
      ];
  const step = width / Math.max(1, qubits.length);
  const bar = Math.max(0.8, Math.min(28, step * 0.72));
  const size = round(Math.max(3, Math.min(9, step * 0.8)) ** 2);
  const y = {
    field: "value",
    type: "quantitative",
    title: timed ? `${strip.name} (${unit.name})` : strip.name,
    scale: timed
      ? { domainMin: 0, ...(longest === 0 && { domainMax: 1 }) }
      : { type: "log", domain: [floor, ceiling], nice: false },
    /** Vega-Lite puts each stacked bar with round corners into a group of its own, within which brushes lose their place. */
    stack: null,
    axis: timed
      ? { tickCount: 3, minExtent }
      : {
          minExtent,
          values: decades(floor, ceiling),
          labelExpr: "format(datum.value * 100, '~g') + ' %'",
        },
  };
  const tooltip = [
    { field: "qubit", type: "quantitative", title: "qubit" },
    { field: "written", type: "nominal", title: strip.name },
  ];
  const drawn = [{ filter: `isValid(${figure})` }, ...derived];
  const marks = timed
    ? [
        {
          transform: drawn,
          mark: { type: "bar", width: bar, color: series[0], cornerRadiusEnd: Math.min(2, bar / 6) },
          encoding: { y, tooltip },
        },
      ]
    : [
        {
          transform: drawn,
          mark: { type: "rule", color: neutral, opacity: 0.6, strokeWidth: Math.min(1.5, bar) },
          encoding: { y, y2: { datum: floor } },
        },
        {
          transform: drawn,
          mark: { type: "point", filled: true, opacity: 1, size },
          encoding: {
            y,
            tooltip,
            color: { ...errorColorChannel, legend: null },
          },
        },
      ];
  return {
    width,
    height,
    encoding: {
      x: {
        field: "qubit",
        type: "ordinal",
        ...(rising ? { sort: "ascending" } : { sort: null, scale: { domain: qubits } }),
        axis: {
          title: last ? "qubit" : null,
          labels: last,
          values: labelledQubits(qubits, width),
          labelAngle: 0,
        },
      },
    },
    layer: [
      ...marks,
      {
        transform: [{ filter: `!isValid(${figure})` }],
        mark: { type: "text", text: "–", color: neutral, fontSize: 11, baseline: "bottom", tooltip: null },
        encoding: { y: { value: height } },
      },
      ...(strip.median === null
        ? []
        : [
            {
              data: { values: [{}] },
              mark: { type: "rule", color: neutral, strokeDash: [4, 3], strokeWidth: 1.25 },
              encoding: {
                x: { value: 0 },
                x2: { value: "width" },
                y: { datum: round(shown(strip.median)), type: "quantitative" },
              },
            },
          ]),
    ],
  };
}

/** Draws a calibration's strips as a Vega-Lite specification. */
export function barsSpec(bars: CalibrationBars, description: string): VegaLiteSpec {
  const { qubits, strips, title, subtitle, options } = bars;
  const width = options.width
    ? clampPixels(options.width, 120, 2000)
    : wholeSteps(clampPixels(qubits.length * 26, 280, 640), qubits.length);
  return vegaLiteSpec({
    description,
    title: { text: title, subtitle },
    spacing: 10,
    data: { values: qubitRows(bars) },
    vconcat: strips.map((strip, place) => stripSpec(strip, place, bars, width)),
  });
}
