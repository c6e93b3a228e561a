import { denoFrontEnd } from "./deno.ts";
import { displayMessage, type FrontEnd } from "./front-end.ts";
import { runningKernel } from "./running-kernel.ts";
import { terminalFrontEnd, textFrontEnd } from "./terminal.ts";
import { tslabFrontEnd } from "./tslab.ts";

let detected: FrontEnd | undefined;

/** Finds out once where this process shows things. An unknown kernel counts as plain text. */
export function frontEnd(): FrontEnd {
  detected ??= ownFrontEnd() ?? tslabFrontEnd() ?? denoFrontEnd() ?? terminalFrontEnd() ?? textFrontEnd();
  return detected;
}

/** The front end of Ketbook's own kernel, or undefined outside of it. */
function ownFrontEnd(): FrontEnd | undefined {
  const kernel = runningKernel();
  return (
    kernel && {
      kind: "ketbook",
      canUpdate: true,
      display: (bundle, options = {}) =>
        kernel.display(displayMessage(bundle, options), options.update ?? false),
    }
  );
}
