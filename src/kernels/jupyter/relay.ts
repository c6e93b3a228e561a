import { execFile } from "node:child_process";
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { parentPort, workerData } from "node:worker_threads";
import { attempted } from "../../host/attempted.ts";
import type { RelayData } from "./cells-main.ts";
import {
  CELLS_FD,
  type CellsCommand,
  type CellsMessage,
  type ProcessMessage,
  type ServerMessage,
  SHARED,
} from "./channel.ts";
import type { Debugger } from "./debug/debugger.ts";
import { connectInspector, type Inspector } from "./debug/inspector.ts";
import { endGroup } from "./lifetime.ts";
import { openFraming } from "./wire.ts";

const STOP_DELAY_MS = 100;
const TERMINATE_DELAY_MS = 200;
const TERMINATE_INTERVAL_MS = 500;
const SIGNAL_DELAY_MS = 600;
const INTERRUPT_TIMEOUT_MS = 6_000;
const POLL_INTERVAL_MS = 20;
const KILL_DELAY_MS = 1500;

/**
 * The thread between the cells and the protocol's process: it passes messages on, interrupts cells that are busy, answers
 * their synchronous questions, and debugs them.
 */
const { shared, answer, language } = workerData as RelayData;
const encoder = new TextEncoder();
let debug: Debugger | undefined;
let beside: readonly number[] | undefined;
/** Interrupts that a cell waits for before it begins, and the beginning of the last cell, for which an interrupt waits. */
let interrupting: Promise<unknown> = Promise.resolve();
let begun: Promise<unknown> = interrupting;

const stream = new Socket({ fd: CELLS_FD, readable: true, writable: true });
const send = openFraming<ProcessMessage, ServerMessage>(stream, take);
const post = (message: CellsCommand) => parentPort?.postMessage(message);

stream.on("error", () => undefined).on("close", () => endGroup(process.pid));
parentPort?.on("message", (message: CellsMessage) => {
  if (message.type === "waits") beside = message.beside;
  else send(message);
});

function take(message: ServerMessage): void {
  switch (message.type) {
    case "answer":
      giveAnswer(message.line);
      return;
    case "sent":
      Atomics.sub(shared, SHARED.queued, 1);
      Atomics.notify(shared, SHARED.queued);
      return;
    case "interrupt":
      interrupting = Promise.all([interrupting, begun.then(interrupt)]);
      return;
    case "debug":
      return void debugged(message.id, message.content);
    case "shutdown":
      debug?.close();
      post(message);
      return;
    case "execute":
      begun = interrupting.then(() => {
        debug?.cellBegins();
        post(message);
      });
      return;
    default:
      post(message);
  }
}

function giveAnswer(line: string | undefined): void {
  const { written } = encoder.encodeInto(line ?? "", answer);
  Atomics.store(shared, SHARED.answerLength, written);
  Atomics.store(shared, SHARED.answered, line === undefined ? 2 : 1);
  Atomics.notify(shared, SHARED.answered);
}

async function interrupt(): Promise<void> {
  const heard = await (debug ? debug.without(interruptCells) : interruptCells());
  send({ type: "interrupted", heard });
}

async function debugged(id: number, content: Record<string, unknown>): Promise<void> {
  const { openDebugger } = await import("./debug/debugger.ts");
  debug ??= openDebugger({
    language,
    declare: name => send({ type: "declare", name }),
    publish: event => send({ type: "debug-event", content: event }),
  });
  send({ type: "debugged", id, content: await debug.answer(content) });
}

/**
 * Interrupts the thread that runs cells. One that hears of it does the rest itself; one that does not is busy in
 * synchronous code, which is terminated in the engine, until it hears. A child process that it waits for is ended, given
 * those `beside` it. Resolves with whether it has heard.
 */
async function interruptCells(): Promise<boolean> {
  const heard = Atomics.load(shared, SHARED.heard);
  const started = performance.now();
  let next = TERMINATE_DELAY_MS;
  let inspector: Inspector | undefined;
  post({ type: "interrupt" });
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
        if (beside) await endChildren(beside, waited > KILL_DELAY_MS ? "SIGKILL" : "SIGINT");
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
    // One that has ended can't be signalled.
    for (const pid of parents) attempted(() => process.kill(pid, signal));
  }
}
