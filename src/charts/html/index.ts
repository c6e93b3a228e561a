export { pageFonts } from "../embed-fonts.ts";
export { chartFigure, chartStyle, pagePolicy, pageScript } from "../page.ts";
