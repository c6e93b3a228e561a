export { type Display, type DisplayHandle, display } from "../../src/kernels/values/display.ts";
