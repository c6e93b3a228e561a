import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { Interrupted } from "../errors/interrupted.ts";
import { takeStreams } from "../streams.ts";
import { openRuntime } from "./cell-runtime.ts";
import { openCells } from "./cells.ts";
import { type CellsMessage, MAX_ANSWER, type ServerData, type ServerMessage, SHARED } from "./channel.ts";
import { openEvaluator } from "./evaluator.ts";
import { openExecutions } from "./execution.ts";
import { endWithInput, followParent } from "./lifetime.ts";
import { openModules } from "./modules.ts";
import { openQuestions } from "./questions.ts";
import { guardTimers } from "./timers.ts";

/**
 * Ketbook's kernel. This thread runs cells and nothing else; the protocol, the compiler's types and all sockets are in
 * a thread of their own, which answers also while a cell computes.
 */
const { values: options } = parseArgs({
  options: {
    connection: { type: "string" },
    js: { type: "boolean", default: false },
    preload: { type: "boolean", default: false },
    tied: { type: "boolean", default: false },
  },
});

const MAX_QUEUED = 256;
const PATIENCE = 10_000;
const CLOSE_LIMIT = 500;
const ENTRY = new URL(
  import.meta.url.endsWith(".ts") ? "./server.ts" : "./kernel-server.js",
  import.meta.url,
);

if (options.tied) endWithInput();
followParent(() => process.exit(1));

const folder = process.cwd();
const shared = new Int32Array(new SharedArrayBuffer(SHARED.size * Int32Array.BYTES_PER_ELEMENT));
const answer = new Uint8Array(new SharedArrayBuffer(MAX_ANSWER));
const language = options.js ? "javascript" : "typescript";
const workerData: ServerData = {
  connection: JSON.parse(readFileSync(options.connection ?? "", "utf8")),
  folder,
  language,
  preload: options.preload,
  shared: shared.buffer as SharedArrayBuffer,
  answer: answer.buffer as SharedArrayBuffer,
};
const server = new Worker(ENTRY, { workerData, argv: process.argv.slice(2) });
server.on("error", error => {
  process.stderr.write(`The kernel's protocol failed: ${error.stack ?? error}\n`);
  process.exit(1);
});
const post = (message: CellsMessage) => server.postMessage(message);

const modules = openModules(folder);
Object.assign(globalThis, {
  require: modules.require,
  __filename: modules.meta.filename,
  __dirname: folder,
});
const runtime = openRuntime(modules);
const evaluator = openEvaluator(runtime.passage);
const cells = openCells(evaluator, runtime);
guardTimers(evaluator, () => Atomics.load(shared, SHARED.stopping) === 1);
const executions = openExecutions(cells, takeStreams(), publish, runs =>
  Atomics.store(shared, SHARED.running, Number(runs)),
);
const takeLine = openQuestions({ executions, shared, answer, post });
console.clear = () => executions.publish("clear_output", { wait: false });

/** Publishes a message; where the front end is slower than the cell, the cell waits. */
function publish(request: number, message: string, content: object): void {
  const queued = Atomics.add(shared, SHARED.queued, 1) + 1;
  post({ type: "publish", request, message, content });
  const deadline = performance.now() + PATIENCE;
  for (let left = queued; left > MAX_QUEUED && performance.now() < deadline; ) {
    Atomics.wait(shared, SHARED.queued, left, 100);
    left = Atomics.load(shared, SHARED.queued);
  }
}

server.on("message", (message: ServerMessage) => {
  switch (message.type) {
    case "execute":
      void executions.run(message).then(({ failure, expressions }) => {
        post({ type: "done", request: message.request, failure, expressions });
      });
      return;
    case "interrupt":
      Atomics.store(shared, SHARED.stopping, 0);
      Atomics.add(shared, SHARED.heard, 1);
      Atomics.notify(shared, SHARED.heard);
      return executions.interrupt();
    case "input":
      return takeLine(message.line);
    case "define-module":
      return modules.define(message.file, message.source);
    case "shutdown":
      process.exit(0);
  }
});

for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (thrown: unknown) => {
    // A part of a cell that nobody waits for ends with the rest of it.
    if (thrown instanceof Interrupted) return;
    const what = event === "uncaughtException" ? "Uncaught" : "Unhandled rejection:";
    process.stderr.write(`${what} ${cells.describe(thrown).traceback.join("\n")}\n`);
  });
}

/** A thread that listens, or is about to, when its process ends takes that down with a crash. */
process.on("exit", () => {
  Atomics.store(shared, SHARED.closing, 1);
  Atomics.notify(shared, SHARED.closing);
  Atomics.wait(shared, SHARED.closed, 0, CLOSE_LIMIT);
});
