import { present } from "../../display/index.ts";
import { decadeLabels, decades, legend, mark, nameLabels, powerOfTen, round, zeroLine } from "../channels.ts";
import { inked, series as palette } from "../roles.ts";
import { areAngles, formatAngle } from "../state/phase.ts";
import { type Column, distinct, extentOf, type Plot } from "./columns.ts";

const types = { linear: "quantitative", log: "quantitative", time: "temporal", category: "nominal" } as const;

export const typeOf = ({ scale }: Column) => types[scale];

export function axisChannel(role: string, column: Column, { zero = false }: { zero?: boolean } = {}) {
  const { title, scale, isUntitled } = column;
  const domain = column.domain ?? column.span;
  const named = isUntitled ? { title } : {};
  const heading = isUntitled ? {} : { title };
  const ticks = scale === "linear" ? linearTicks(role, column) : {};
  if (scale === "category")
    return {
      ...{ field: role, type: "nominal", sort: null, ...named, scale: { domain: distinct(column) } },
      axis: { ...heading, labelAngle: 0, ...nameLabels },
    };
  return {
    field: role,
    type: typeOf(column),
    ...named,
    scale: {
      ...(scale === "time" ? { type: "utc" } : { type: scale, ...(scale === "linear" && { zero }) }),
      ...(domain ? { domain, nice: false } : "tickSize" in ticks && { nice: false }),
    },
    axis: {
      ...heading,
      labelSeparation: 6,
      ...(scale === "log" && logAxis(column)),
      ...ticks,
      ...(scale === "time" && { tickCount: momentTicks(role, column), format: momentFormat(column) }),
      ...(role === "y" && isSigned(column) && zeroLine),
    },
  };
}

/** Widths of an angle's labelled ticks in quarters of π, for axes of at most four of them. */
const quarters = [1, 2, 4, 8, 16, 32];
/** Returns a channel of places along the axis of other charts, without changing its ticks. */
export function placeChannel(role: "x" | "y", column: Column) {
  const { axis, ...channel } = axisChannel(role, column);
  return { ...channel, axis: column.isUntitled ? {} : { title: column.title } };
}

const near = (value: number) => Math.abs(value - Math.round(value)) < 1e-9;

/** Returns the ticks of an axis of angles, which ends at quarters of π or is of fractions of π: these of π, and small ticks between; else `undefined`. */
function angleTicks(role: string, values: Column["values"], min: number, max: number) {
  const [from, to] = [(min / Math.PI) * 4, (max / Math.PI) * 4];
  const step = quarters.find(width => (to - from) / width < 4.001);
  const isWhole = role === "x" && near(from) && near(to);
  if (!(to > from) || to - from < 1 || step === undefined || !(isWhole || areAngles(values)))
    return undefined;
  const half = step / 2;
  const first = Math.ceil(from / half - 1e-9);
  const places = Array.from({ length: Math.floor(to / half + 1e-9) - first + 1 }, (_, i) => first + i);
  const labels = places.map(place => (place % 2 === 0 ? formatAngle((place * half * Math.PI) / 4) : ""));
  const at = `round(datum.value / PI * 4 / ${half})`;
  return {
    values: places.map(place => (place * half * Math.PI) / 4),
    labelExpr: `${JSON.stringify(labels)}[${at} - ${first}]`,
    tickSize: { condition: { test: `${at} % 2 == 0`, value: 5 }, value: 3 },
  };
}

/** Whether values lie on both sides of 0 of a linear axis. */
export const isSigned = ({ scale, domain, values }: Column, others: readonly (Column | undefined)[] = []) => {
  const [min, max] = domain ?? extentOf([values, ...others.map(other => other?.values ?? [])].flat());
  return scale === "linear" && min < 0 && max > 0;
};

/** Ticks of an axis, at least 56 pixels apart along the horizontal one and 30 along the vertical one. */
const ticksOn = (role: string, { room = Number.POSITIVE_INFINITY }: { room?: number }) =>
  role === "y"
    ? Math.min(6, Math.max(2, Math.floor(room / 30)))
    : Math.min(8, Math.max(2, Math.floor(room / 56)));

/** Returns ticks of a linear axis: fractions of π, powers of a thousand, one for a single value, or whole numbers. */
export function linearTicks(role: string, column: Pick<Column, "values" | "domain" | "span" | "room">) {
  const { values, domain, span } = column;
  const [min, max] = domain ?? span ?? extentOf(values);
  const angles = angleTicks(role, values, min, max);
  if (angles) return angles;
  const label = numberLabels(min, max);
  if (min === max) return { values: [min], format: "~g", labelExpr: label };
  return {
    tickCount: ticksOn(role, column),
    ...(values.every(value => value === null || Number.isInteger(value)) && { tickMinStep: 1 }),
    labelExpr: label,
  };
}

/** Returns the expression of a number's label; very small and large ones are in units of a power of ten: `2.5 × 10⁻⁹`, `10⁻⁶`. */
export function numberLabels(min: number, max: number, plain = "datum.label"): string {
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (size === 0 || (size >= 1e-3 && size < 1e6)) return `datum.value == 0 ? '0' : ${plain}`;
  const exponent = 3 * Math.floor(Math.log10(size) / 3);
  const places = Math.max(6, exponent + 2 - Math.floor(Math.log10(max - min || size)));
  const power = powerOfTen(exponent);
  const value = `round(datum.value / 1e${exponent} * 1e${places}) / 1e${places}`;
  return `datum.value == 0 ? '0' : ${value} == 1 ? '${power}' : format(${value}, '.15~r') + ' × ${power}'`;
}

