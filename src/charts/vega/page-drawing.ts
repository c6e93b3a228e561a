import { type LoggerInterface, parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import { closedLoader } from "./closed-loader.ts";
import { browser, type PageElement, type PageEvent, shrink } from "./page-elements.ts";
import { listenToKeys } from "./page-keyboard.ts";
import { pageTooltip } from "./page-tooltip.ts";

/** Where the picture of a chart stands in a page; its specification comes next, as data of a script. */
const picture = "figure[data-chart]";

/** Charts are drawn when they are so near to what is seen. */
const margin = "400px";

type Tooltip = ReturnType<typeof pageTooltip>;

/** Draws a chart over its still picture, which stays where the chart can't be drawn. */
function draw(figure: PageElement, tooltip: Tooltip, logger: LoggerInterface): void {
  const still = [...figure.querySelectorAll(":scope > *")];
  try {
    const { spec } = compile(JSON.parse(figure.nextElementSibling?.textContent ?? "") as TopLevelSpec, {
      logger,
    });
    figure.replaceChildren();
    const view = new View(parse(spec, undefined, { ast: true }), {
      renderer: "svg",
      expr: expressionInterpreter,
      loader: closedLoader,
      logger,
    });
    view
      .tooltip((_, event, __, value) => tooltip(value, event as unknown as PageEvent))
      .initialize(figure as never)
      .hover()
      .run();
    shrink(figure);
    listenToKeys(figure, tooltip);
  } catch {
    figure.replaceChildren(...still);
  }
}

/**
 * Draws the charts of a page over their still pictures as they come into sight, so that they answer to the pointer and
 * the keyboard. Expressions are interpreted, so that the page needs no right to make code. Does nothing outside of a page.
 */
export function drawPage(logger: LoggerInterface): void {
  const { document } = browser;
  const figures = [...(document?.querySelectorAll?.(picture) ?? [])];
  if (!document || figures.length === 0) return;
  const tooltip = pageTooltip(document);
  const sight = new browser.IntersectionObserver(
    entries => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) {
          sight.unobserve(target);
          draw(target, tooltip, logger);
        }
    },
    { rootMargin: margin },
  );
  for (const figure of figures) sight.observe(figure);
}
