import type { Frame } from "./grid.ts";
import {
  BOX,
  CHARACTER,
  circle,
  line,
  path,
  type Shape,
  TEXT,
  text,
  VERMILION,
  VIOLET,
} from "./svg-shapes.ts";
import { textWidth } from "./text-width.ts";

/** The width of a column in which a frame begins or ends. */
export const FRAME = 10;
/** The height of a frame's label. */
export const LANE = 15;
/** Distance between the edges of nested frames. */
export const INSET = 5;
const SIZE = 11;
/** Pixels of a bracket around a pass of a loop, at its corners. */
const HOOK = 7;

/** Where a frame is in a run of columns; an edge that is in another run is null. */
interface Extent {
  readonly from: number | null;
  readonly to: number | null;
  readonly left: number;
  readonly right: number;
}

const continued = (label: string): string => `… ${label}`;

/** Returns the room that a frame's label takes. */
export const frameLabelWidth = (label: string, isContinued = false): number =>
  textWidth(isContinued ? continued(label) : label) * CHARACTER * (SIZE / 12) + 4;

/** Draws a frame, or around one pass of a loop a bracket, or its part in a run of columns, which is open where the frame continues. */
export function drawFrame(
  frame: Frame,
  { from, to, left, right }: Extent,
  y: (row: number) => number,
): Shape[] {
  const above = y(frame.top) - BOX / 2 - 4 - (frame.topLevels - 1) * LANE;
  const below = y(frame.bottom) + BOX / 2 + 4 + (frame.bottomLevels - 1) * INSET;
  const hook = (x: number, aside: number) => ["M", x + aside, above, "H", x, "V", below, "H", x + aside];
  const edges = frame.isLoop
    ? path([...(from === null ? [] : hook(left, HOOK)), ...(to === null ? [] : hook(right, -HOOK))], VIOLET, {
        width: 1.6,
      })
    : path(
        [
          ...["M", left, above, "H", right],
          ...(to === null ? ["M", right, below] : ["V", below]),
          ...["H", left],
          ...(from === null ? [] : ["V", above]),
        ],
        VERMILION,
      );
  const isReadAbove = from !== null && frame.conditions.some(row => row < frame.top);
  const isLabelled = from !== null || to === null || frameLabelWidth(frame.label, true) < right - left;
  const label = text(
    left + (isReadAbove ? 4 : 0),
    above - SIZE / 2 - 1,
    isLabelled ? (from === null ? continued(frame.label) : frame.label) : "",
    TEXT,
    "start",
    SIZE,
  );
  if (from === null) return [edges, label];
  const dots = frame.conditions.flatMap(row => {
    const edge = row < frame.top ? above : Math.min(below, y(row));
    const color = frame.isLoop ? VIOLET : VERMILION;
    return [line(left, edge, left, y(row), color), circle(left, y(row), 3.2, color)];
  });
  return [...dots, edges, label];
}
