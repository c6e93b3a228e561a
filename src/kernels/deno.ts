import { displayMessage, type FrontEnd } from "./front-end.ts";

interface DenoJupyter {
  broadcast(type: "display_data" | "update_display_data", content: object): Promise<void>;
}

/** The front end of a running Deno kernel, or undefined outside of one. */
export function denoFrontEnd(): FrontEnd | undefined {
  const jupyter = denoJupyter();
  if (!jupyter) return undefined;
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

function denoJupyter(): DenoJupyter | undefined {
  try {
    const jupyter = (globalThis as { Deno?: { jupyter?: DenoJupyter } }).Deno?.jupyter;
    return typeof jupyter?.broadcast === "function" ? jupyter : undefined;
  } catch {
    return undefined;
  }
}
