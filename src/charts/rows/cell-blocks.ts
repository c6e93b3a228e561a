import { formatCount } from "../../display/format.ts";
import { type Cell, type Column, distinct } from "./columns.ts";
import type { Plot } from "./plot.ts";

const maxCells = 10_000;
const maxSide = 100;

const log = ({ scale }: Column) => (scale === "log" ? Math.log : (value: number) => value);
const exp = ({ scale }: Column) => (scale === "log" ? Math.exp : (value: number) => value);

/** Ranges of an axis: which one a value is in, and where it is drawn. */
interface Blocks {
  count: number;
  indexOf(value: Cell): number;
  placeOf(index: number): Cell;
}

/**
 * Returns at most 100 ranges of an axis: of numbers at equal distances and of names those of as many neighbours, of
 * other numbers those of equal width.
 */
function blocksOf(column: Column): Blocks {
  const places = distinct(column);
  const size = Math.ceil(places.length / maxSide);
  const at = new Map(places.map((place, index) => [place, Math.floor(index / size)]));
  const byNeighbours = { count: Math.ceil(places.length / size), indexOf: (value: Cell) => at.get(value)! };
  if (size === 1 || column.scale === "category")
    return { ...byNeighbours, placeOf: index => places[index * size]! };
  const numbers = places.map(place => log(column)(Number(place)));
  const [first, last] = [numbers[0]!, numbers.at(-1)!];
  const step = (last - first) / (numbers.length - 1);
  const isEven = numbers.every((value, index) => Math.abs(value - first - index * step) < 0.01 * step);
  if (isEven)
    return { ...byNeighbours, placeOf: index => exp(column)(first + (index * size + (size - 1) / 2) * step) };
  const width = (last - first) / maxSide;
  return {
    count: maxSide,
    indexOf: value => Math.min(maxSide - 1, Math.floor((log(column)(Number(value)) - first) / width)),
    placeOf: index => exp(column)(first + (index + 0.5) * width),
  };
}

/**
 * Returns a plot of cells with at most 100 of them along each axis, each the mean of those in its ranges; one of at most
 * 10,000 cells stays as it is.
 */
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
  const valuesOf = (role: "x" | "y" | "color") => values.map(row => row[role]);
  return {
    ...plot,
    subtitle: [
      ...plot.subtitle,
      `${formatCount(plot.values.length, "rows")} as the means of ${columns.count} × ${rows.count} ranges`,
    ],
    columns: {
      x: { ...x, values: valuesOf("x") },
      y: { ...y, values: valuesOf("y") },
      color: { ...color, values: valuesOf("color") },
    },
    values,
  };
}
