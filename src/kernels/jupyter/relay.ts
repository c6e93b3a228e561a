import { Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
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
import { interruptCells } from "./interrupter.ts";
import { endGroup } from "./lifetime.ts";
import { openFraming } from "./wire.ts";

/**
 * The thread between the cells and the protocol's process: it passes messages on, interrupts cells that are busy, answers
 * their synchronous questions, and debugs them.
 */
const { shared, answer, language } = workerData as RelayData;
const encoder = new TextEncoder();
let debug: Debugger | undefined;
let beside: readonly number[] | undefined;
/** Interrupts that a cell waits for before it begins. */
let interrupting: Promise<unknown> = Promise.resolve();

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
      interrupting = Promise.all([interrupting, interrupt()]);
      return;
    case "debug":
      return void debugged(message.id, message.content);
    case "shutdown":
      debug?.close();
      post(message);
      return;
    case "execute":
      void interrupting.then(() => {
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
  const work = () =>
    interruptCells(
      shared,
      () => post({ type: "interrupt" }),
      () => beside,
    );
  const heard = await (debug ? debug.without(work) : work());
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
