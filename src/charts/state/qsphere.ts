import { flag, wholeNumber } from "../../contract/index.ts";
import { dotted, formatCount, formatNumber, formatPercent, singleLine } from "../../display/index.ts";
import { asIs, clampPixels, inline, mark, note, only, pixels, round, tips } from "../channels.ts";
import { type Chart, drawChart, recordsOf } from "../chart.ts";
import { type FigureOptions, figureChecks } from "../options.ts";
import { figureRoles, inked, neutral } from "../roles.ts";
import { amplitudeChart, stateWords } from "./amplitudes.ts";
import { ball } from "./bloch-spheres.ts";
import { degreesOf, dialMarks, formatPhase, phaseColorChannel, phaseWheel, wheelRoom } from "./phase.ts";
import { type Amplitudes, basisState, qubitsOf } from "./reduced.ts";

/** Options of a q-sphere; with its labels it is 300 pixels wide by default. */
export interface QsphereOptions extends FigureOptions {
  /** Basis states that get a point, the likeliest ones, at most 64. Default: 32. */
  top?: number;
  /** Whether points are named. Default: with up to 16 of them. */
  labels?: boolean;
}

const maxTop = 64;
const minProbability = 1e-9;
const maxNamed = 8;
const [maxRows, rowHeight, listWidth] = [8, 26, 196];
const tilt = 0.35;
/** Spheres of more qubits have only an equator. */
const maxParallels = 5;

/** Draws up to 12 qubits on a sphere: a point per basis state, by ones from the top. Throws a `RangeError` for more. */
export const qsphereChart = (amplitudes: Amplitudes, options: QsphereOptions = {}): Chart<QsphereOptions> =>
  drawChart({ ...figureChecks, top: wholeNumber(1), labels: flag }, options, chosen => {
    const qubits = qubitsOf(amplitudes);
    if (qubits < 1 || qubits > 12)
      throw new RangeError(
        `A q-sphere is drawn of 1 to 12 qubits, not of ${qubits}: draw the amplitudes of more.`,
      );
    const { top = 32 } = chosen;
    const all = placedStates(amplitudes, qubits);
    const likely = all
      .filter(({ probability }) => probability > minProbability)
      .sort((one, other) => other.probability - one.probability);
    const points = likely.slice(0, Math.min(maxTop, top));
    const empty =
      all.length <= maxNamed ? all.filter(({ probability }) => probability <= minProbability) : [];
    const left = likely.length - points.length;
    const title = singleLine(chosen.title ?? "Q-sphere", 80);
    const bars = () => amplitudeChart(amplitudes, { title, top, sort: "value" });
    return {
      title,
      subtitle: dotted(
        "Area: probability; hollow: behind",
        left > 0 && `${formatNumber(left)} less likely basis states are not drawn`,
      ),
      description: `${title} of ${formatCount(qubits, "qubits")}: ${stateWords(points)}.`,
      spec: qsphereSpec(points, empty, qubits, chosen),
      records: () => recordsOf(bars().source),
      table: () => bars().source.table(),
      text: columns => bars().toText(columns),
    };
  });

const onesOf = (index: number) => index.toString(2).replaceAll("0", "").length;

type Point = ReturnType<typeof placedStates>[number];

/** Places the basis states: by their ones from the top, evenly around each parallel, and none right behind another. */
function placedStates(amplitudes: Amplitudes, qubits: number) {
  const parallels: number[][] = Array.from({ length: qubits + 1 }, () => []);
  for (let index = 0; index < 2 ** qubits; index++) parallels[onesOf(index)]!.push(index);
  return parallels.flatMap((states, ones) => {
    const turn = states.length % 4 === 0 ? 0.5 : 0;
    return states.map((index, place) => {
      const [re, im] = [amplitudes[2 * index]!, amplitudes[2 * index + 1]!];
      const polar = (ones / qubits) * Math.PI;
      const around = ((place + turn) / states.length) * 2 * Math.PI + Math.PI / 2;
      const depth = Math.sin(polar) * Math.cos(around);
      return {
        label: `|${basisState(index, qubits)}⟩`,
        x: Math.sin(polar) * Math.sin(around),
        y: Math.cos(polar) * Math.cos(tilt) - depth * Math.sin(tilt),
        /** True on the visible side of the sphere. */
        isFront: states.length === 1 || Math.cos(polar) * Math.sin(tilt) + depth * Math.cos(tilt) >= -1e-9,
        probability: re * re + im * im,
        phase: Math.atan2(im, re),
      };
    });
  });
}

/** Returns the part of the parallel at a height that is seen, or the part behind, as a path with y downwards. */
function parallel(z: number, isBack: boolean): string {
  const across = Math.sqrt(1 - z * z);
  const edge = Math.acos(Math.min(1, Math.max(-1, (-z * Math.tan(tilt)) / across)));
  const x = (across * Math.sin(edge)).toFixed(3);
  const y = (across * Math.cos(edge) * Math.sin(tilt) - z * Math.cos(tilt)).toFixed(3);
  const isLong = edge > Math.PI / 2 !== isBack;
  return `M-${x},${y}A${across.toFixed(3)},${(across * Math.sin(tilt)).toFixed(3)},0,${Number(isLong)},${Number(isBack)},${x},${y}`;
}

