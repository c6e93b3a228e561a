import { formatCount, numbers, singleLine, table } from "../../display/index.ts";
import { asIs, clampPixels, inline, mark, only, round, tips, wholeSteps, withNarrow } from "../channels.ts";
import { type Chart, drawChart } from "../chart.ts";
import { type FigureOptions, figureChecks } from "../options.ts";
import { figureRoles, inked, neutral, series } from "../roles.ts";
import { type CoupledDevice, couplingOf } from "./coupling.ts";
import {
  type ErrorKey,
  errorColorChannel,
  errorInkChannel,
  errorLegend,
  errorShades,
  errorTip,
} from "./error-channel.ts";
import { type Layout, layoutOf } from "./layout.ts";
import type { CalibrationMap } from "./map.ts";

/** A coupling graph that is drawn, with errors or without. */
export interface Graph {
  width: number;
  layout: Layout;
  /** The error is null where it is not calibrated, and missing where the graph has none. */
  qubits: readonly { qubit: number; error?: number | null }[];
  pairs: readonly { a: number; b: number; error?: number | null }[];
  noun?: string;
  /** Meaning of the marks, if reading the colours requires a legend. */
  keys?: readonly ErrorKey[];
}

const maxHeight = 900;
const place = { type: "quantitative", axis: null } as const;
const known = only("isValid(datum.error)");
const unknown = only("!isValid(datum.error)");
const errorOf = ({ error }: { error?: number | null }) =>
  typeof error === "number" ? { error: round(error, 4) } : {};

const placeOf = (qubit: "a" | "b", as: readonly [string, string]) => ({
  lookup: qubit,
  from: { data: { name: "qubits" }, key: "qubit", fields: ["x", "y"] },
  as,
});

function lines({ noun }: Graph, step: number) {
  const ends = { x: { field: "x", ...place }, y: { field: "y", ...place }, x2: "x2", y2: "y2" };
  const tooltip = [...tips({ pair: "pair" }), ...(noun ? [errorTip("error")] : [])];
  const rule = (look: object, channels: object, rows: object = {}) =>
    mark("rule", { color: figureRoles.casing, ...look }, { ...ends, ...channels }, rows);
  const scale = Math.min(1, step / 48);
  return {
    data: { name: "pairs" },
    transform: [
      placeOf("a", ["x", "y"]),
      placeOf("b", ["x2", "y2"]),
      { calculate: "datum.a + '–' + datum.b", as: "pair" },
      ...errorShades,
      { calculate: `${round(scale)} * (2.5 + 8.5 * datum.share)`, as: "width" },
      { calculate: "datum.width + 1.8", as: "cased" },
    ],
    layer: noun
      ? [
          rule({ strokeWidth: 1.5, strokeDash: [3, 3] }, { tooltip }, unknown),
          rule({ aria: false }, { strokeWidth: asIs("cased") }, known),
          rule({}, { stroke: errorColorChannel, strokeWidth: asIs("width"), tooltip }, known),
        ]
      : [rule({ strokeWidth: Math.max(1, 2.5 * scale) }, { tooltip })],
  };
}

function nodes({ qubits, noun }: Graph, step: number) {
  const diameter = Math.min(30, step * 0.66);
  const at = { x: { field: "x", ...place }, y: { field: "y", ...place } };
  const tip = { field: "qubit", type: "quantitative", title: "qubit" };
  const digits = String(qubits.length - 1).length;
  const fontSize = Math.min(12.5, Math.floor((diameter * 0.8) / Math.max(1.2, digits * 0.62)));
  const edge = { stroke: figureRoles.casing, strokeWidth: 0.9 };
  const disc = (look: object, rows: object = {}, channels: object = {}) =>
    mark(
      "point",
      { shape: "circle", opacity: 1, size: round(diameter ** 2), ...edge, ...look },
      { ...at, ...channels },
      rows,
    );
  const number = (rows: object, look: object, channels: object = {}) =>
    mark(
      "text",
      { fontSize, fontWeight: 600, dy: 0.5, ...look },
      { ...at, text: "qubit", ...channels },
      rows,
    );
  const discs = noun
    ? [
        disc({ fill: figureRoles.wash, strokeDash: [3, 2] }, unknown),
        disc({ filled: true }, known, { color: errorColorChannel }),
      ]
    : [disc({ fill: series[0], stroke: null })];
  const words = noun
    ? [number(unknown, { color: inked }), number(known, {}, { fill: errorInkChannel })]
    : [number(unknown, { color: "#ffffff" })];
  return {
    data: { name: "qubits" },
    transform: errorShades,
    encoding: { tooltip: noun ? [tip, errorTip(noun)] : [tip] },
    layer: fontSize < 6 ? discs : [...discs, ...words],
  };
}

