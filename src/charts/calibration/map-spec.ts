import { formatPercent } from "../../display/format.ts";
import { round } from "../channels.ts";
import { neutral } from "../roles.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec } from "../vega-lite.ts";
import { errorColorChannel, errorShades, errorTip } from "./error-channel.ts";
import type { Layout } from "./layout.ts";
import type { CalibrationMap } from "./map.ts";

const defaultWidth = 640;
const maxHeight = 900;
/** Steps of at least so many pixels have room for the error beside its line. */
const labelledStep = 54;

const place = { type: "quantitative", axis: null } as const;

function extentOf(layout: Layout) {
  const xs = layout.map(({ x }) => x);
  const ys = layout.map(({ y }) => y);
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/** Returns rows of the qubits, to be looked up by the pairs; errors as they are known. */
function qubitRows({ qubits }: CalibrationMap, layout: Layout) {
  return qubits.map(({ qubit, error }) => ({
    qubit,
    x: round(layout[qubit]!.x),
    y: round(layout[qubit]!.y),
    ...(error !== null && { error: round(error, 4) }),
  }));
}

function pairRows({ pairs }: CalibrationMap, labelled: boolean) {
  return pairs.map(({ a, b, error }) => ({
    a,
    b,
    ...(error !== null && { error: round(error, 4), ...(labelled && { label: formatPercent(error) }) }),
  }));
}

const placeOf = (qubit: "a" | "b", as: readonly [string, string]) => ({
  lookup: qubit,
  from: { data: { name: "qubits" }, key: "qubit", fields: ["x", "y"] },
  as,
});

function lines(map: CalibrationMap, step: number) {
  const labelled = step >= labelledStep;
  const values = pairRows(map, labelled);
  if (values.length === 0) return [];
  const ends = {
    x: { field: "x", ...place },
    y: { field: "y", ...place },
    x2: { field: "x2" },
    y2: { field: "y2" },
  };
  const tip = { field: "pair", type: "nominal", title: "pair" };
  const label = (upright: boolean) => ({
    transform: [{ filter: `isValid(datum.label) && datum.x ${upright ? "===" : "!=="} datum.x2` }],
    mark: {
      type: "text",
      fontSize: 10,
      color: neutral,
      ...(upright ? { dx: 7, align: "left" } : { dy: -11 }),
    },
    encoding: {
      x: { field: "mx", ...place },
      y: { field: "my", ...place },
      text: { field: "label", type: "nominal" },
    },
  });
  return [
    {
      data: { values },
      transform: [
        placeOf("a", ["x", "y"]),
        placeOf("b", ["x2", "y2"]),
        { calculate: "(datum.x + datum.x2) / 2", as: "mx" },
        { calculate: "(datum.y + datum.y2) / 2", as: "my" },
        { calculate: "datum.a + '–' + datum.b", as: "pair" },
        ...errorShades,
        { calculate: "2.5 + 6.5 * datum.share", as: "width" },
      ],
      layer: [
        {
          transform: [{ filter: "!isValid(datum.error)" }],
          mark: { type: "rule", color: neutral, strokeWidth: 1.5, strokeDash: [3, 3] },
          encoding: { ...ends, tooltip: [tip, errorTip("error")] },
        },
        {
          transform: [{ filter: "isValid(datum.error)" }],
          mark: { type: "rule", strokeCap: "butt" },
          encoding: {
            ...ends,
            color: errorColorChannel,
            strokeWidth: { field: "width", type: "quantitative", scale: null, legend: null },
            tooltip: [tip, errorTip("error")],
          },
        },
        ...(labelled ? [label(false), label(true)] : []),
      ],
    },
  ];
}

function nodes({ qubits }: CalibrationMap, step: number) {
  const diameter = Math.min(34, step * 0.68);
  const at = { x: { field: "x", ...place }, y: { field: "y", ...place } };
  const area = { field: "size", type: "quantitative", scale: null, legend: null };
  const tip = { field: "qubit", type: "quantitative", title: "qubit" };
  const digits = String(qubits.length - 1).length;
  const fontSize = Math.min(13, Math.floor((diameter * 0.8) / Math.max(1.2, digits * 0.62)));
  return {
    data: { name: "qubits" },
    transform: [
      ...errorShades,
      { calculate: `pow(${round(diameter)} * (0.8 + 0.3 * datum.share), 2)`, as: "size" },
    ],
    encoding: { tooltip: [tip, errorTip("readout error")] },
    layer: [
      {
        transform: [{ filter: "!isValid(datum.error)" }],
        mark: { type: "point", filled: true, opacity: 1, color: neutral },
        encoding: { ...at, size: area },
      },
      {
        transform: [{ filter: "isValid(datum.error)" }],
        mark: { type: "point", filled: true, opacity: 1 },
        encoding: {
          ...at,
          size: area,
          color: errorColorChannel,
        },
      },
      ...(fontSize < 6
        ? []
        : [
            {
              mark: { type: "text", color: "#ffffff", fontSize, fontWeight: 600, dy: 0.5 },
              encoding: { ...at, text: { field: "qubit", type: "nominal" } },
            },
          ]),
    ],
  };
}

/** Draws a coupling graph as a Vega-Lite specification. */
export function mapSpec(map: CalibrationMap, layout: Layout, description: string): VegaLiteSpec {
  const { left, right, top, bottom } = extentOf(layout);
  const [columns, rows] = [right - left + 1, bottom - top + 1];
  const maxWidth = clampPixels(map.options.width ?? defaultWidth, 120, 2000);
  const room = Math.min(72, maxWidth / columns, Math.max(maxHeight, maxWidth) / rows);
  const step = room > 8 ? Math.floor(room) : room;
  const axis = (from: number, to: number, reverse: boolean) => ({
    ...place,
    scale: { domain: [from - 0.5, to + 0.5], zero: false, nice: false, reverse },
  });
  return vegaLiteSpec({
    description,
    title: { text: map.title, subtitle: map.subtitle },
    width: Math.max(Math.round(columns * step), 60),
    height: Math.max(Math.round(rows * step), 60),
    datasets: { qubits: qubitRows(map, layout) },
    encoding: { x: axis(left, right, false), y: axis(top, bottom, true) },
    layer: [...lines(map, step), nodes(map, step)],
  });
}