function qsphereSpec(
  points: readonly Point[],
  empty: readonly Point[],
  qubits: number,
  options: QsphereOptions,
) {
  const width = clampPixels(options.width ?? 300, 100);
  const reach = 1.36;
  const radius = width / (2 * reach);
  const scale = { domain: [-reach, reach], nice: false, zero: false };
  const axis = { type: "quantitative", axis: null, scale };
  const isNamed = options.labels ?? points.length <= 16;
  const values = points.map(({ label, x, y, isFront, probability, phase }) => ({
    state: label,
    x: round(x),
    y: round(y),
    isFront,
    phase: degreesOf(phase),
    area: round(Math.max(16, probability * (radius * 0.38) ** 2)),
    text: `${formatPercent(probability)}, phase ${formatPhase(phase)}`,
    percent: formatPercent(probability),
    angle: formatPhase(phase),
    ...(isNamed && { label }),
  }));
  const heights =
    qubits > maxParallels || qubits === 1
      ? [0]
      : Array.from({ length: qubits - 1 }, (_, ones) => Math.cos((Math.PI * (ones + 1)) / qubits));
  const outline = (shape: string, look: object) =>
    mark(
      "point",
      { shape, size: round((2 * radius) ** 2), opacity: 1, strokeWidth: 1, ...look },
      {},
      inline([{ x: 0, y: 0 }]),
    );
  const guide = (isBack: boolean) =>
    outline(heights.map(z => parallel(z, isBack)).join(""), {
      ...{ fill: null, stroke: figureRoles.guide, ...(isBack && { strokeDash: [2.5, 3] }) },
    });
  const color = phaseColorChannel;
  const sides = (isFront: boolean) => {
    const side = only(`datum.isFront === ${isFront}`);
    const look = isFront ? { filled: true, stroke: figureRoles.ground } : { fill: figureRoles.wash };
    const [x2, y2] = [{ datum: 0 }, { datum: 0 }];
    return [
      mark("rule", { strokeWidth: 2.25, ...(!isFront && { strokeDash: [3, 3] }) }, { x2, y2, color }, side),
      mark(
        "point",
        { shape: "circle", opacity: 1, strokeWidth: isFront ? 1.5 : 3, ...look },
        {
          size: asIs("area"),
          [isFront ? "fill" : "stroke"]: color,
          tooltip: tips({ state: "state", text: "probability" }),
        },
        side,
      ),
    ];
  };
  const faint = inline(empty.map(({ label, x, y }) => ({ x: round(x), y: round(y), area: 30, label })));
  const names = (data: object, look: object) =>
    mark(
      "text",
      {
        ...{ fontSize: 12, ...look },
        align: { expr: "datum.side == 0 ? 'center' : datum.side < 0 ? 'right' : 'left'" },
        baseline: { expr: "datum.side != 0 ? 'middle' : datum.y >= 0 ? 'bottom' : 'top'" },
        dx: { expr: "datum.side * (sqrt(datum.area) / 2 + 6)" },
        dy: { expr: "datum.side != 0 ? 0 : (datum.y >= 0 ? -1 : 1) * (sqrt(datum.area) / 2 + 5)" },
      },
      { text: "label" },
      {
        ...data,
        ...only("isValid(datum.label)", {
          calculate: "abs(datum.x) < 0.2 ? 0 : datum.x < 0 ? -1 : 1",
          as: "side",
        }),
      },
    );
  const hollow = { fill: figureRoles.box, stroke: neutral, strokeWidth: 1 };
  const views = (left: number, top: number) => {
    const wheel = top + rowHeight * Math.min(maxRows, points.length) + rowHeight + wheelRoom + 18;
    return {
      layer: [
        outline("circle", ball),
        guide(true),
        guide(false),
        mark("point", { shape: "circle", size: 30, opacity: 1, ...hollow }, {}, faint),
        names(faint, { color: neutral, fontSize: 11 }),
        ...sides(false),
        ...sides(true),
        names({}, { color: inked, fontWeight: 600 }),
        ...stateList(values, left, top),
        ...phaseWheel(left + listWidth / 2 - width, wheel),
      ],
    };
  };
  return {
    width,
    height: width,
    ...inline(values),
    encoding: { x: { field: "x", ...axis }, y: { field: "y", ...axis } },
    ...views(width + 28, 24),
    usermeta: { narrow: views((width - listWidth) / 2, width + 24) },
  };
}

function stateList(values: readonly object[], left: number, top: number): object[] {
  const shown = values.slice(0, maxRows);
  const rows = inline(shown.map((row, at) => ({ ...row, height: top + rowHeight * (at + 1) })));
  const y = pixels("height");
  const column = (text: string, x: number, look: object = {}) =>
    mark("text", { color: inked, fontSize: 12, align: "right", ...look }, { x: left + x, y, text }, rows);
  const heading = { fontSize: 11.5, align: "right" };
  return [
    note("probability", left + 116, top, heading),
    note("phase", left + listWidth, top, heading),
    mark("rule", { color: neutral, opacity: 0.5 }, { x: left, x2: left + listWidth, y: top + 10 }, inline()),
    column("state", 0, { align: "left", fontWeight: 600 }),
    column("percent", 116),
    column("angle", listWidth),
    ...dialMarks(8, { x: left + 142, y }, rows),
  ];
}
