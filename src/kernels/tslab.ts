import { createRequire } from "node:module";
import { type DisplayMessage, displayMessage, type FrontEnd } from "./front-end.ts";

interface TslabGlobal {
  exports: Record<string, unknown>;
  require(id: string): unknown;
}

type Send = (message: DisplayMessage, update: boolean) => void;

/** Returns the global that the tslab kernel gives to its cells, or undefined outside of one. */
export function tslabGlobal(): TslabGlobal | undefined {
  const tslab = (globalThis as { __tslab__?: Partial<TslabGlobal> }).__tslab__;
  return typeof tslab?.exports === "object" && typeof tslab.require === "function"
    ? (tslab as TslabGlobal)
    : undefined;
}

export function tslabFrontEnd(): FrontEnd | undefined {
  const module = tslabGlobal() && kernelModule();
  if (!module) return undefined;
  const kernel: { lastWriteDisplayData: Send } = module.exports;
  keepMessages(module);
  return {
    kind: "tslab",
    canUpdate: true,
    display(bundle, options = {}) {
      try {
        kernel.lastWriteDisplayData(displayMessage(bundle, options), options.update ?? false);
      } catch {
        // The kernel is ending.
      }
    },
  };
}

function kernelModule(): NodeJS.Module | undefined {
  const loaded = createRequire(import.meta.url).cache;
  for (const [path, module] of Object.entries(loaded)) {
    if (!/[\\/]tslab[\\/]dist[\\/]jupyter\.js$/.test(path)) continue;
    if (typeof module?.exports?.lastWriteDisplayData === "function") return module;
  }
  return undefined;
}

/**
 * Has tslab's socket send each message at once and keep those that a front end reads late. By default it sends the 513th
 * in the next turn, refuses the others of this turn and drops more than a thousand unread ones: also the message that
 * ends a cell, for which front ends then wait for ever. A message that isn't sent brings the socket here.
 */
function keepMessages(module: NodeJS.Module): void {
  const { prototype } = (module.require("zeromq") as typeof import("zeromq")).Publisher;
  const value = async function (this: object) {
    Object.assign(this, { sendTimeout: 0, sendHighWaterMark: 0 });
  };
  // Hides the inherited method.
  Object.defineProperty(prototype, "send", { configurable: true, value });
  try {
    module.exports.lastWriteDisplayData({}, false);
  } finally {
    Reflect.deleteProperty(prototype, "send");
  }
}
