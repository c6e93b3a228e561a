import { type LoggerInterface, parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import { closedLoader } from "./closed-loader.ts";
import { narrowed } from "./narrowed.ts";
import type { PageElement, PageEvent } from "./page-elements.ts";
import { listenToKeys } from "./page-keyboard.ts";
import type { pageTooltip } from "./page-tooltip.ts";

/** How often a chart is laid out anew to fit its place. */
const maxRounds = 4;
/** Pixels of a place below which a chart is drawn as it says itself for narrow pages. */
const narrowRoom = 600;
/** A chart that is smaller by no more than this is legible, and is only scaled. */
export const legibleShare = 0.8;

/**
 * Draws a Vega-Lite specification in an element of a page, where it answers to the pointer and the keyboard. A chart that is
 * wider than its place is laid out anew. Expressions are interpreted, since the page has no right to make code.
 */
export async function drawFigure(
  figure: PageElement,
  given: object,
  tooltip: ReturnType<typeof pageTooltip>,
  logger: LoggerInterface,
): Promise<void> {
  const room = figure.clientWidth;
  let spec = given as { [member: string]: unknown };
  const { narrow } = Object(spec.usermeta) as { narrow?: object };
  if (narrow && room < narrowRoom) spec = { ...spec, ...narrow };
  for (let round = 1; ; round++) {
    const compiled = compile(structuredClone(spec) as unknown as TopLevelSpec, { logger }).spec;
    figure.replaceChildren();
    const view = new View(parse(compiled, undefined, { ast: true }), {
      ...{ renderer: "svg", expr: expressionInterpreter, loader: closedLoader, logger },
    });
    await view
      .tooltip((_, event, __, value) => {
        if (event) tooltip(value, event as unknown as PageEvent);
      })
      .initialize(figure as never)
      .hover()
      .runAsync();
    const [svg] = figure.querySelectorAll("svg");
    const width = Number(svg?.getAttribute("width"));
    const next = room < width * legibleShare && round < maxRounds ? narrowed(spec, room, width) : spec;
    if (next === spec) break;
    view.finalize();
    spec = next;
  }
  listenToKeys(figure, tooltip);
}
