import { decadeLabels, decades, gridColor, legend, nameLabels, powerOfTen, round } from "../channels.ts";
import { inked, neutral, series as palette } from "../roles.ts";
import { type Column, distinct } from "./columns.ts";
import type { Plot } from "./plot.ts";

const types = { linear: "quantitative", log: "quantitative", time: "temporal", category: "nominal" } as const;

/** Returns the type of a column's values in a specification. */
export const typeOf = ({ scale }: Column) => types[scale];

/** Returns a channel of positions along an axis. */
export function axisChannel(role: string, column: Column, { zero = false }: { zero?: boolean } = {}) {
  const { title, scale, isUntitled } = column;
  const domain = column.domain ?? column.span;
  const named = isUntitled ? { title } : {};
  const heading = isUntitled ? {} : { title };
  if (scale === "category")
    return {
      field: role,
      type: "nominal",
      sort: null,
      ...named,
      scale: { domain: distinct(column) },
      axis: { ...heading, labelAngle: 0, ...nameLabels },
    };
  return {
    field: role,
    type: typeOf(column),
    ...named,
    scale: {
      ...(scale === "time" ? { type: "utc" } : { type: scale, ...(scale === "linear" && { zero }) }),
      ...(domain ? { domain, nice: false } : {}),
    },
    axis: {
      ...heading,
      labelSeparation: 6,
      ...(scale === "log"
        ? logAxis(column)
        : (linearTicks(role, column) ?? { tickCount: role === "y" ? 6 : 8 })),
      ...(scale === "time" && { format: momentFormat(column) }),
    },
  };
}

const near = (value: number) => Math.abs(value - Math.round(value)) < 1e-9;
/** The width of an angle's ticks in quarters of π, for axes of at most eight. */
const quarters = [1, 2, 4, 8, 16];

/**
 * Returns the ticks of a linear axis where plain numbers do not suit it: fractions of π from one quarter turn to another, a
 * power of ten for very small and large numbers, and the line at 0 of signed ones.
 */
function linearTicks(role: string, column: Column) {
  if (column.scale !== "linear") return undefined;
  const [min, max] = column.domain ?? column.span ?? extentOf(column.values);
  const [from, to] = [min / Math.PI, max / Math.PI].map(turns => turns * 4) as [number, number];
  const step = quarters.find(width => (to - from) / width <= 8);
  if (role === "x" && near(from) && near(to) && to > from && step !== undefined) {
    const first = Math.ceil(Math.round(from) / step);
    const places = Array.from(
      { length: Math.floor(Math.round(to) / step) - first + 1 },
      (_, i) => (first + i) * step,
    );
    const labels = JSON.stringify(places.map(quarterLabel));
    return {
      values: places.map(place => (place * Math.PI) / 4),
      labelExpr: `${labels}[round(datum.value / PI * 4 / ${step}) - ${first}]`,
    };
  }
  if (min === max) return { values: [min], format: "~g" };
  const size = Math.max(Math.abs(min), Math.abs(max));
  const isSigned = min < 0 && max > 0;
  return {
    tickCount: role === "y" ? 6 : 8,
    ...(isSigned &&
      role === "y" && {
        gridColor: { condition: { test: "datum.value === 0", value: neutral }, value: gridColor },
      }),
    ...(size > 0 &&
      (size < 1e-4 || size >= 1e7) && {
        labelExpr: powerLabels(Math.floor(Math.log10(size))),
      }),
  };
}

/** Writes quarters of π: `0`, `π/4`, `−3π/2`, `2π`. */
function quarterLabel(place: number): string {
  if (place === 0) return "0";
  const of = place % 4 === 0 ? 1 : place % 2 === 0 ? 2 : 4;
  const count = (Math.abs(place) * of) / 4;
  return `${place < 0 ? "−" : ""}${count === 1 ? "" : count}π${of === 1 ? "" : `/${of}`}`;
}

