import { denoFrontEnd } from "./deno.ts";
import type { FrontEnd } from "./front-end.ts";
import { terminalFrontEnd, textFrontEnd } from "./terminal.ts";
import { tslabFrontEnd } from "./tslab.ts";

let detected: FrontEnd | undefined;

/** Finds out once where this process shows things. An unknown kernel counts as plain text. */
export function frontEnd(): FrontEnd {
  detected ??= tslabFrontEnd() ?? denoFrontEnd() ?? terminalFrontEnd() ?? textFrontEnd();
  return detected;
}
