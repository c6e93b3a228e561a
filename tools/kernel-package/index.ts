export { type Display, type DisplayHandle, display } from "../../src/kernels/index.ts";
