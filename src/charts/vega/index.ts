export { drawFigure, pageTooltip } from "./page-drawing.ts";
