import type { LoggerInterface } from "vega";
import { drawFigure, legibleShare } from "./live-figure.ts";
import { browser, type PageElement } from "./page-elements.ts";
import { pageTooltip } from "./page-tooltip.ts";

/** Place of a chart's picture in a page; its specification comes next, as data of a script. */
const picture = "figure[data-chart]";

/** Charts are drawn when they are so near to what is seen. */
const margin = "400px";

/** Charts that have more live than in their picture: a slider. */
const larger = /"input":"range"/;

/** Whether a chart gets another height, with more in it or laid out anew: it is drawn before somebody scrolls to it. */
const changesHeight = (figure: PageElement) =>
  larger.test(figure.nextElementSibling?.textContent ?? "") ||
  Array.from(figure.querySelectorAll("img, svg")).some(
    still => Number(still.getAttribute("width")) * legibleShare > figure.clientWidth,
  );

/**
 * Draws the charts of a page over their still pictures as they come into sight. A picture stays where its chart can't be
 * drawn. Does nothing outside of a page.
 */
export function drawPage(logger: LoggerInterface): void {
  const { document } = browser;
  const figures = [...(document?.querySelectorAll?.(picture) ?? [])];
  if (!document || figures.length === 0) return;
  const tooltip = pageTooltip(document);
  const draw = async (figure: PageElement) => {
    const still = [...figure.querySelectorAll(":scope > *")];
    try {
      await drawFigure(figure, JSON.parse(figure.nextElementSibling?.textContent ?? ""), tooltip, logger);
    } catch {
      figure.replaceChildren(...still);
    }
  };
  const sight = new browser.IntersectionObserver(
    entries => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) {
          sight.unobserve(target);
          void draw(target);
        }
    },
    { rootMargin: margin },
  );
  for (const figure of figures)
    if (changesHeight(figure)) void draw(figure);
    else sight.observe(figure);
}
