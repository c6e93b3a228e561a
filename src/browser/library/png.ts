import { KetbookError } from "../../client/errors.ts";

/** Whether pictures can be drawn here: front ends draw charts from their specifications. */
export const drawsPng = false;

/** Throws a `KetbookError`: what draws pictures is no part of the page. */
export function svgToPng(): never {
  throw new KetbookError('PNG is not drawn in a browser: save the chart as "chart.svg", or take toSVG().');
}
