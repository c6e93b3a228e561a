import { errorDomain } from "../../display/index.ts";
import { note, pixels } from "../channels.ts";
import { figureRoles, inked, neutral } from "../roles.ts";

const [min, max] = errorDomain;

/** Colours errors by the fixed ramp; {@link errorLegend} is its legend. */
export const errorColorChannel = {
  field: "shade",
  type: "quantitative",
  scale: {
    type: "log",
    domain: Array.from({ length: 9 }, (_, stop) => min * (max / min) ** (stop / 8)),
    range: figureRoles.error,
    interpolate: "rgb",
    clamp: true,
  },
  legend: null,
} as const;

/** Colours lines alike, by the share of the ramp. */
export const errorStrokeChannel = {
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

/** Shades of a power of ten: as many as are told apart, and few enough for a small picture. */
const shadesOfDecade = 8;

/** Adds to the error of a row its shade, to an eighth of a decade, its share of the ramp, and its words. */
export const errorShades = [
  {
    calculate: `isValid(datum.error) ? round(${shadesOfDecade} * log(clamp(datum.error, ${min}, ${max})) / LN10) / ${shadesOfDecade} : null`,
    as: "decade",
  },
  { calculate: "pow(10, datum.decade)", as: "shade" },
  {
    calculate: `isValid(datum.error) ? (datum.decade - ${Math.log10(min)}) / ${Math.log10(max / min)} : 0`,
    as: "share",
  },
  {
    calculate: "isValid(datum.error) ? format(datum.error * 100, '.2r') + ' %' : 'not calibrated'",
    as: "written",
  },
] as const;

export const errorTip = (title: string) => ({ field: "written", type: "nominal", title });

const [wedge, thick, slices] = [216, 11, 17];
const legendWidth = { wedge: wedge + 44, key: 124 } as const;

export interface ErrorKey {
  readonly mark: "circle" | "bar" | "dashes" | "square";
  readonly name: string;
  readonly note: string;
}

/** Draws the ramp of errors as a wedge, as pairs get thicker, with a key for each mark beside or below it. */
export function errorLegend(width: number, y: number, keys: readonly ErrorKey[]) {
  const wide = legendWidth.wedge + keys.length * legendWidth.key <= width + 60;
  const at = (x: number, dy: number) => ({ x: { value: x }, y: { value: y + dy } });
  const ticks = [0.001, 0.003, 0.01, 0.03, 0.1].map(error => ({
    x: (Math.log(error / min) / Math.log(max / min)) * wedge,
    label: `${Number((error * 100).toPrecision(1))}${error === max ? " %" : ""}`,
  }));
  const text = (words: string, x: number, dy: number, color: string) =>
    note(words, x, y + dy, { align: "left", fontSize: 11.5, color });
  const look = {
    fill: figureRoles.casing,
    fillOpacity: 0.35,
    stroke: figureRoles.casing,
    strokeWidth: 1,
    opacity: 1,
  };
  const marks = {
    circle: { type: "point", shape: "circle", size: 170, ...look },
    square: { type: "point", shape: "square", size: 130, ...look },
    bar: { type: "point", shape: "M-1,-0.32H1V0.32H-1Z", size: 300, ...look },
    dashes: { type: "point", shape: "M-1,0H1", size: 300, stroke: neutral, strokeDash: [3, 3], opacity: 1 },
  };
  return [
    {
      data: { sequence: { start: 0, stop: slices, as: "slice" } },
      transform: [
        { calculate: `datum.slice * ${wedge / slices}`, as: "x" },
        { calculate: `datum.x + ${wedge / slices + 0.4}`, as: "x2" },
        {
          calculate: `pow(10, datum.slice / ${shadesOfDecade}) * ${min}`,
          as: "shade",
        },
        { calculate: `1 + (datum.slice + 0.5) * ${thick / 2 / slices}`, as: "half" },
        { calculate: `${y} - datum.half`, as: "y" },
        { calculate: `${y} + datum.half`, as: "y2" },
      ],
      mark: { type: "rect", aria: false },
      encoding: {
        ...{ x: pixels("x"), x2: { field: "x2" }, y: pixels("y"), y2: { field: "y2" } },
        ...{ color: errorColorChannel, tooltip: { value: null } },
      },
    },
    {
      data: { values: [{}] },
      mark: {
        type: "point",
        shape: `M0,-1L${wedge},${-1 - thick / 2}V${1 + thick / 2}L0,1Z`,
        size: 4,
        fill: null,
        stroke: figureRoles.casing,
        strokeWidth: 0.8,
        opacity: 1,
        aria: false,
      },
      encoding: { ...at(0, 0), tooltip: { value: null } },
    },
    ...ticks.map(({ x, label }) => note(label, x, y + 18)),
    ...keys.flatMap(({ mark, name, note }, index) => {
      const x = wide ? legendWidth.wedge + index * legendWidth.key : index * legendWidth.key + 10;
      const dy = wide ? 0 : 46;
      return [
        { data: { values: [{}] }, mark: marks[mark], encoding: { ...at(x, dy), tooltip: { value: null } } },
        text(name, x + 16, dy, inked),
        ...(note === "" ? [] : [text(note, x + 16, dy + 17, neutral)]),
      ];
    }),
  ];
}
