import { setImmediate } from "node:timers/promises";
import type { Failure } from "../errors/failure.ts";
import { programOf } from "../program-cell.ts";
import { announceKernel } from "../running-kernel.ts";
import type { Publish, Streams } from "../streams.ts";
import { soon } from "../values/settled.ts";
import { showValue } from "../values/show-value.ts";
import type { Evaluation, Outcome } from "./evaluation.ts";
import type { KernelMessage, KernelServer, TslabModules } from "./internals.ts";
import type { Interrupts } from "./interrupts.ts";

/** What a cell is run with. */
export interface ExecutionParts {
  evaluation: Evaluation;
  interrupts: Interrupts;
  streams: Streams;
  javascript: boolean;
  /** Hears when a cell begins and ends to run. */
  cellRuns(runs: boolean): void;
  /** What to say with the first cell, if anything. */
  warning(): string | undefined;
}

interface Request {
  code: string;
  silent?: boolean;
  store_history?: boolean;
  stop_on_error?: boolean;
}

const DRAIN_TURNS = 3;

/**
 * Makes tslab answer `execute_request` as the Jupyter protocol has it: execution counts, results, errors with a
 * traceback, and the requests that wait are aborted after an error if they ask for it, later ones never.
 */
export function hookExecution(jupyter: TslabModules["jupyter"], parts: ExecutionParts): boolean {
  const server = jupyter?.ZmqServer?.prototype;
  if (!jupyter || typeof server?.handleExecute !== "function" || typeof server.publishStatus !== "function")
    return false;
  const { streams, interrupts, evaluation } = parts;
  const tellStatus = server.publishStatus;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = new Set<{ aborted: boolean }>();
  let count = 0;
  let warned = false;
  let held: Promise<unknown>[] = [];
  // The library finds the kernel by this, also when it is loaded before the first cell.
  const hooked = jupyter;
  hooked.lastWriteDisplayData = () => undefined;
  announceKernel({ interruption: interrupts.signal, hold: settled => held.push(settled) });

  server.publishStatus = function (status, parent) {
    // A request that waits for its turn is not at work yet.
    if (status === "busy" && parent.header.msg_type === "execute_request") return;
    streams.flush();
    tellStatus.call(this as KernelServer, status, parent);
  };

  server.handleExecute = function (this: KernelServer, socket, message) {
    const place = { aborted: false };
    waiting.add(place);
    const answer = last.then(async () => {
      waiting.delete(place);
      const content = place.aborted ? { status: "aborted" } : await execute(this, message);
      sendTo(this, socket, message, "execute_reply", content);
    });
    last = answer.catch(() => undefined);
    return answer;
  };

  async function execute(server: KernelServer, message: KernelMessage): Promise<Record<string, unknown>> {
    const {
      code,
      silent = false,
      store_history = !silent,
      stop_on_error = true,
    } = message.content as unknown as Request;
    const send: Publish = (type, content) => sendTo(server, server.iopub, message, type, content);
    const publish: Publish = (type, content) => {
      streams.flush();
      send(type, content);
    };
    tellStatus.call(server, "busy", message);
    if (store_history) count += 1;
    if (!silent) publish("execute_input", { code, execution_count: count });
    streams.attach(send);
    hooked.lastWriteDisplayData = (content, update) =>
      publish(update ? "update_display_data" : "display_data", content);
    if (!warned) process.stderr.write(parts.warning() ?? "");
    warned = true;
    const failure = await runCell(code, publish);
    if (!failure) return { status: "ok", execution_count: count, payload: [], user_expressions: {} };
    publish("error", failure);
    if (stop_on_error) await abortWaiting();
    return { status: "error", execution_count: count, ...failure };
  }

  async function runCell(code: string, publish: Publish): Promise<Failure | undefined> {
    const stopped = interrupts.begin();
    parts.cellRuns(true);
    held = [];
    try {
      const outcome = await Promise.race([evaluate(code), stopped]);
      if ("failure" in outcome) return outcome.failure;
      await Promise.race([showValue(outcome.value, { publish, count, settle: interrupts.settle }), stopped]);
      if (held.length > 0) await Promise.race([soon(held), stopped]);
      return undefined;
    } catch (error) {
      return evaluation.describe(error);
    } finally {
      parts.cellRuns(false);
      interrupts.end();
    }
  }

  async function evaluate(code: string): Promise<Outcome> {
    const interruption = interrupts.signal();
    const program = await programOf(code, parts.javascript);
    if (program && "failure" in program) return program;
    // In a turn of its own, so that a program that has to be broken off takes nothing of the kernel with it.
    await setImmediate();
    interruption?.throwIfAborted();
    return evaluation.run(program?.source ?? code, count);
  }

  /** What the front end sent before it could know of the error has arrived after some turns. */
  async function abortWaiting(): Promise<void> {
    for (let turn = 0; turn < DRAIN_TURNS; turn += 1) await setImmediate();
    for (const place of waiting) place.aborted = true;
    waiting = new Set();
  }

  return true;
}

function sendTo(
  server: KernelServer,
  socket: unknown,
  parent: KernelMessage,
  type: string,
  content: object,
): void {
  const sent = parent.createReply();
  sent.header.msg_type = type;
  sent.content = content as Record<string, unknown>;
  sent.signAndSend(server.connInfo.key, socket);
}