const day = 86_400_000;
/** Format of moments along an axis shorter than the given number of milliseconds. */
const momentFormats: readonly [span: number, format: string][] = [
  [4000, "%H:%M:%S.%L"],
  [day / 240, "%H:%M:%S"],
  [day, "%H:%M"],
  [4 * day, "%b %-d, %H:%M"],
  [240 * day, "%b %-d"],
  [2400 * day, "%b %Y"],
];

/** Returns how moments are written along an axis: as much of them as tells its ticks apart, with the month where there are days. */
const momentFormat = (column: Column) =>
  momentFormats.find(([below]) => lengthOf(column) < below)?.[1] ?? "%Y";

/** Milliseconds along an axis. */
function lengthOf({ values, domain, span }: Column): number {
  const [from, to] = domain ?? span ?? extentOf(values);
  return to - from;
}

/** Ticks of an axis of moments: one a day where there could be one at noon, of which the label says nothing. */
const momentTicks = (role: string, column: Column) =>
  lengthOf(column) >= 4 * day && lengthOf(column) < 6 * day ? "day" : ticksOn(role, column);

const maxMinorDecades = 8;

/** Returns the ticks of a logarithmic axis: labels at powers of ten, at 1, 2, 5 and so on where it is short, and small ticks between. */
function logAxis({ values, span }: Column) {
  const [min, max] = span ?? extentOf(values);
  const tens = decades(min / 10, max * 10);
  const written = max / min > 1000 ? "1" : "125";
  const digits = tens.length > maxMinorDecades ? "1" : "123456789";
  const test = `indexof('${written}', format(datum.value, 'e')[0]) >= 0`;
  return {
    values: tens.flatMap(ten => [...digits].map(digit => round(Number(digit) * ten))),
    labelExpr: `${test} ? ${decadeLabels} : ''`,
    ...{ labelOverlap: false, ticks: true, domain: true },
    gridOpacity: { condition: { test, value: 1 }, value: 0 },
    tickSize: { condition: { test, value: 5 }, value: 3 },
  };
}

/** Colours of the series beyond the fourth come again, with other dashes and shapes. */
export const dashes = [
  [1, 0],
  [6, 3],
  [2, 2],
  [8, 3, 2, 3],
] as const;
export const shapes = ["circle", "square", "triangle-up", "diamond"] as const;

/** Names of lines have pieces of them next to them, which show the dashes. */
export const dashed = { symbolType: "stroke", symbolSize: 400, symbolStrokeWidth: 2 };

export const plainColor = ({ columns: { series } }: Plot) => (series ? {} : { color: palette[0] });

export function seriesChannels({ columns: { series } }: Plot, marks: "line" | "point" | "bar") {
  if (!series) return {};
  const domain = distinct(series);
  const turn = (index: number) => Math.floor(index / palette.length);
  const of = (range: readonly unknown[]) => ({ field: "series", type: "nominal", scale: { domain, range } });
  const { symbolType: _, ...shaped } = legend;
  const names = { ...{ bar: legend, line: { ...legend, ...dashed }, point: shaped }[marks], columns: 4 };
  const color = { ...of(domain.map((_, index) => palette[index % palette.length])), legend: names };
  if (marks === "point") {
    const shape = of(domain.map((_, index) => shapes[index % shapes.length]));
    return { color, shape: { ...shape, legend: names } };
  }
  if (domain.length <= palette.length) return { color };
  const told = of(domain.map((_, index) => (marks === "bar" ? 1 - 0.28 * turn(index) : dashes[turn(index)])));
  return { color, [marks === "bar" ? "opacity" : "strokeDash"]: { ...told, legend: names } };
}

export function tooltipOf({ columns }: Plot) {
  return Object.entries(columns).map(([role, column]) => ({
    field: role,
    type: typeOf(column),
    title: column.title,
  }));
}

export function intervalLayers({ columns: { y, low, xLow } }: Plot) {
  const look = { strokeWidth: 1.5 };
  const color = { value: inked };
  const at = (field: string, column: Column) => ({ field, type: typeOf(column) });
  return present([
    low && mark("rule", look, { y: at("low", low), y2: "high", color }),
    xLow && mark("rule", look, { x: at("xLow", xLow), x2: "xHigh", y: axisChannel("y", y!), color }),
  ]);
}

/** Colours from small to large, of even steps to the eye; where there are two signs, from blue over grey to orange. */
export function ramp({ values, scale, domain }: Column) {
  const [min, max] = domain ?? extentOf(values);
  const clamp = domain !== undefined;
  if (scale === "log") return { type: "log", domain: [min, max], clamp, scheme: "viridis" };
  if (min >= 0 || max <= 0) return { domain: [min, max], clamp, scheme: "viridis" };
  const reach = Math.max(-min, max);
  return { domain: [-reach, 0, reach], clamp, range: ["#0072B2", "#f0f0f0", "#C75000"], interpolate: "lab" };
}

/** Returns the expression of a legend's label. Vega rounds labels to steps, even those of the domain's ends. */
export function legendLabels({ values, domain }: Column): string {
  const [min, max] = domain ?? extentOf(values);
  const digits = Math.max(0, 2 - Math.floor(Math.log10(max - min || Math.abs(max) || 1)));
  return numberLabels(min, max, `format(datum.value, ',.${digits}~f')`);
}

/** Returns a channel of colours by {@link ramp}, its legend beside an area of a height. */
export const rampChannel = (field: string, column: Column, height: number) => ({
  ...{ field, type: "quantitative", scale: ramp(column) },
  legend: {
    ...{ title: column.title, orient: "right", gradientLength: Math.min(200, height) },
    ...(column.scale !== "log" && { labelExpr: legendLabels(column) }),
  },
});
