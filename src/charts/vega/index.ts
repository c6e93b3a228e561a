export { browser, drawFigure, type PageElement, pageTooltip } from "./page-drawing.ts";
