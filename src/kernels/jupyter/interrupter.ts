import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { SHARED } from "./channel.ts";
import { connectInspector, type Inspector } from "./debug/inspector.ts";

const STOP_DELAY_MS = 100;
const TERMINATE_DELAY_MS = 200;
const TERMINATE_INTERVAL_MS = 500;
const SIGNAL_DELAY_MS = 600;
const INTERRUPT_TIMEOUT_MS = 6_000;
const POLL_INTERVAL_MS = 20;
const KILL_DELAY_MS = 1500;

/**
 * Interrupts the thread that runs cells. One that hears of it does the rest itself; one that does not is busy in
 * synchronous code, which is terminated in the engine, until it hears. A child process that it waits for is ended, given
 * those `beside` it. Resolves with whether it has heard.
 */
export async function interruptCells(
  shared: Int32Array,
  post: () => void,
  beside: () => readonly number[] | undefined,
): Promise<boolean> {
  const heard = Atomics.load(shared, SHARED.heard);
  const started = performance.now();
  let next = TERMINATE_DELAY_MS;
  let inspector: Inspector | undefined;
  post();
  try {
    for (;;) {
      if (Atomics.load(shared, SHARED.heard) !== heard) {
        // A thread that was merely slow to hear still terminates what it runs next: nothing, instead of the next cell.
        await inspector?.ask("Runtime.evaluate", { expression: "0" }).catch(() => undefined);
        Atomics.store(shared, SHARED.stopping, 0);
        return true;
      }
      const waited = performance.now() - started;
      if (waited > INTERRUPT_TIMEOUT_MS) return false;
      if (waited > STOP_DELAY_MS) Atomics.store(shared, SHARED.stopping, 1);
      if (waited > next) {
        next = waited + TERMINATE_INTERVAL_MS;
        inspector ??= connectInspector("cells");
        inspector.ask("Runtime.terminateExecution").catch(() => undefined);
        // Code that never checks for messages, such as a power of large integers, is ended by a script's watchdog. Elsewhere, Node
        // would keep a signal that comes as the script ends, and end a later one by it.
        const isWatched = Atomics.load(shared, SHARED.watched) === 1;
        if (isWatched && waited > SIGNAL_DELAY_MS) process.kill(process.pid, "SIGINT");
        const others = beside();
        if (others) await endChildren(others, waited > KILL_DELAY_MS ? "SIGKILL" : "SIGINT");
      }
      await sleep(POLL_INTERVAL_MS);
    }
  } finally {
    inspector?.close();
  }
}

/** Signals the children of this process, and theirs, except some. */
async function endChildren(except: readonly number[], signal: NodeJS.Signals): Promise<void> {
  const listing = promisify(execFile)("ps", ["-A", "-o", "pid=,ppid="]);
  const { stdout } = await listing.catch(() => ({ stdout: "" }));
  const all = stdout
    .trim()
    .split("\n")
    .map(line => line.trim().split(/\s+/).map(Number));
  const spared = [...except, listing.child.pid];
  for (let parents = [process.pid]; parents.length > 0; ) {
    const children = all.filter(([pid, parent]) => parents.includes(parent!) && !spared.includes(pid!));
    parents = children.map(([pid]) => pid!);
    for (const pid of parents) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended.
      }
    }
  }
}
