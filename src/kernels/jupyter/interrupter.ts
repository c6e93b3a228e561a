import { Session } from "node:inspector";
import { setTimeout as sleep } from "node:timers/promises";
import { SHARED } from "./channel.ts";

const STOP_DELAY_MS = 100;
const TERMINATE_DELAY_MS = 200;
const TERMINATE_INTERVAL_MS = 500;
const INTERRUPT_TIMEOUT_MS = 6_000;
const POLL_INTERVAL_MS = 20;

/**
 * Interrupts the thread that runs cells. One that hears of it does the rest itself; one that does not is busy in
 * synchronous code, which is terminated in the engine, until it hears. Resolves with whether it has heard.
 */
export async function interruptCells(shared: Int32Array, post: () => void): Promise<boolean> {
  const heard = Atomics.load(shared, SHARED.heard);
  const started = performance.now();
  let next = TERMINATE_DELAY_MS;
  let session: Session | undefined;
  post();
  try {
    for (;;) {
      if (Atomics.load(shared, SHARED.heard) !== heard) return true;
      const waited = performance.now() - started;
      if (waited > INTERRUPT_TIMEOUT_MS) return false;
      if (waited > STOP_DELAY_MS) Atomics.store(shared, SHARED.stopping, 1);
      if (waited > next) {
        next = waited + TERMINATE_INTERVAL_MS;
        session ??= connect();
        session.post("Runtime.terminateExecution");
      }
      await sleep(POLL_INTERVAL_MS);
    }
  } finally {
    session?.disconnect();
  }
}

function connect(): Session {
  const session = new Session();
  session.connectToMainThread();
  return session;
}
