import { textWidth } from "../vega/metrics.ts";
import { type Column, distinct, extentOf, onto, type Plot } from "./columns.ts";

const lineHeight = 13;
const gap = 7;

/** Pixels between the middle of a point and that of a label above or below it. */
const away = gap + lineHeight / 2 - 1;

/** The sides of a point on which its label is tried, in this order. */
export const labelPlaces = [
  { side: "right", look: { align: "left", dx: gap, dy: 0 } },
  { side: "left", look: { align: "right", dx: -gap, dy: 0 } },
  { side: "above", look: { align: "center", dx: 0, dy: -away } },
  { side: "below", look: { align: "center", dx: 0, dy: away } },
] as const;
const shares = { left: 0, center: 0.5, right: 1 };
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
  const at = (value: unknown) => onto(column)(Number(value));
  const ends = column.domain ?? column.span;
  const numbers = (ends ?? values).map(at);
  const [low, high] = extentOf(numbers);
  const [min, max] = !ends && column.scale === "linear" ? niceEnds(low, high) : [low, high];
  return values.map(value => ((at(value) - min) / (max - min || 1)) * pixels);
}

/** Returns the side of its point at which each label has room, over no label, point or edge; `null` where none. */
export function labelSides(plot: Plot): (Side | null)[] {
  const { columns, values } = plot;
  const { x, y, color } = columns as { x: Column; y: Column; color?: Column };
  const places = (role: "x" | "y") => values.map(row => row[role]);
  const xs = positions(x, places("x"), plot.width);
  const up = positions(y, places("y"), plot.height);
  const ys = up.map(above => (y.scale === "category" ? plot.height - above : above));
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
    const width = textWidth({}, label);
    const boxes = labelPlaces.map(({ side, look: { align, dx, dy } }) => {
      const [left, middle] = [xs[index]! + dx - shares[align] * width, ys[index]! - dy];
      const [top, bottom] = [middle - lineHeight / 2, middle + lineHeight / 2];
      return { side, box: { left, right: left + width, top, bottom } };
    });
    const isWithin = ({ left, right, top, bottom }: Box) =>
      left >= 0 && right <= plot.width && top >= -lineHeight / 2 && bottom <= plot.height + lineHeight / 2;
    const isBeyond = ({ side }: { side: Side }) => side === "right" && !color;
    const free = boxes.filter(({ box }) => isFree(box));
    const found = free.find(({ box }) => isWithin(box)) ?? free.find(isBeyond);
    if (found) taken.push(found.box);
    return found?.side ?? null;
  });
}
