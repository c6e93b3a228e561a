import { drawFigure, pageTooltip } from "../../charts/vega/index.ts";

let tooltip: ReturnType<typeof pageTooltip> | undefined;

/** Faces that text is measured in before it is drawn. */
const faces = ["12px Inter", "600 12px Inter"];

/** Draws a Vega-Lite specification in an element, live: it reacts to pointer and keyboard. */
export async function drawChart(figure: HTMLElement, spec: object): Promise<void> {
  await Promise.allSettled(faces.map(face => document.fonts.load(face)));
  tooltip ??= pageTooltip();
  return drawFigure(figure, spec, tooltip);
}