export function graphSpec(graph: Graph) {
  const { layout, qubits, pairs } = graph;
  const [xs, ys] = [layout.map(({ x }) => x), layout.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const [columns, rows] = [right - left + 1, bottom - top + 1];
  const axis = (from: number, to: number, reverse: boolean) => ({
    ...place,
    scale: { domain: [from - 0.5, to + 0.5], zero: false, nice: false, reverse },
  });
  const views = (width: number) => {
    const room = Math.min(60, width / columns, Math.max(maxHeight, width) / rows);
    const step = room > 8 ? Math.floor(room) : room;
    const [across = 60, down = 60] = [columns, rows].map(count => Math.max(Math.round(count * step), 60));
    return {
      ...{ width: across, height: down },
      layer: [
        ...(pairs.length > 0 ? [lines(graph, step)] : []),
        nodes(graph, step),
        ...(graph.keys ? errorLegend(across, down + 24, graph.keys) : []),
      ],
    };
  };
  return {
    datasets: {
      pairs: pairs.map(pair => ({ a: pair.a, b: pair.b, ...errorOf(pair) })),
      qubits: qubits.map(each => {
        const { x, y } = layout[each.qubit]!;
        return { qubit: each.qubit, x: round(x), y: round(y), ...errorOf(each) };
      }),
    },
    encoding: { x: axis(left, right, false), y: axis(top, bottom, true) },
    ...withNarrow(views, clampPixels(graph.width, 40)),
  };
}

/** Options of a topology. */
export interface TopologyOptions extends FigureOptions {}

const uncalibrated = {
  ...{ deviceQrn: "", provider: null, lastCalibrated: null, fetchedAt: null, qubits: {} },
  edges: { gateError: {}, gateLength: {} },
};

export const topologyChart = (device: CoupledDevice, options: TopologyOptions = {}): Chart<TopologyOptions> =>
  drawChart(figureChecks, options, chosen => {
    const { qubits, pairs, layout = layoutOf(qubits.length, pairs) } = couplingOf(device, uncalibrated);
    const joined = qubits.map(qubit =>
      pairs.flatMap(({ a, b }) => (a === qubit ? [b] : b === qubit ? [a] : [])).sort((a, b) => a - b),
    );
    const title = singleLine(chosen.title ?? device.name, 80);
    const subtitle = `${formatCount(qubits.length, "qubits")} · ${formatCount(pairs.length, "pairs")}`;
    return {
      title,
      subtitle,
      description: `${title}: coupling graph. ${subtitle}`,
      spec: graphSpec({
        ...{ pairs, layout, width: chosen.width ?? 640 },
        qubits: qubits.map(qubit => ({ qubit })),
      }),
      table: () =>
        table<number>({
          caption: title,
          noun: "qubits",
          rows: qubits,
          limit: qubits.length,
          columns: [
            numbers("Qubit", String),
            { label: "Joined with", value: qubit => joined[qubit]!.join(", ") },
          ],
        }),
      text: () => joined.map((others, qubit) => `  ${qubit}: ${others.join(" ")}`),
    };
  });

const defaultWidth = 480;

/** Numbers of qubits that are written on an axis: all, or every second, fifth, tenth. */
export function labelledQubits(qubits: readonly number[], room: number): number[] {
  const every = [1, 2, 5, 10, 20, 50, 100].find(gap => (qubits.length / gap) * 22 <= room) ?? 200;
  return qubits.filter(qubit => qubit % every === 0);
}

/** Draws each pair as a square, coloured and sized by its error, and each readout error as a circle on the diagonal. */
export function matrixSpec(map: CalibrationMap) {
  const { qubits } = map.coupling;
  const errors = Map.groupBy(map.pairs, ({ a }) => a);
  const values = map.qubits.map(({ qubit, error }) => {
    const others = errors.get(qubit) ?? [];
    return {
      x: qubit,
      y: [qubit, ...others.map(({ b }) => b)],
      error: [error, ...others.map(pair => pair.error)].map(each => each && round(each, 4)),
    };
  });
  const axis = (title: string | null, width: number) => ({
    type: "ordinal",
    sort: null,
    scale: { domain: qubits, padding: 0.5 },
    axis: { title, values: labelledQubits(qubits, width), labelAngle: 0, domain: false },
  });
  const kinds = { domain: ["pair", "qubit"], range: ["square", "circle"] };
  const common = {
    shape: { field: "kind", type: "nominal", scale: kinds, legend: null },
    ...{ size: asIs("size"), tooltip: [...tips({ pair: "qubits" }), errorTip("error")] },
  };
  const views = (maxWidth: number) => {
    const width = Math.min(wholeSteps(maxWidth, qubits.length), qubits.length * 40);
    const cell = width / qubits.length;
    return {
      width,
      height: width,
      transform: [
        { flatten: ["y", "error"] },
        { calculate: "datum.x === datum.y ? 'qubit' : 'pair'", as: "kind" },
        { calculate: "datum.x === datum.y ? '' + datum.x : datum.x + '–' + datum.y", as: "pair" },
        ...errorShades,
        {
          calculate: `pow(${round(cell)} * (isValid(datum.error) ? 0.4 + 0.5 * datum.share : 0.16), 2)`,
          as: "size",
        },
      ],
      encoding: { x: { field: "x", ...axis("qubit", width) }, y: { field: "y", ...axis(null, width) } },
      layer: [
        mark("point", { filled: true, opacity: 0.6, color: neutral }, common, unknown),
        mark("point", { filled: true, opacity: 1 }, { ...common, color: errorColorChannel }, known),
        ...(map.keys ? errorLegend(width, width + 54, map.keys) : []),
      ],
    };
  };
  return { ...inline(values), ...withNarrow(views, clampPixels(map.width ?? defaultWidth, 120)) };
}
