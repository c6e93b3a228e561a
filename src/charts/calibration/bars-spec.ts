import { neutral, series } from "../../display/palette.ts";
import { decades, round } from "../channels.ts";
import { themed, type VegaLiteSpec, wholeSteps, within } from "../theme.ts";
import { type CalibrationBars, figureText, type Strip } from "./bars.ts";
import { errorColorChannel } from "./error-channel.ts";
import { writtenQubits } from "./matrix-spec.ts";

const height = 84;
/** Room for the numbers beside a strip, so that the names of all strips stand in one line. */
const minExtent = 48;

/** A unit in which a time is a number that people read. */
const timeUnit = (longest: number) => (longest >= 1e5 ? { name: "s", size: 1e6 } : { name: "µs", size: 1 });

/** Powers of ten around some errors, at least one decade of them. */
function errorDomainOf(values: readonly number[]): [number, number] {
  const seen = values.filter(value => value > 0);
  if (seen.length === 0) return [0.001, 0.1];
  const [low, high] = [Math.min(...seen), Math.max(...seen)];
  const from = 10 ** Math.floor(Math.log10(low) - 0.05);
  return [from, Math.max(from * 10, Math.min(1, high * 1.3))];
}

function stripSpec(strip: Strip, { qubits }: CalibrationBars, width: number, last: boolean) {
  const known = strip.values.filter(value => value !== null);
  const longest = Math.max(0, ...known);
  const unit = timeUnit(longest);
  const [floor, ceiling] = errorDomainOf(known);
  const timed = strip.kind === "time";
  const shown = (value: number) => (timed ? value / unit.size : Math.max(value, floor));
  const values = strip.values.flatMap((value, index) =>
    value === null
      ? [{ qubit: qubits[index]! }]
      : [{ qubit: qubits[index]!, value: round(shown(value)), text: figureText(strip, value), error: value }],
  );
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
    { field: "text", type: "nominal", title: strip.name },
  ];
  const drawn = [{ filter: "isValid(datum.value)" }];
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
    data: { values },
    encoding: {
      x: {
        field: "qubit",
        type: "ordinal",
        sort: null,
        scale: { domain: qubits },
        axis: {
          title: last ? "qubit" : null,
          labels: last,
          values: writtenQubits(qubits, width),
          labelAngle: 0,
        },
      },
    },
    layer: [
      ...marks,
      {
        transform: [{ filter: "!isValid(datum.value)" }],
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
    ? within(options.width, 120, 2000)
    : wholeSteps(within(qubits.length * 26, 280, 640), qubits.length);
  return themed({
    description,
    title: { text: title, subtitle },
    spacing: 10,
    vconcat: strips.map((strip, index) => stripSpec(strip, bars, width, index === strips.length - 1)),
  });
}
