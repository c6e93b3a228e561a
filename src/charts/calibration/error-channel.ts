import { errorDomain, present } from "../../display/index.ts";
import { inline, mark, note, notes, pixels, round, silent } from "../channels.ts";
import { figureRoles, inked, neutral } from "../roles.ts";

const [min, max] = errorDomain;

/** Colours rows by their share of the fixed ramp; {@link errorLegend} is its legend. */
export const errorColorChannel = {
  field: "share",
  type: "quantitative",
  scale: {
    domain: Array.from({ length: 9 }, (_, stop) => stop / 8),
    range: figureRoles.error,
    interpolate: "rgb",
  },
  legend: null,
} as const;

/** Colour of a number on the colour of an error: black or white. */
export const errorInkChannel = {
  field: "share",
  type: "quantitative",
  scale: { type: "quantize", domain: [-1 / 32, 33 / 32], range: figureRoles.onError },
  legend: null,
} as const;

/** Shades of the ramp: as many as are told apart, and few enough for a small picture. */
const shades = 16;

/** Adds to the error of a row its share of the ramp, as one of some shades, and its words. */
export const errorShades = [
  {
    calculate: `isValid(datum.error) ? round(${shades} * log(clamp(datum.error, ${min}, ${max}) / ${min}) / ${Math.log(max / min)}) / ${shades} : 0`,
    as: "share",
  },
  {
    calculate: "isValid(datum.error) ? format(datum.error * 100, '.2r') + ' %' : 'not calibrated'",
    as: "written",
  },
] as const;

export const errorTip = (title: string) => ({ field: "written", type: "nominal", title });

const [wedge, thick, slices] = [216, 11, shades + 1];
const legendWidth = { wedge: wedge + 44, key: 124 } as const;

export interface ErrorKey {
  readonly mark: "circle" | "bar" | "dashes" | "square";
  readonly name: string;
  readonly note: string;
}

const look = { fill: figureRoles.casing, fillOpacity: 0.35, stroke: figureRoles.casing, strokeWidth: 1 };
const keyMarks = {
  circle: { shape: "circle", size: 170, ...look },
  square: { shape: "square", size: 130, ...look },
  bar: { shape: "M-1,-0.32H1V0.32H-1Z", size: 300, ...look },
  dashes: { shape: "M-1,0H1", size: 300, stroke: neutral, strokeDash: [3, 3] },
};

/** Draws the ramp of errors as a wedge, as pairs get thicker, with a key for each mark beside or below it. */
export function errorLegend(width: number, y: number, keys: readonly ErrorKey[]) {
  const isWide = legendWidth.wedge + keys.length * legendWidth.key <= width + 60;
  const ticks = [0.001, 0.003, 0.01, 0.03, 0.1].map(error => ({
    x: round((Math.log(error / min) / Math.log(max / min)) * wedge),
    y: y + 18,
    text: `${Number((error * 100).toPrecision(1))}${error === max ? " %" : ""}`,
  }));
  const drawn = (look: object, x: number, y: number) =>
    mark("point", { opacity: 1, aria: false, ...look }, { x, y, ...silent }, inline());
  const words = { align: "left", fontSize: 11.5 };
  const outline = `M0,-1L${wedge},${-1 - thick / 2}V${1 + thick / 2}L0,1Z`;
  return present<object>([
    mark(
      "rect",
      { aria: false },
      { x: pixels("x"), x2: "x2", y: pixels("y"), y2: "y2", color: errorColorChannel, ...silent },
      {
        data: { sequence: { start: 0, stop: slices, as: "slice" } },
        transform: [
          { calculate: `datum.slice * ${wedge / slices}`, as: "x" },
          { calculate: `datum.x + ${wedge / slices + 0.4}`, as: "x2" },
          { calculate: `datum.slice / ${shades}`, as: "share" },
          { calculate: `1 + (datum.slice + 0.5) * ${thick / 2 / slices}`, as: "half" },
          { calculate: `${y} - datum.half`, as: "y" },
          { calculate: `${y} + datum.half`, as: "y2" },
        ],
      },
    ),
    drawn({ shape: outline, size: 4, fill: null, stroke: figureRoles.casing, strokeWidth: 0.8 }, 0, y),
    notes(ticks),
    ...keys.flatMap(({ mark, name, note: below }, index) => {
      const x = isWide ? legendWidth.wedge + index * legendWidth.key : index * legendWidth.key + 10;
      const top = isWide ? y : y + 46;
      return [
        drawn(keyMarks[mark], x, top),
        note(name, x + 16, top, { ...words, color: inked }),
        below !== "" && note(below, x + 16, top + 17, words),
      ];
    }),
  ]);
}
