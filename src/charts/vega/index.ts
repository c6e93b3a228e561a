export { browser, drawFigure, type PageElement, pageTooltip } from "./page-drawing.ts";

/** Loads what draws specifications as SVG, which has Vega in it. */
export const loadVega = (): Promise<typeof import("./renderer.ts")> => import("./renderer.ts");
