import { attempted } from "../host/attempted.ts";
import { displayMessage, type FrontEnd, runningKernel } from "./front-end.ts";
import { terminalFrontEnd, textFrontEnd } from "./terminal.ts";
import { tslabFrontEnd } from "./tslab.ts";

let detected: FrontEnd | undefined;

/** Finds out once where this process shows things. An unknown kernel counts as plain text. */
export function frontEnd(): FrontEnd {
  detected ??= ownFrontEnd() ?? tslabFrontEnd() ?? denoFrontEnd() ?? terminalFrontEnd() ?? textFrontEnd();
  return detected;
}

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

interface DenoJupyter {
  broadcast(type: "display_data" | "update_display_data", content: object): Promise<void>;
}

function denoFrontEnd(): FrontEnd | undefined {
  const jupyter = attempted(() => (globalThis as { Deno?: { jupyter?: DenoJupyter } }).Deno?.jupyter);
  if (typeof jupyter?.broadcast !== "function") return undefined;
  let sent = Promise.resolve();
  return {
    kind: "deno",
    canUpdate: true,
    display(bundle, options = {}) {
      const message = displayMessage(bundle, options);
      const type = options.update ? "update_display_data" : "display_data";
      sent = sent.then(() => jupyter.broadcast(type, message)).catch(() => undefined);
    },
  };
}
