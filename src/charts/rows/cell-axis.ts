import { formatCount } from "../../display/index.ts";
import { nameLabels, round } from "../channels.ts";
import { areAngles, formatAngle } from "../state/phase.ts";
import { textWidth } from "../vega/metrics.ts";
import { type Cell, type Column, distinct, from, onto, type Plot, placeLabels } from "./columns.ts";
import { axisChannel } from "./plot-channels.ts";

/** Positions of a heatmap's cells along an axis. */
export interface CellAxis {
  channels: { readonly [channel: string]: object };
  /** Members of a row that the channels need. */
  members(row: { readonly [role: string]: Cell }): object;
}

const fewCells = 8;

/** Places cells along an axis of `room` pixels: evenly spaced numbers on a scale unless `isBanded`, else labelled bands. */
export function cellAxis(
  role: "x" | "y",
  column: Column,
  { room, isBanded }: { room: number; isBanded: boolean },
): CellAxis {
  const places = distinct(column);
  const numbers = places.filter(place => typeof place === "number");
  const isNumbered = !isBanded && numbers.length > fewCells && column.scale !== "category";
  return isNumbered && areEven(numbers.map(onto(column)))
    ? numberAxis(role, column, numbers)
    : bandAxis(role, column, places, room);
}

const stepOf = (at: readonly number[]) => (at.at(-1)! - at[0]!) / (at.length - 1);

const areEven = (at: readonly number[]) =>
  at.every((value, index) => Math.abs(value - at[0]! - index * stepOf(at)) < 0.01 * stepOf(at));

function numberAxis(role: "x" | "y", column: Column, numbers: readonly number[]): CellAxis {
  const at = numbers.map(onto(column));
  const edge = (index: number) => round(from(column)(at[0]! + (index - 0.5) * stepOf(at)), 9);
  const index = new Map(numbers.map((value, place) => [value, place]));
  const span = column.domain ?? ([edge(0), edge(numbers.length)] as const);
  const { axis, scale, ...channel } = axisChannel(role, { ...column, span });
  return {
    channels: {
      [role]: {
        ...channel,
        field: `${role}From`,
        scale: { ...scale, domain: span, nice: false },
        axis: { ...axis, grid: false, domain: false },
      },
      [`${role}2`]: { field: `${role}To` },
    },
    members: row => {
      const place = index.get(row[role] as number)!;
      return { [`${role}From`]: edge(place), [`${role}To`]: edge(place + 1) };
    },
  };
}

const everies = [1, 2, 5, 10, 20, 25, 50, 100];

function bandAxis(role: "x" | "y", column: Column, places: readonly Cell[], room: number): CellAxis {
  const labels = labelsOf(column, places);
  const name = new Map(places.map((place, index) => [place, labels[index]!]));
  const step = room / Math.max(1, labels.length);
  const widest = labels.reduce((width, label) => Math.max(width, textWidth({}, label)), 0);
  const isCounted = labels.every(label => label.trim() !== "" && Number.isFinite(Number(label)));
  const isUpright = role === "x" && widest + 6 > step && !isCounted;
  const needed = role === "y" || isUpright ? 15 : widest + 6;
  const close = needed > step && isCounted ? Math.max(needed, 36) : needed;
  const every = everies.find(count => count * step >= close) ?? Math.ceil(close / step);
  const { title } = column;
  const isReversed = role === "y" && column.scale !== "category";
  return {
    channels: {
      [role]: {
        ...{ field: `${role}Place`, type: "nominal", sort: null },
        ...(column.isUntitled && { title }),
        scale: { domain: isReversed ? labels.toReversed() : labels, padding: 0 },
        axis: {
          ...(!column.isUntitled && { title }),
          ...{ labelAngle: isUpright ? -90 : 0, labelOverlap: false, labelLimit: 320, ...nameLabels },
          ...{ domain: false, grid: false },
          ...(every > 1 && { values: labels.filter((_, index) => index % every === 0) }),
        },
      },
    },
    members: row => ({ [`${role}Place`]: name.get(row[role]!) }),
  };
}

const fewDigits = 3;

const labelsOf = (column: Column, places: readonly Cell[]) =>
  column.scale === "linear" && areAngles(places)
    ? places.map(place => formatAngle(Number(place)))
    : placeLabels(column, places, fewDigits);

const maxCells = 10_000;
const maxSide = 100;

/** Returns at most 100 ranges of an axis: of neighbours, or of equal width where numbers are uneven. */
function blocksOf(column: Column) {
  const places = distinct(column);
  const size = Math.ceil(places.length / maxSide);
  const at = new Map(places.map((place, index) => [place, Math.floor(index / size)]));
  const byNeighbours = { count: Math.ceil(places.length / size), indexOf: (value: Cell) => at.get(value)! };
  if (size === 1 || column.scale === "category")
    return { ...byNeighbours, placeOf: (index: number) => places[index * size]! };
  const numbers = places.map(place => onto(column)(Number(place)));
  const [first, step] = [numbers[0]!, stepOf(numbers)];
  const placeAt = (steps: number) => from(column)(first + steps * step);
  if (areEven(numbers))
    return { ...byNeighbours, placeOf: (index: number) => placeAt(index * size + (size - 1) / 2) };
  const wide = (numbers.length - 1) / maxSide;
  return {
    count: maxSide,
    indexOf: (value: Cell) =>
      Math.min(maxSide - 1, Math.floor((onto(column)(Number(value)) - first) / (wide * step))),
    placeOf: (index: number) => placeAt((index + 0.5) * wide),
  };
}

/** Returns more than 10,000 cells as at most 100 by 100, each the mean of its range. */
export function averageCells(plot: Plot): Plot {
  const { x, y, color } = plot.columns as { x: Column; y: Column; color: Column };
  const [across, down] = [distinct(x).length, distinct(y).length];
  if (across * down <= maxCells || color.scale === "category") return plot;
  const [columns, rows] = [blocksOf(x), blocksOf(y)];
  const sums = new Map<number, { sum: number; count: number }>();
  for (const row of plot.values) {
    const key = columns.indexOf(row.x!) + columns.count * rows.indexOf(row.y!);
    const cell = sums.get(key) ?? { sum: 0, count: 0 };
    cell.sum += Number(row.color);
    cell.count++;
    sums.set(key, cell);
  }
  const values = [...sums]
    .sort(([one], [other]) => one - other)
    .map(([key, { sum, count }]) => ({
      x: columns.placeOf(key % columns.count),
      y: rows.placeOf(Math.floor(key / columns.count)),
      color: sum / count,
    }));
  return {
    ...plot,
    subtitle: [
      ...plot.subtitle,
      `${formatCount(plot.values.length, "rows")} as the means of ${columns.count} × ${rows.count} ranges`,
    ],
    columns: Object.fromEntries(
      (["x", "y", "color"] as const).map(role => [
        role,
        { ...plot.columns[role]!, values: values.map(row => row[role]) },
      ]),
    ),
    values,
  };
}
