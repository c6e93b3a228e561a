import { Session } from "node:inspector";
import { setTimeout as sleep } from "node:timers/promises";
import { SHARED } from "./channel.ts";

const STOP_AFTER = 100;
const TERMINATE_AFTER = 200;
const AGAIN_AFTER = 500;
const GIVE_UP_AFTER = 6_000;
const LOOK_INTERVAL = 20;

/**
 * Interrupts the thread that runs cells. One that hears of it does the rest itself; one that does not is computing,
 * and what it computes is terminated in the engine, until it hears. Resolves with whether it has heard.
 */
export async function interruptCells(shared: Int32Array, tell: () => void): Promise<boolean> {
  const heard = Atomics.load(shared, SHARED.heard);
  const started = performance.now();
  let next = TERMINATE_AFTER;
  let session: Session | undefined;
  tell();
  try {
    for (;;) {
      if (Atomics.load(shared, SHARED.heard) !== heard) return true;
      const waited = performance.now() - started;
      if (waited > GIVE_UP_AFTER) return false;
      if (waited > STOP_AFTER) Atomics.store(shared, SHARED.stopping, 1);
      if (waited > next) {
        next = waited + AGAIN_AFTER;
        session ??= connect();
        session.post("Runtime.terminateExecution");
      }
      await sleep(LOOK_INTERVAL);
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
