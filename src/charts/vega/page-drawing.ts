import { type LoggerInterface, parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { closedLoader } from "./closed-loader.ts";

/** The parts of a page's elements that drawing a chart needs. */
interface PageElement {
  textContent: string | null;
  replaceChildren(): void;
}
interface Page {
  querySelector(selectors: string): PageElement | null;
}

/** Where a page that `chart.toHTML()` wrote holds its specification, and where its picture stands. */
const specification = 'script[type="application/vnd.vegalite.v5+json"]';
const picture = "figure[data-chart]";

/** Draws the chart of a page over its still picture, so that it answers to the pointer. Does nothing outside of a page. */
export function drawPage(logger: LoggerInterface): void {
  const { document } = globalThis as { document?: Page };
  const source = document?.querySelector?.(specification)?.textContent;
  const figure = document?.querySelector?.(picture);
  if (!source || !figure) return;
  const { spec } = compile(JSON.parse(source) as TopLevelSpec, { logger });
  figure.replaceChildren();
  new View(parse(spec), { renderer: "svg", loader: closedLoader, logger })
    .initialize(figure as never)
    .hover()
    .run();
}
