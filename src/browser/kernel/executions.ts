import {
  type Cells,
  type Failure,
  Interrupted,
  openRun,
  type openStreams,
  prepareCell,
  type Run,
  registerLanguages,
} from "../../kernels/cells/index.ts";
import { openRuns, type Publish } from "../../kernels/index.ts";
import { languages } from "../../openqasm-cells/index.ts";
import { refusedCommand } from "./shell-commands.ts";

registerLanguages(languages);

interface ExecutionParts {
  cells: Cells;
  interrupts: Interrupts;
  streams: ReturnType<typeof openStreams>;
  publish: Publish;
  /** Gets ready what the cell's syntax needs. */
  prepare(source: string): Promise<void>;
}

/** Opens the runs of cells, one after the other, which publish what comes of them; also the time where they are `timed`. */
export function openExecutions({ cells, interrupts, streams, publish, prepare }: ExecutionParts) {
  let signal: AbortSignal | undefined;
  const runAndShow = openRuns({
    cells,
    publish,
    write: text => streams.write("stdout", text),
    interruption: () => signal,
  });

  async function runCell(
    code: string,
    count: number,
    timed: boolean,
    stopped: Promise<never>,
  ): Promise<Failure | undefined> {
    const prepared = await prepareCell(code, "typescript", cells.names(), count);
    if ("failure" in prepared) return prepared.failure;
    if ("type" in prepared) return void publish(prepared.type, prepared.content);
    if (prepared.written) return refusedCommand(code);
    const { source, timed: asked } = prepared;
    await Promise.race([prepare(source), stopped]);
    return runAndShow({ code: source, count, language: "typescript", timed: timed || asked }, stopped);
  }

  return async (code: string, count: number, timed = false): Promise<Failure | undefined> => {
    const run = interrupts.begin();
    signal = run.signal;
    try {
      return await runCell(code, count, timed, run.stopped);
    } catch (error) {
      cells.abandon();
      return cells.describe(error);
    } finally {
      signal = undefined;
      streams.flush();
    }
  };
}

/** Knows whether cells have been interrupted, also while they are busy. */
export type Interrupts = ReturnType<typeof openInterrupts>;

/** Opens the interrupts. `requested` counts, in memory shared with the page, those that were asked for. */
export function openInterrupts(requested: Int32Array | undefined) {
  let heard = 0;
  let taken = 0;
  let run: Run | undefined;
  return {
    now: () => taken,
    /** Throws where there has been an interrupt since a moment of `now`. */
    throwIfInterrupted(since: number) {
      if (taken > since || (requested && Atomics.load(requested, 0) > heard)) throw new Interrupted();
    },
    begin() {
      run = openRun();
      return run;
    },
    interrupt() {
      if (requested) heard = Atomics.load(requested, 0);
      taken += 1;
      run?.interrupt();
    },
  };
}
