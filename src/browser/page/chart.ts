import { type LoggerInterface, parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import { closedLoader } from "../../charts/vega/closed-loader.ts";
import { browser, type PageElement, type PageEvent } from "../../charts/vega/page-elements.ts";
import { listenToKeys } from "../../charts/vega/page-keyboard.ts";
import { pageTooltip } from "../../charts/vega/page-tooltip.ts";

const logger = {
  level: () => logger,
  error: () => logger,
  warn: () => logger,
  info: () => logger,
  debug: () => logger,
} as unknown as LoggerInterface;
const MIN_SCALE = 0.65;
let tooltip: ReturnType<typeof pageTooltip> | undefined;

/** Draws a Vega-Lite specification in an element, so that it answers to the pointer and the keyboard. */
export async function drawChart(figure: HTMLElement, spec: object): Promise<void> {
  tooltip ??= pageTooltip(browser.document!);
  const show = tooltip;
  const { spec: compiled } = compile(structuredClone(spec) as TopLevelSpec, { logger });
  const view = new View(parse(compiled, undefined, { ast: true }), {
    renderer: "svg",
    expr: expressionInterpreter,
    loader: closedLoader,
    logger,
  });
  await view
    .tooltip((_, event, __, value) => show(value, event as unknown as PageEvent))
    .initialize(figure)
    .hover()
    .runAsync();
  shrink(figure);
  listenToKeys(figure as unknown as PageElement, show);
}

/**
 * Has a chart that is wider than its place shrink, as far as it can still be read; then it scrolls. One in which a range
 * is drawn with the pointer stays as it is, since Vega reads places in it by their pixels.
 */
function shrink(figure: HTMLElement): void {
  const svg = figure.querySelector("svg");
  if (!svg || figure.querySelector("[class*='_brush']")) return;
  svg.style.maxWidth = `max(100%, ${Math.round(MIN_SCALE * svg.width.baseVal.value)}px)`;
  svg.style.height = "auto";
}
