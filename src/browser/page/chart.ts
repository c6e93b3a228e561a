import type { LoggerInterface } from "vega";
import { browser, drawFigure, type PageElement, pageTooltip } from "../../charts/vega/index.ts";

const logger = {
  level: () => logger,
  error: () => logger,
  warn: () => logger,
  info: () => logger,
  debug: () => logger,
} as unknown as LoggerInterface;
let tooltip: ReturnType<typeof pageTooltip> | undefined;

/** Faces that text is measured in before it is drawn. */
const faces = ["12px Inter", "600 12px Inter"];

/** Draws a Vega-Lite specification in an element, live: it reacts to pointer and keyboard. */
export async function drawChart(figure: HTMLElement, spec: object): Promise<void> {
  await Promise.allSettled(faces.map(face => document.fonts.load(face)));
  tooltip ??= pageTooltip(browser.document!);
  return drawFigure(figure as unknown as PageElement, spec, tooltip, logger);
}
