import { inspect } from "node:util";
import type { TslabModules } from "./internals.ts";

/** Messages that wait for readers at most; one of program output holds up to 64 kB. */
const HIGH_WATER_MARK = 4096;
const PATIENCE = 10_000;
const PAUSE = 2;

/**
 * Makes tslab publish every message, however many in one turn: where readers are slower than the kernel, it waits
 * for them. Without, zeromq refuses more than 512 messages in a turn and drops what readers are too slow for.
 */
export function hookPublisher(zeromq: NonNullable<TslabModules["zeromq"]>): boolean {
  const { Publisher } = zeromq;
  if (typeof Publisher !== "function") return false;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  let stalled = false;
  zeromq.Publisher = class extends Publisher {
    constructor(options: object) {
      super({ ...options, sendTimeout: 0, sendHighWaterMark: HIGH_WATER_MARK, noDrop: true });
    }

    override async send(message: Parameters<typeof Publisher.prototype.send>[0]): Promise<void> {
      const deadline = performance.now() + (stalled ? 0 : PATIENCE);
      for (;;) {
        const sent = super.send(message);
        sent.catch(() => undefined);
        stalled = isRefused(sent);
        if (!stalled || performance.now() >= deadline) return;
        Atomics.wait(sleeper, 0, 0, PAUSE);
      }
    }
  };
  return true;
}

/** Whether a promise has been rejected by now: a send without time-out is settled when it returns. */
function isRefused(sent: Promise<void>): boolean {
  return inspect(sent, { depth: 0 }).startsWith("Promise { <rejected>");
}
