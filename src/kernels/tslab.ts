import { createRequire } from "node:module";
import { type DisplayMessage, displayMessage, type FrontEnd } from "./front-end.ts";

interface TslabGlobal {
  exports: Record<string, unknown>;
  require(id: string): unknown;
}

interface PublicDisplay {
  raw(mime: string, data: unknown): void;
}

type Send = (message: DisplayMessage, update: boolean) => void;

const SENDS_PER_TURN = 64;
/** tslab's socket silently drops messages sent faster than a front end reads them. */
const SEND_PAUSE_MS = 4;
const PUBLIC_PREFERENCE = ["image/png", "text/html", "text/plain"];

/** Returns the global that the tslab kernel gives to its cells, or undefined outside of one. */
export function tslabGlobal(): TslabGlobal | undefined {
  const tslab = (globalThis as { __tslab__?: Partial<TslabGlobal> }).__tslab__;
  return typeof tslab?.exports === "object" && typeof tslab.require === "function"
    ? (tslab as TslabGlobal)
    : undefined;
}

/** The front end of a running tslab kernel, or undefined outside of one. */
export function tslabFrontEnd(): FrontEnd | undefined {
  const tslab = tslabGlobal();
  if (!tslab) return undefined;
  const kernel = kernelModule();
  const send = kernel ? undefined : publicSend(tslab);
  if (!kernel && !send) return undefined;
  const enqueue = createSendQueue(SENDS_PER_TURN, SEND_PAUSE_MS);
  return {
    kind: "tslab",
    canUpdate: kernel !== undefined,
    display(bundle, options = {}) {
      const current = kernel?.lastWriteDisplayData ?? send;
      const message = displayMessage(bundle, options);
      enqueue(() => current?.(message, options.update ?? false));
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

function publicSend(tslab: TslabGlobal): Send | undefined {
  const display = publicDisplay(tslab);
  if (typeof display?.raw !== "function") return undefined;
  return ({ data }) => {
    const mime = PUBLIC_PREFERENCE.find(type => type in data);
    if (mime === undefined) return;
    display.raw(mime, mime === "image/png" ? Buffer.from(String(data[mime]), "base64") : data[mime]);
  };
}

function publicDisplay(tslab: TslabGlobal): PublicDisplay | undefined {
  try {
    return (tslab.require("tslab") as { display?: PublicDisplay }).display;
  } catch {
    return undefined;
  }
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
    setTimeout(nextTurn, pauseMs);
  }

  function nextTurn(): void {
    scheduled = false;
    left = perTurn;
    if (waiting.length > 0) drain();
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
