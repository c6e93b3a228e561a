import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { MAX_ANSWER, type ServerData, type ServerMessage, SHARED } from "./channel.ts";
import { exitWithInput, exitWithParent } from "./lifetime.ts";

/**
 * Ketbook's kernel. This thread runs cells and nothing else; the protocol, the compiler's types and all sockets are in
 * a thread of their own, which also answers while a cell is busy in synchronous code.
 */
const { values: options } = parseArgs({
  options: {
    connection: { type: "string" },
    js: { type: "boolean", default: false },
    preload: { type: "boolean", default: false },
    "wait-for-types": { type: "boolean", default: false },
    "exit-with-parent": { type: "boolean", default: false },
  },
});

const CLOSE_TIMEOUT_MS = 500;
const ENTRY = new URL(
  import.meta.url.endsWith(".ts") ? "./server.ts" : "./kernel-server.js",
  import.meta.url,
);

if (options["exit-with-parent"]) exitWithInput();
exitWithParent(() => process.exit(1));

const folder = process.cwd();
const shared = new Int32Array(new SharedArrayBuffer(SHARED.size * Int32Array.BYTES_PER_ELEMENT));
const answer = new Uint8Array(new SharedArrayBuffer(MAX_ANSWER));
const language = options.js ? "javascript" : "typescript";
const workerData: ServerData = {
  connection: JSON.parse(readFileSync(options.connection ?? "", "utf8")),
  folder,
  language,
  preload: options.preload,
  waitForTypes: options["wait-for-types"],
  shared: shared.buffer as SharedArrayBuffer,
  answer: answer.buffer as SharedArrayBuffer,
};
/** The other thread starts while this one still loads what cells need. */
const server = new Worker(ENTRY, { workerData, argv: process.argv.slice(2) });
server.on("error", error => {
  process.stderr.write(`The kernel's protocol failed: ${error.stack ?? error}\n`);
  process.exit(1);
});
const early: ServerMessage[] = [];
let take = (message: ServerMessage): void => void early.push(message);
server.on("message", (message: ServerMessage) => take(message));

/** A thread that listens, or is about to, when its process ends takes that down with a crash. */
process.on("exit", () => {
  Atomics.store(shared, SHARED.closing, 1);
  Atomics.notify(shared, SHARED.closing);
  Atomics.wait(shared, SHARED.closed, 0, CLOSE_TIMEOUT_MS);
});

const { openCellsThread } = await import("./cells-thread.ts");
take = openCellsThread({ folder, shared, answer, post: message => server.postMessage(message) });
for (const message of early) take(message);
