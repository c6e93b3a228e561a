import { Worker } from "node:worker_threads";
import type { Language } from "../cells/syntax.ts";
import { type CellsCommand, type CellsMessage, MAX_ANSWER, SHARED } from "./channel.ts";

/**
 * The process of the cells. This thread runs them and nothing else; the relay is its own thread, which also hears
 * the protocol's process while a cell is busy in synchronous code.
 */
const RELAY = new URL(import.meta.url.endsWith(".ts") ? "./relay.ts" : "./kernel-relay.js", import.meta.url);

export interface RelayData {
  shared: Int32Array;
  answer: Uint8Array;
  language: Language;
}

const shared = new Int32Array(new SharedArrayBuffer(SHARED.size * Int32Array.BYTES_PER_ELEMENT));
const answer = new Uint8Array(new SharedArrayBuffer(MAX_ANSWER));
const language = process.argv.includes("--js") ? "javascript" : "typescript";
/** The relay starts while this thread still loads what cells need. */
const relay = new Worker(RELAY, { workerData: { shared, answer, language } satisfies RelayData });
relay.on("error", error => {
  process.stderr.write(`The kernel's relay failed: ${error.stack ?? error}\n`);
  process.exit(1);
});
const early: CellsCommand[] = [];
let take = (message: CellsCommand): void => void early.push(message);
relay.on("message", (message: CellsCommand) => take(message));

const { openCellsThread } = await import("./cells-thread.ts");
take = openCellsThread(process.cwd(), shared, answer, (message: CellsMessage) => relay.postMessage(message));
for (const message of early) take(message);
