import { type DeviceCalibration, stringValue } from "../../contract/index.ts";
import {
  clip,
  type Drawing,
  dotted,
  errorColor,
  errorShare,
  figures,
  formatNumber,
  formatPercent,
  formatUtc,
  median,
  meter,
  neutral,
  numbers,
  type Pair,
  pairErrors,
  pairName,
  present,
  qubitFigures,
  singleLine,
  table,
  tone,
} from "../../display/index.ts";
import { barLines } from "../bar-text.ts";
import { type Chart, drawChart } from "../chart.ts";
import { type FigureOptions, figureChecks } from "../options.ts";
import { type CoupledDevice, checkGate, couplingOf, qubitCount } from "./coupling.ts";
import type { ErrorKey } from "./error-channel.ts";
import { graphSpec, matrixSpec } from "./graph.ts";

/** Options of a calibration drawn as a map, at most 640 pixels wide by default. */
export interface CalibrationMapOptions extends FigureOptions {
  /** The two-qubit gate whose errors are drawn. Default: the one with the most calibrated pairs. */
  gate?: string;
}

export type CalibrationMap = ReturnType<typeof readMap>;

/** Draws the coupling graph with errors as colour and width, on one scale for all devices; a matrix if all are joined. */
export const calibrationMap = (
  device: CoupledDevice,
  calibration: DeviceCalibration,
  options: CalibrationMapOptions = {},
): Chart<CalibrationMapOptions> =>
  drawChart({ ...figureChecks, gate: stringValue }, options, chosen => {
    checkGate(calibration, chosen.gate);
    const map = readMap(device, calibration, chosen);
    const { subtitle, caption, coupling, width = 640 } = map;
    const title = singleLine(chosen.title ?? device.name, 80);
    return {
      title,
      subtitle,
      description: `${title}, errors on its ${coupling.layout ? "coupling graph" : "pairs of qubits"}. ${subtitle.join(". ")}`,
      spec: {
        title: { text: title, subtitle: caption },
        ...(coupling.layout
          ? graphSpec({ ...map, layout: coupling.layout, noun: "readout error", width })
          : matrixSpec(map)),
      },
      table: () => qubitTable(title, map),
      text: columns => mapLines(map, Math.max(30, Math.floor(columns))),
    };
  });

type Errors<Entry> = readonly (Entry & { error: number | null })[];

/** Returns the median of errors, whether all are equal, and the worst where they are not, in words. */
function summaryOf<Entry>(list: Errors<Entry>, nameOf: (entry: Entry) => string) {
  const known = list.flatMap(({ error }) => error ?? []);
  const isEqual = new Set(known).size <= 1;
  const middle = formatPercent(median(known));
  const worst = list.toSorted(byError)[0];
  return {
    isEqual,
    median: `median ${middle}`,
    words:
      isEqual && known.length === list.length && list.length > 1
        ? ` ${middle} everywhere`
        : `, median ${middle}`,
    worst: worst && !isEqual ? { name: nameOf(worst), error: formatPercent(worst.error) } : undefined,
  };
}