/** Returns the expression of a label in units of a power of ten: `2.5 × 10⁻⁹`. */
const powerLabels = (exponent: number) =>
  `datum.value == 0 ? '0' : format(datum.value / ${10 ** exponent}, '~g') + ' × ${powerOfTen(exponent)}'`;

const day = 86_400_000;
/** How moments are written along an axis that is shorter than so many milliseconds. */
const momentFormats: readonly [span: number, format: string][] = [
  [4000, "%H:%M:%S.%L"],
  [day / 240, "%H:%M:%S"],
  [day, "%H:%M"],
  [4 * day, "%b %-d, %H:%M"],
  [240 * day, "%b %-d"],
  [2400 * day, "%b %Y"],
];

/** Returns how moments are written along an axis: as much of them as tells its ticks apart, with the month where there are days. */
function momentFormat({ values, domain, span }: Column): string {
  const [from, to] = domain ?? span ?? extentOf(values);
  return momentFormats.find(([below]) => to - from < below)?.[1] ?? "%Y";
}

/** Returns the smallest and the largest number of a column. */
export function extentOf(values: Column["values"]): [number, number] {
  const numbers = values.filter(value => typeof value === "number");
  const min = numbers.reduce((low, value) => Math.min(low, value), Infinity);
  return [min, numbers.reduce((high, value) => Math.max(high, value), -Infinity)];
}

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
    ...{
      labelOverlap: false,
      ticks: true,
      domain: true,
      gridOpacity: { condition: { test, value: 1 }, value: 0 },
    },
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
const shapes = ["circle", "square", "triangle-up", "diamond"] as const;

/** Names of lines stand beside pieces of them, so that dashes are seen. */
export const dashed = { symbolType: "stroke", symbolSize: 400, symbolStrokeWidth: 2 };

/** Returns the colour of marks that no series tells apart. */
export const plainColor = ({ columns: { series } }: Plot) => (series ? {} : { color: palette[0] });

/** Returns the channels that tell series apart. */
export function seriesChannels({ columns: { series } }: Plot, marks: "line" | "point" | "bar") {
  if (!series) return {};
  const domain = distinct(series);
  const turn = (index: number) => Math.floor(index / palette.length);
  const of = (range: readonly unknown[]) => ({
    field: "series",
    type: "nominal",
    scale: { domain, range },
  });
  const { symbolType: _, ...shaped } = legend;
  const names = { ...{ bar: legend, line: { ...legend, ...dashed }, point: shaped }[marks], columns: 4 };
  const color = { ...of(domain.map((_, index) => palette[index % palette.length])), legend: names };
  if (domain.length <= palette.length) return { color };
  if (marks === "bar")
    return {
      color,
      opacity: { ...of(domain.map((_, index) => 1 - 0.28 * turn(index))), legend: names },
    };
  const second =
    marks === "line"
      ? of(domain.map((_, index) => dashes[turn(index)]))
      : of(domain.map((_, index) => shapes[turn(index)]));
  return { color, [marks === "line" ? "strokeDash" : "shape"]: { ...second, legend: names } };
}

/** Returns what a tooltip says of a row. */
export function tooltipOf({ columns }: Plot) {
  return Object.entries(columns).map(([role, column]) => ({
    field: role,
    type: typeOf(column),
    title: column.title,
  }));
}

/** Returns marks of the intervals of rows: a rule with a cap at each end. */
export function intervalLayers({ columns: { low, high } }: Plot, encoding: object = {}) {
  if (!low || !high) return [];
  const color = { value: inked };
  return [
    {
      mark: { type: "rule", strokeWidth: 1.25 },
      encoding: { ...encoding, y: { field: "low", type: "quantitative" }, y2: { field: "high" }, color },
    },
    ...["low", "high"].map(end => ({
      mark: { type: "tick", orient: "horizontal", size: 7, thickness: 1.25, opacity: 1 },
      encoding: { ...encoding, y: { field: end, type: "quantitative" }, color },
    })),
  ];
}
