import { createRequire } from "node:module";
import { type DisplayMessage, displayMessage, type FrontEnd } from "./front-end.ts";

interface TslabGlobal {
  exports: Record<string, unknown>;
  require(id: string): unknown;
}

type Send = (message: DisplayMessage, update: boolean) => void;

const SENDS_PER_TURN = 64;
/** tslab's socket silently drops messages sent faster than a front end reads them. */
const SEND_PAUSE_MS = 4;

/** Returns the global that the tslab kernel gives to its cells, or undefined outside of one. */
export function tslabGlobal(): TslabGlobal | undefined {
  const tslab = (globalThis as { __tslab__?: Partial<TslabGlobal> }).__tslab__;
  return typeof tslab?.exports === "object" && typeof tslab.require === "function"
    ? (tslab as TslabGlobal)
    : undefined;
}

export function tslabFrontEnd(): FrontEnd | undefined {
  const kernel = tslabGlobal() && kernelModule();
  if (!kernel) return undefined;
  const enqueue = createSendQueue(SENDS_PER_TURN, SEND_PAUSE_MS);
  return {
    kind: "tslab",
    canUpdate: true,
    display(bundle, options = {}) {
      const { lastWriteDisplayData } = kernel;
      const message = displayMessage(bundle, options);
      enqueue(() => lastWriteDisplayData(message, options.update ?? false));
    },
  };
}

function kernelModule(): { lastWriteDisplayData: Send } | undefined {
  const loaded = createRequire(import.meta.url).cache;
  for (const [path, module] of Object.entries(loaded)) {
    if (!/[\\/]tslab[\\/]dist[\\/]jupyter\.js$/.test(path)) continue;
    if (typeof module?.exports?.lastWriteDisplayData === "function") return module.exports;
  }
  return undefined;
}

/**
 * Spreads sends over turns of the event loop, in order. A kernel's socket takes some hundred sends and then none
 * until the next turn, when it says that it is busy by throwing; a send that meets this is tried again.
 */
export function createSendQueue(perTurn: number, pauseMs = 0): (send: () => void) => void {
  const waiting: (() => void)[] = [];
  let left = perTurn;
  let scheduled = false;

  function drain(): void {
    while (left > 0 && waiting.length > 0) {
      left -= 1;
      if (isBusy(waiting[0]!)) left = 0;
      else waiting.shift();
    }
    if (scheduled) return;
    scheduled = true;
    setTimeout(() => {
      scheduled = false;
      left = perTurn;
      if (waiting.length > 0) drain();
    }, pauseMs);
  }

  return send => {
    waiting.push(send);
    drain();
  };
}

function isBusy(send: () => void): boolean {
  try {
    send();
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EBUSY";
  }
}