/** Returns a calibration by qubits and pairs, with what is said of it. */
function readMap(device: CoupledDevice, calibration: DeviceCalibration, options: CalibrationMapOptions = {}) {
  const coupling = couplingOf(device, calibration);
  const { gate, errors } = pairErrors(calibration, options.gate);
  const figures = qubitFigures(calibration);
  const pairs = coupling.pairs.map(({ a, b }) => ({ a, b, error: errors.get(pairName(a, b)) ?? null }));
  const qubits = coupling.qubits.map(qubit => ({ qubit, error: figures.get(qubit)?.readoutError ?? null }));
  const ofPairs = summaryOf<Pair>(pairs, ({ a, b }) => pairName(a, b));
  const ofQubits = summaryOf<{ qubit: number }>(qubits, ({ qubit }) => `q[${qubit}]`);
  const left = qubitCount(device, calibration) - qubits.length;
  const missing = pairs.filter(({ error }) => error === null).length;
  const isLattice = coupling.layout !== undefined;
  const name = gate === null ? null : singleLine(gate, 24);
  const { worst } = ofPairs;
  const pairWords = `${name} error${ofPairs.words}${worst ? `, worst ${worst.error} (${worst.name})` : ""}`;
  const state = dotted(
    `calibrated ${formatUtc(calibration.lastCalibrated)}`,
    missing > 0 &&
      name !== null &&
      `${isLattice ? "dashed" : "small"}: ${formatNumber(missing)} not calibrated`,
    left > 0 && `${formatNumber(left)} qubits are not drawn`,
  );
  const subtitle = present([
    pairs.length > 0 && `Pairs: ${name === null ? "not calibrated" : clip(pairWords, 120)}`,
    `Qubits: readout error${ofQubits.words}`,
    state.replace("c", "C"),
  ]);
  const keys = present<ErrorKey>([
    { mark: "circle", name: "readout error", note: ofQubits.median },
    name !== null &&
      pairs.length > 0 && {
        ...{ mark: isLattice ? "bar" : "square", name: `${clip(name, 9)} error`, note: ofPairs.median },
      },
    missing > 0 && isLattice && { mark: "dashes", name: "not calibrated", note: "" },
  ]);
  const hasLegend = !ofPairs.isEqual || !ofQubits.isEqual;
  const worsts = present([worst, ofQubits.worst]).map(({ name, error }) => `${name} with ${error}`);
  return {
    subtitle,
    caption: hasLegend
      ? present([
          `${clip(device.name ?? "", 40)}: ${state}`,
          worsts.length > 0 && `Worst: ${worsts.join(", ")}`,
        ])
      : subtitle,
    ...(hasLegend && { keys }),
    ...{ gate: name, pairs, qubits, coupling, width: options.width },
  };
}

function qubitTable(caption: string, { gate, pairs, qubits, coupling }: CalibrationMap) {
  const joined = pairs.flatMap(({ a, b, error }) => [
    { own: a, qubit: b, error },
    { own: b, qubit: a, error },
  ]);
  const neighbours = Map.groupBy(joined, ({ own }) => own);
  return table<CalibrationMap["qubits"][number]>({
    caption,
    noun: "qubits",
    rows: qubits,
    limit: 200,
    columns: [
      numbers("Qubit", ({ qubit }) => formatNumber(qubit)),
      { label: "Readout error", value: ({ error }) => errorMeter(error) },
      {
        label: `${gate ?? "Two-qubit"} error with its neighbours`,
        value: ({ qubit }) => neighbourText(neighbours.get(qubit) ?? [], coupling.layout !== undefined),
      },
    ],
  });
}

const errorMeter = (error: number | null) =>
  error === null ? null : meter(errorShare(error), { label: formatPercent(error), color: tone.bad });

const mostNeighbours = 8;

function neighbourText(
  list: readonly { qubit: number; error: number | null }[],
  isLattice: boolean,
): string | null {
  if (list.length === 0) return null;
  const sorted = isLattice ? list.toSorted((a, b) => a.qubit - b.qubit) : list.toSorted(byError);
  const shown = sorted.slice(0, mostNeighbours);
  const more = list.length - shown.length;
  const texts = shown.map(({ qubit, error }) => `${qubit}: ${formatPercent(error)}`);
  return [...texts, ...(more > 0 ? [`${formatNumber(more)} better ones`] : [])].join(" · ");
}

const byError = (one: { error: number | null }, other: { error: number | null }) =>
  (other.error ?? -1) - (one.error ?? -1);

const listed = 8;

function section(title: string, entries: readonly { name: string; error: number | null }[], width: number) {
  const worst = entries.filter(({ error }) => error !== null).toSorted(byError);
  if (worst.length === 0) return [];
  const bars = worst.slice(0, listed).map(({ name, error }) => ({
    ...{ names: [name], share: errorShare(error!), numbers: [formatPercent(error)] },
  }));
  const left = worst.length - bars.length;
  return [title, ...barLines(bars, width, left > 0 ? [`+ ${formatNumber(left)} better ones`] : [])];
}

