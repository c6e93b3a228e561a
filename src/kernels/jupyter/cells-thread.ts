import { Readable } from "node:stream";
import { Interrupted } from "../errors/failure.ts";
import { LIBRARY } from "../library-name.ts";
import { isKernelFrame } from "../own-library.ts";
import { openCellRuns } from "../session/cell-runs.ts";
import { defineGlobal, openRuntime } from "../session/cell-runtime.ts";
import { openCells } from "../session/cells.ts";
import { display, tslab, writeOrDisplay } from "../values/display.ts";
import { openComms, openWidgets } from "../widgets.ts";
import { type CellsCommand, type CellsMessage, SHARED } from "./channel.ts";
import { containExit, guardTimers, guardWorkers, throwIfInterrupted } from "./containment.ts";
import { openDebugSupport } from "./debug/support.ts";
import { openEvaluator } from "./evaluator.ts";
import { type Executions, openExecutions } from "./execution.ts";
import { openModules } from "./modules.ts";
import { takeChildOutput, takeDescriptorOutput } from "./output.ts";
import { EMITTED_HELPER, oxc } from "./syntax.ts";

const MAX_QUEUED_MESSAGES = 256;
const BACKPRESSURE_TIMEOUT_MS = 10_000;

/** Makes this thread the one that runs cells. Returns the receiver of messages of the protocol's thread. */
export function openCellsThread(
  folder: string,
  shared: Int32Array,
  answer: Uint8Array,
  post: (message: CellsMessage) => void,
): (message: CellsCommand) => void {
  const modules = openModules(folder, { tslab });
  defineGlobal("require", modules.require);
  defineGlobal("__filename", modules.meta.filename);
  defineGlobal("__dirname", folder);
  defineGlobal("display", display);
  const runtime = openRuntime({ modules, throwIfInterrupted });
  const evaluator = openEvaluator(runtime.passage, watched =>
    Atomics.store(shared, SHARED.watched, Number(watched)),
  );
  process.on("SIGINT", () => undefined);
  const runs = openCellRuns({
    awaitedAt: runtime.placesOf,
    moduleAt: modules.at,
    isOfKernel: isKernelFrame,
  });
  const cells = openCells({ evaluator, syntax: oxc, runtime, runs });
  guardTimers(evaluator, () => Atomics.load(shared, SHARED.stopping) === 1);
  guardWorkers();
  const executions = openExecutions(cells, publish);
  runtime.debug = openDebugSupport(runs, {
    flush: executions.flush,
    bindings: () =>
      [...assigned().map(name => [name, name] as const), ...cells.bindings].filter(
        ([name]) => !/^__/.test(name) && !EMITTED_HELPER.test(name),
      ),
  });
  const { comms, take } = openComms(executions.publish);
  defineGlobal("comms", comms);
  defineGlobal("widgets", openWidgets(comms));
  const takeLine = openQuestions(executions, shared, answer, post);
  takeChildOutput(beside => post({ type: "waits", beside }));
  takeDescriptorOutput();
  containExit();
  console.clear = () => display.clear();
  const { log } = console;
  for (const name of ["log", "info", "debug"] as const)
    console[name] = (...values) => writeOrDisplay(log, values);

  /** Publishes a message; where the front end is slower than the cell, the cell waits. */
  function publish(request: number, message: string, content: object, metadata?: object): void {
    post({ type: "publish", request, message, content, metadata });
    // Counted once it is on its way, as an interrupt may end this function in between.
    const queued = Atomics.add(shared, SHARED.queued, 1) + 1;
    const deadline = performance.now() + BACKPRESSURE_TIMEOUT_MS;
    for (let left = queued; left > MAX_QUEUED_MESSAGES && performance.now() < deadline; ) {
      Atomics.wait(shared, SHARED.queued, left, 100);
      left = Atomics.load(shared, SHARED.queued);
    }
  }

  const own = new Set(Object.keys(globalThis));
  const assigned = () => Object.keys(globalThis).filter(name => !own.has(name));

  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (thrown: unknown) => {
      // A part of a cell that nobody waits for ends with the rest of it.
      if (thrown instanceof Interrupted) return;
      const what = event === "uncaughtException" ? "Uncaught" : "Unhandled rejection:";
      process.stderr.write(`${what} ${cells.describe(thrown).traceback.join("\n")}\n`);
    });
  }

  return message => {
    switch (message.type) {
      case "execute":
        void executions.run(message).then(({ failure, expressions }) => {
          post({ type: "done", request: message.request, failure, expressions, globals: assigned() });
        });
        return;
      case "comm":
        executions.respond(message.request, () => {
          evaluator.contain(() => take(message.message, message.content));
        });
        post({ type: "comm-done", request: message.request });
        return;
      case "interrupt":
        Atomics.store(shared, SHARED.stopping, 0);
        Atomics.add(shared, SHARED.heard, 1);
        Atomics.notify(shared, SHARED.heard);
        return executions.interrupt();
      case "input":
        return takeLine(message.line);
      case "expect-library":
        return void modules.import(LIBRARY).catch(() => undefined);
      case "define-module":
        return modules.define(message.file, message.source);
      case "shutdown":
        process.exit(0);
    }
  };
}

/**
 * Provides cells with `prompt`, `confirm` and `alert` as a page has them, and the lines of standard input, which the front
 * end asks the user for. Returns the receiver of the user's lines.
 */
function openQuestions(
  executions: Executions,
  shared: Int32Array,
  answer: Uint8Array,
  post: (message: CellsMessage) => void,
): (line: string) => void {
  function ask(prompt: string, sync: boolean): void {
    if (!executions.canAsk()) throw new Error("This front end or command cannot ask for input.");
    post({ type: "ask", request: executions.request(), prompt, sync });
  }

  function askNow(prompt: string): string {
    Atomics.store(shared, SHARED.answered, 0);
    ask(prompt, true);
    Atomics.wait(shared, SHARED.answered, 0);
    if (Atomics.load(shared, SHARED.answered) === 2) throw new Interrupted();
    const length = Atomics.load(shared, SHARED.answerLength);
    return new TextDecoder().decode(answer.slice(0, length));
  }

  defineGlobal(
    "prompt",
    (message = "", initial = "") => askNow(`${message} `.trimStart()) || initial || null,
  );
  defineGlobal("confirm", (message = "") => /^\s*y/i.test(askNow(`${message} [y/N] `.trimStart())));
  defineGlobal("alert", (message = "") => void askNow(`${message} [Enter] `.trimStart()));

  let wanted = false;
  Object.defineProperty(process, "stdin", { value: standardInput(), configurable: true });
  function standardInput(): NodeJS.ReadStream {
    const input = new Readable({
      read() {
        if (wanted) return;
        wanted = true;
        try {
          ask("", false);
        } catch (error) {
          wanted = false;
          this.destroy(error as Error);
        }
      },
    });
    Object.assign(input, { fd: 0, isTTY: false });
    return input as unknown as NodeJS.ReadStream;
  }
  return line => {
    wanted = false;
    (process.stdin as unknown as { push(chunk: string): boolean }).push(`${line}\n`);
  };
}
