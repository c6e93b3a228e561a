import { setTimeout as later, setImmediate as soon } from "node:timers";
import { setImmediate } from "node:timers/promises";
import { attempted } from "../../host/attempted.ts";
import type { Failure } from "../errors/failure.ts";
import type { Cells } from "../session/cells.ts";
import { openStreams } from "../session/streams.ts";
import { plainBundle } from "../values/plain-value.ts";
import { openRuns } from "../values/show-value.ts";
import type { ExecuteCommand } from "./channel.ts";
import { currentExecution, type Execution, openExecution } from "./containment.ts";
import { redirectStreams } from "./output.ts";

export type Send = (request: number, message: string, content: object, metadata?: object) => void;

export type Executions = ReturnType<typeof openExecutions>;

export function openExecutions(cells: Cells, send: Send) {
  let running: Execution | undefined;
  let current: Pick<ExecuteCommand, "request" | "stdin"> | undefined;
  /** The request that has what is written now, also after it has ended. */
  let written: number | undefined;
  const streams = openStreams((type, content) => send(written!, type, content), defer);
  const runAndShow = openRuns({
    cells,
    publish,
    write: text => void process.stdout.write(text),
    interruption: () => (currentExecution.getStore() ?? running)?.signal,
  });

  function publish(type: string, content: object, metadata?: object): void {
    streams.flush();
    if (current) send(current.request, type, content, metadata);
  }

  function attach(next: typeof current): void {
    streams.flush();
    current = next;
    if (!next) return;
    if (written === undefined) redirectStreams(streams.write);
    written = next.request;
  }

  async function run(command: ExecuteCommand) {
    attach(command);
    const execution = openExecution();
    running = execution;
    try {
      // Work terminated in the engine never settles, even if the kernel itself awaits it.
      const stopped = execution.stopped.catch(cells.describe);
      const failure = await Promise.race([
        currentExecution.run(execution, () => runCell(command, execution)),
        stopped,
      ]);
      const expressions = failure ? {} : await answersTo(command, execution);
      return { failure, expressions };
    } finally {
      running = undefined;
      streams.flush();
    }
  }

  async function runCell(
    command: ExecuteCommand,
    { stopped, signal }: Execution,
  ): Promise<Failure | undefined> {
    try {
      // In its own turn, so a program that has to be terminated takes nothing of the kernel with it.
      await setImmediate();
      signal.throwIfAborted();
      const failure = await runAndShow(command, stopped, value => command.show && !isTimer(value));
      if (!failure) await reported();
      return failure;
    } catch (error) {
      return cells.describe(error);
    }
  }

  async function answersTo({ expressions, count, language }: ExecuteCommand, execution: Execution) {
    const answers: Record<string, object> = {};
    for (const [name, code] of Object.entries(expressions)) {
      const outcome = await currentExecution.run(execution, () =>
        Promise.race([cells.run(code, count, language), execution.stopped]).catch(error => ({
          failure: cells.describe(error),
        })),
      );
      answers[name] =
        "failure" in outcome
          ? { status: "error", ...outcome.failure }
          : { status: "ok", data: plainBundle(outcome.value), metadata: {} };
    }
    return answers;
  }

  return {
    run,
    publish,
    flush: streams.flush,
    /** Does some work whose output is that of another request. */
    respond(request: number, work: () => void) {
      const before = current;
      attach({ request, stdin: false });
      try {
        work();
      } catch (error) {
        process.stderr.write(`${cells.describe(error).traceback.join("\n")}\n`);
      }
      attach(before);
    },
    /** Interrupts the cell that runs; nothing happens when none does. */
    interrupt() {
      if (!running) return;
      cells.abandon();
      running.interrupt();
    },
    /** The request whose cell runs, or ran last. */
    request: () => current?.request ?? 0,
    /** Whether the front end of that request answers questions. */
    canAsk: () => running !== undefined && (current?.stdin ?? false),
  };
}

/** Calls a function later, also where the cell that runs is interrupted, as other cells write to the streams too. */
const defer = (flush: () => void, ms: number) =>
  void currentExecution.run(undefined, () => (ms > 0 ? later(flush, ms) : soon(flush)));

/**
 * Has promises that nobody handles reported as this cell's output. The end of the turn would do that, but after
 * timers and immediates that may never end.
 */
function reported(): Promise<void> {
  const { nextTick, _tickCallback: endTurn } = process as NodeJS.Process & { _tickCallback?: () => void };
  return new Promise(done => {
    nextTick(() => {
      endTurn?.();
      done();
    });
  });
}

const TIMERS = [setTimeout(() => undefined), global.setImmediate(() => undefined)].map(
  timer => timer.constructor as new () => object,
);

/** Whether a value is what `setTimeout` and its like return, which nobody wants to see below a cell. */
const isTimer = (value: unknown): boolean =>
  attempted(() => TIMERS.some(timer => value instanceof timer)) ?? false;
