import { textWidth } from "../vega/metrics.ts";
import { type Column, distinct, type Plot } from "./columns.ts";

const lineHeight = 13;
const gap = 7;

/** The sides of a point on which its label is tried, in this order. */
export const labelPlaces = [
  { side: "right", mark: { align: "left", dx: gap } },
  { side: "left", mark: { align: "right", dx: -gap } },
  { side: "above", mark: { align: "center", dy: -gap - lineHeight / 2 + 1 } },
  { side: "below", mark: { align: "center", dy: gap + lineHeight / 2 - 1 } },
] as const;
type Side = (typeof labelPlaces)[number]["side"];
const radius = 4;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Returns the ends of a linear axis around values: whole steps of 1, 2 or 5 times a power of ten, about ten of them. */
function niceEnds(low: number, high: number): [number, number] {
  if (!(high > low)) return [low, high];
  const rough = (high - low) / 10;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const share = rough / ten;
  const step =
    ten * (share >= Math.sqrt(50) ? 10 : share >= Math.sqrt(10) ? 5 : share >= Math.sqrt(2) ? 2 : 1);
  return [Math.floor(low / step) * step, Math.ceil(high / step) * step];
}

/** Returns where the values of a column lie along an axis of the given number of pixels. */
export function positions(column: Column, values: readonly unknown[], pixels: number): number[] {
  if (column.scale === "category") {
    const places = distinct(column);
    return values.map(value => ((places.indexOf(value as string) + 0.5) / places.length) * pixels);
  }
  const at = (value: unknown) => (column.scale === "log" ? Math.log(Number(value)) : Number(value));
  const ends = column.domain ?? column.span;
  const numbers = (ends ?? values).map(at);
  const low = numbers.reduce((low, value) => Math.min(low, value), Infinity);
  const high = numbers.reduce((high, value) => Math.max(high, value), -Infinity);
  const [min, max] = !ends && column.scale === "linear" ? niceEnds(low, high) : [low, high];
  return values.map(value => ((at(value) - min) / (max - min || 1)) * pixels);
}

function boxAt(side: Side, [x, y]: readonly [number, number], width: number): Box {
  const left = { right: x + gap, left: x - gap - width, above: x - width / 2, below: x - width / 2 }[side];
  const middle = {
    right: y,
    left: y,
    above: y + gap + lineHeight / 2 - 1,
    below: y - gap - lineHeight / 2 + 1,
  }[side];
  return { left, right: left + width, top: middle - lineHeight / 2, bottom: middle + lineHeight / 2 };
}

/** Returns the side of its point at which each label has room, over no label, point or edge; `null` where none. */
export function labelSides({ columns: { x, y, color }, values, width, height }: Plot): (Side | null)[] {
  const xs = positions(
    x!,
    values.map(row => row.x),
    width,
  );
  const ys = positions(
    y!,
    values.map(row => row.y),
    height,
  ).map(above => (y!.scale === "category" ? height - above : above));
  const taken = xs.map((x, index): Box => {
    const y = ys[index]!;
    return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius };
  });
  const isFree = ({ left, right, top, bottom }: Box) =>
    taken.every(
      other => other.right <= left || other.left >= right || other.bottom <= top || other.top >= bottom,
    );
  return values.map(({ label }, index) => {
    if (label === null || label === undefined) return null;
    const boxes = labelPlaces.map(({ side }) => ({
      side,
      box: boxAt(side, [xs[index]!, ys[index]!], textWidth({}, label)),
    }));
    const isWithin = ({ left, right, top, bottom }: Box) =>
      left >= 0 && right <= width && top >= -lineHeight / 2 && bottom <= height + lineHeight / 2;
    const isBeyond = ({ side }: { side: Side }) => side === "right" && !color;
    const free = boxes.filter(({ box }) => isFree(box));
    const found = free.find(({ box }) => isWithin(box)) ?? free.find(isBeyond);
    if (found) taken.push(found.box);
    return found?.side ?? null;
  });
}