const mapLines = ({ gate, pairs, qubits }: CalibrationMap, width: number) => [
  ...section(
    `${gate ?? "Two-qubit"} error, the worst pairs`,
    pairs.map(({ a, b, error }) => ({ name: pairName(a, b), error })),
    width,
  ),
  ...section(
    "Readout error, the worst qubits",
    qubits.map(({ qubit, error }) => ({ name: String(qubit), error })),
    width,
  ),
];

const usualSize = 200;
/** Edge of marks whose colour is pale on some grounds. */
const { casing } = figures.light;

const fixed = (value: number) => String(Math.round(value * 10) / 10);

/** Draws a device's coupling graph or matrix for its card. With labels it is larger, and other qubits are faint. */
export function miniMap(
  device: CoupledDevice,
  calibration: DeviceCalibration,
  labels: ReadonlyMap<number, string> = new Map(),
): Drawing {
  const size = labels.size > 0 ? 2 * usualSize : usualSize;
  const { coupling, pairs, qubits, subtitle } = readMap(device, calibration);
  const layout = coupling.layout ?? qubits.map(({ qubit }) => ({ x: qubit, y: qubit }));
  const columns = Math.max(...layout.map(({ x }) => x)) + 1;
  const rows = Math.max(...layout.map(({ y }) => y)) + 1;
  const step = Math.min(
    labels.size > 0 ? 40 : 28,
    size / Math.min(columns, rows),
    (2 * size) / Math.max(columns, rows),
  );
  const at = (place: number) => fixed((place + 0.5) * step);
  const shapes = new Map<string, string[]>();
  const draw = (look: string, path: string) => shapes.set(look, [...(shapes.get(look) ?? []), path]);
  for (const { a, b, error } of pairs) {
    const [from, to] = [layout[a]!, layout[b]!];
    const color = error === null ? neutral : errorColor(error);
    if (coupling.layout) {
      const width = fixed(step * (error === null ? 0.06 : 0.1 + 0.16 * errorShare(error)));
      const dash = error === null ? ` stroke-dasharray="${fixed(step * 0.12)}"` : "";
      const path = `M${at(from.x)} ${at(from.y)}L${at(to.x)} ${at(to.y)}`;
      if (error !== null) draw(`stroke="${casing}" stroke-width="${fixed(Number(width) + 1.4)}"`, path);
      draw(`stroke="${color}" stroke-width="${width}"${dash}`, path);
    } else {
      const side = step * (error === null ? 0.2 : 0.4 + 0.5 * errorShare(error));
      const corner = (place: number) => fixed((place + 0.5) * step - side / 2);
      draw(
        `fill="${color}" stroke="${casing}" stroke-width="0.6"`,
        `M${corner(a)} ${corner(b)}h${fixed(side)}v${fixed(side)}h-${fixed(side)}z`,
      );
    }
  }
  const lines = [...shapes].map(([look, paths]) => `<path ${look} d="${paths.join("")}"/>`);
  const circles = qubits.map(({ qubit, error }) => {
    const { x, y } = layout[qubit]!;
    const radius = fixed(step * (0.26 + 0.1 * (error === null ? 0 : errorShare(error))));
    const label = labels.get(qubit);
    const faint = labels.size > 0 && label === undefined ? ' opacity="0.3"' : "";
    const circle = `<circle cx="${at(x)}" cy="${at(y)}" r="${radius}" fill="${error === null ? neutral : errorColor(error)}" stroke="${casing}" stroke-width="0.8"${faint}/>`;
    if (label === undefined) return circle;
    const ring = `<circle cx="${at(x)}" cy="${at(y)}" r="${fixed(step * 0.4)}" fill="#ffffff" stroke="#222222" stroke-width="${fixed(step * 0.05)}"/>`;
    const text = `<text x="${at(x)}" y="${at(y)}" font-family="sans-serif" font-size="${fixed(step * (label.length > 2 ? 0.3 : 0.42))}" text-anchor="middle" dominant-baseline="central" fill="#222222">${label}</text>`;
    return circle + ring + text;
  });
  const [width, height] = [fixed(columns * step), fixed(rows * step)];
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${lines.join("")}${circles.join("")}</svg>`,
    text: subtitle.join("\n"),
  };
}
