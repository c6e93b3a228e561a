import { textWidth } from "../vega/metrics.ts";
import { type Column, distinct } from "./columns.ts";
import type { Plot } from "./plot.ts";

const lineHeight = 13;
const gap = 7;
const radius = 4;
/** Side of the squares by which boxes are looked up. */
const bucket = 64;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Returns where the values of a column lie along an axis of so many pixels. */
function positions(column: Column, values: readonly unknown[], pixels: number): number[] {
  if (column.scale === "category") {
    const places = distinct(column);
    return values.map(value => ((places.indexOf(value as string) + 0.5) / places.length) * pixels);
  }
  const at = (value: unknown) => (column.scale === "log" ? Math.log(Number(value)) : Number(value));
  const numbers = (column.domain ?? column.span ?? values).map(at);
  const min = numbers.reduce((low, value) => Math.min(low, value), Infinity);
  const max = numbers.reduce((high, value) => Math.max(high, value), -Infinity);
  return values.map(value => ((at(value) - min) / (max - min || 1)) * pixels);
}

/**
 * Returns which rows of a plot have room for the label to the right of their point: the first ones, as long as no label
 * lies over another one, or over a point.
 */
export function labelsWithRoom({ columns: { x, y }, values, width, height }: Plot): boolean[] {
  const xs = positions(
    x!,
    values.map(row => row.x),
    width,
  );
  const ys = positions(
    y!,
    values.map(row => row.y),
    height,
  );
  const taken = new Map<string, Box[]>();
  const buckets = ({ left, right, top, bottom }: Box) => {
    const keys: string[] = [];
    for (let column = Math.floor(left / bucket); column <= Math.floor(right / bucket); column++)
      for (let row = Math.floor(top / bucket); row <= Math.floor(bottom / bucket); row++)
        keys.push(`${column} ${row}`);
    return keys;
  };
  const take = (box: Box) => {
    for (const key of buckets(box)) taken.set(key, [...(taken.get(key) ?? []), box]);
  };
  const isFree = (box: Box) =>
    buckets(box).every(key =>
      (taken.get(key) ?? []).every(
        other =>
          other.right <= box.left ||
          other.left >= box.right ||
          other.bottom <= box.top ||
          other.top >= box.bottom,
      ),
    );
  for (const [index, left] of xs.entries()) {
    const top = ys[index]!;
    take({ left: left - radius, right: left + radius, top: top - radius, bottom: top + radius });
  }
  return values.map(({ label }, index) => {
    if (label === null || label === undefined) return false;
    const [left, middle] = [xs[index]! + gap, ys[index]!];
    const box = {
      left,
      right: left + textWidth({}, label),
      top: middle - lineHeight / 2,
      bottom: middle + lineHeight / 2,
    };
    if (!isFree(box)) return false;
    take(box);
    return true;
  });
}
