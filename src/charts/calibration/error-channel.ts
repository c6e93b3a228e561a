import { errorDomain } from "../../display/error-ramp.ts";
import { figureRoles, neutral } from "../roles.ts";

const [min, max] = errorDomain;

/** Colours errors by the fixed ramp, with a continuous legend. */
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
  legend: {
    title: "error, %",
    type: "gradient",
    orient: "bottom",
    direction: "horizontal",
    gradientLength: 240,
    gradientThickness: 9,
    values: [0.001, 0.003, 0.01, 0.03, 0.1],
    labelExpr:
      "(datum.value <= 0.001 ? '≤ ' : datum.value >= 0.1 ? '≥ ' : '') + format(datum.value * 100, '~g')",
    labelColor: neutral,
    titleColor: neutral,
    titleOrient: "left",
  },
} as const;

/** Colours lines alike, by the share of the ramp; its legend is that of {@link errorColorChannel}. */
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

/** Colours numbers that stand on the colour of an error: black or white. */
export const errorInkChannel = {
  field: "share",
  type: "quantitative",
  scale: { type: "quantize", domain: [-1 / 32, 33 / 32], range: figureRoles.onError },
  legend: null,
} as const;

/** Shades of a power of ten: as many as are told apart, and few enough for a small picture. */
const shadesOfDecade = 8;

/**
 * From the error of a row: its shade, which is the error to the nearest eighth of a decade on the ramp; the share of
 * the ramp that it takes up; and the error in words, for tooltips.
 */
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

/** Returns the written error in a tooltip. */
export const errorTip = (title: string) => ({ field: "written", type: "nominal", title });
