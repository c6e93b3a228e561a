import { drawPage } from "./page-drawing.ts";

/** The script of a page, which draws its charts live; Node requires the same file. */
export { renderSvg } from "./renderer.ts";

drawPage();
