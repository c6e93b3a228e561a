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

/** Draws a Vega-Lite specification in an element, so that it answers to the pointer and the keyboard. */
export function drawChart(figure: HTMLElement, spec: object): Promise<void> {
  tooltip ??= pageTooltip(browser.document!);
  return drawFigure(figure as unknown as PageElement, spec, tooltip, logger);
}
