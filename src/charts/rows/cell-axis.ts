import { formatNumber } from "../../display/format.ts";
import { nameLabels, round } from "../channels.ts";
import { textWidth } from "../vega/metrics.ts";
import { type Cell, type Column, distinct } from "./columns.ts";
import { formatCell } from "./format-cell.ts";
import { axisChannel } from "./plot-channels.ts";

/** How the cells of a heatmap stand along an axis. */
export interface CellAxis {
  channels: { readonly [channel: string]: object };
  /** What a row must have for the channels. */
  members(row: { readonly [role: string]: Cell }): object;
}

const fewCells = 8;

/**
 * Places the cells of a heatmap along an axis: many numbers at equal distances on a scale of numbers, all else as
 * bands, each with its label.
 *
 * @param room - Pixels of the axis.
 * @param isBanded - Whether cells are bands in any case, since something stands in their middle.
 */
export function cellAxis(
  role: "x" | "y",
  column: Column,
  { room, isBanded }: { room: number; isBanded: boolean },
): CellAxis {
  const places = distinct(column);
  const numbers = places.filter(place => typeof place === "number");
  const isEven = !isBanded && numbers.length > fewCells && isEvenlySpaced(numbers, column.scale);
  return isEven ? numberAxis(role, column, numbers) : bandAxis(role, column, places, room);
}

const onScale = (value: number, { scale }: Pick<Column, "scale">) =>
  scale === "log" ? Math.log(value) : value;
const offScale = (value: number, { scale }: Pick<Column, "scale">) =>
  scale === "log" ? Math.exp(value) : value;

function isEvenlySpaced(numbers: readonly number[], scale: Column["scale"]): boolean {
  if (scale === "category") return false;
  const at = numbers.map(value => onScale(value, { scale }));
  const step = (at.at(-1)! - at[0]!) / (at.length - 1);
  return at.every((value, index) => Math.abs(value - at[0]! - index * step) < 0.01 * step);
}

function numberAxis(role: "x" | "y", column: Column, numbers: readonly number[]): CellAxis {
  const at = numbers.map(value => onScale(value, column));
  const half = (at.at(-1)! - at[0]!) / (at.length - 1) / 2;
  const edge = (index: number) => round(offScale(at[0]! + (2 * index - 1) * half, column), 9);
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

/** Of many places, every such one has a label. */
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
  return {
    channels: {
      [role]: {
        ...{ field: `${role}Place`, type: "nominal", sort: null },
        ...(column.isUntitled && { title }),
        scale: {
          domain: role === "y" && column.scale !== "category" ? labels.toReversed() : labels,
          padding: 0,
        },
        axis: {
          ...(!column.isUntitled && { title }),
          ...{
            labelAngle: isUpright ? -90 : 0,
            labelOverlap: false,
            ...nameLabels,
            labelLimit: 320,
            domain: false,
            grid: false,
          },
          ...(every > 1 && { values: labels.filter((_, index) => index % every === 0) }),
        },
      },
    },
    members: row => ({ [`${role}Place`]: name.get(row[role]!) }),
  };
}

const fewDigits = 3;
const manyDigits = 6;

/** Returns the labels of places: numbers with as few digits as tell them apart. */
function labelsOf(column: Column, places: readonly Cell[]): string[] {
  if (column.scale === "linear" || column.scale === "log")
    for (let digits = fewDigits; digits < manyDigits; digits++) {
      const labels = places.map(place => formatNumber(round(Number(place), digits)));
      if (new Set(labels).size === places.length) return labels;
    }
  const labels = places.map(place => formatCell(column, place));
  return new Set(labels).size === labels.length ? labels : places.map(String);
}
