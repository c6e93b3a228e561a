import { errorDomain, errorRamp } from "../../display/error-ramp.ts";
import { neutral } from "../../display/palette.ts";

const [least, most] = errorDomain;

/** Colours errors by the fixed ramp, with a legend that says which error has which colour. */
export const errorColorChannel = {
  field: "error",
  type: "quantitative",
  scale: {
    type: "log",
    domain: [least, Math.sqrt(least * most), most],
    range: errorRamp,
    interpolate: "rgb",
    clamp: true,
  },
  legend: {
    title: "error",
    type: "symbol",
    orient: "bottom",
    direction: "horizontal",
    symbolType: "circle",
    symbolSize: 90,
    symbolStrokeWidth: 0,
    values: [0.001, 0.003, 0.01, 0.03, 0.1],
    labelExpr:
      "(datum.value <= 0.001 ? '≤ ' : datum.value >= 0.1 ? '≥ ' : '') + format(datum.value * 100, '~g') + ' %'",
    labelColor: neutral,
    titleColor: neutral,
    labelFontSize: 11,
    titleFontSize: 11,
    titleFontWeight: 400,
    titleOrient: "left",
  },
} as const;

/** Writes the error of a row as text, for tooltips. */
export const errorWritten = {
  calculate: "isValid(datum.error) ? format(datum.error * 100, '.2r') + ' %' : 'not calibrated'",
  as: "written",
} as const;

/** The written error in a tooltip. */
export const errorTip = (title: string) => ({ field: "written", type: "nominal", title });
