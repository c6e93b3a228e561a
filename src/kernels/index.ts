export { plainText, within } from "./bundle.ts";
export { type Publish, runningKernel } from "./front-end.ts";
export { installRichDisplay } from "./last-expression.ts";
export { type Live, live } from "./live.ts";
export { show } from "./show.ts";
export { eraseLine, rewriteLine } from "./terminal.ts";
export { type Display, type DisplayHandle, display, tslab, writeOrDisplay } from "./values/display.ts";
export { openRuns } from "./values/show-value.ts";
