import { type Loader, type LoggerInterface, parse, SVGStringRenderer, textMetrics, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { type TextStyle, textWidth } from "./metrics.ts";

declare module "vega" {
  /** Parts of Vega that its own types leave out. */
  export class SVGStringRenderer {
    constructor(loader: Loader);
    initialize(element: null, width: number, height: number, origin: [number, number], scale: number): this;
    background(color: string): this;
    render(scene: object): this;
    svg(): string;
  }
  export const textMetrics: { width(item: TextStyle, text: unknown): number };
}

type Padding = { left: number; right: number; top: number; bottom: number };

interface ViewLayout {
  _viewWidth: number;
  _viewHeight: number;
  _origin: [number, number];
}

textMetrics.width = textWidth;

/** Characters that no XML may have, such as control characters and `\uFFFF`. */
const notXml = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/**
 * Draws a Vega-Lite specification as SVG, at once. The specification stays as it is: Vega marks the data that it
 * draws, so it gets a copy. Throws when the specification can't be drawn.
 */
export function renderSvg(spec: object): string {
  const errors: unknown[] = [];
  const logger = listener(errors);
  const compiled = compile(structuredClone(spec) as TopLevelSpec, { logger }).spec;
  const view = new View(parse(compiled), { renderer: "none", loader: closedLoader, logger });
  try {
    view.run();
    if (errors.length > 0) throw errors[0] instanceof Error ? errors[0] : new Error(String(errors[0]));
    const { _viewWidth, _viewHeight, _origin } = view as unknown as ViewLayout;
    const { left, right, top, bottom } = view.padding() as Padding;
    return new SVGStringRenderer(closedLoader)
      .initialize(
        null,
        _viewWidth + left + right,
        _viewHeight + top + bottom,
        [left + _origin[0], top + _origin[1]],
        1,
      )
      .background(view.background())
      .render((view.scenegraph() as unknown as { root: object }).root)
      .svg()
      .replace(notXml, "\uFFFD");
  } finally {
    view.finalize();
  }
}

const refuse = () => Promise.reject(new Error("Charts hold their own data; nothing is loaded."));

/** Charts never read a file or the network, whatever a specification says. */
export const closedLoader = {
  ...{ options: {}, load: refuse, sanitize: refuse, http: refuse, file: refuse },
} as unknown as Loader;

/** Collects what Vega would print, so the first error can be thrown. */
export function listener(errors: unknown[]): LoggerInterface {
  const logger = {
    error: (...problem: unknown[]) => {
      errors.push(...problem);
      return logger;
    },
    ...Object.fromEntries(["level", "warn", "info", "debug"].map(name => [name, () => logger])),
  } as LoggerInterface;
  return logger;
}
