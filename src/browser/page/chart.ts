import { type LoggerInterface, parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import { closedLoader } from "../../charts/vega/closed-loader.ts";
import { browser, type PageElement, type PageEvent, shrink } from "../../charts/vega/page-elements.ts";
import { listenToKeys } from "../../charts/vega/page-keyboard.ts";
import { pageTooltip } from "../../charts/vega/page-tooltip.ts";

const logger = {
  level: () => logger,
  error: () => logger,
  warn: () => logger,
  info: () => logger,
  debug: () => logger,
} as unknown as LoggerInterface;
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
  shrink(figure as unknown as PageElement);
  listenToKeys(figure as unknown as PageElement, show);
}
