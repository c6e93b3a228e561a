import {
  type Cells,
  type Failure,
  Interrupted,
  magicOf,
  openRun,
  type openStreams,
  plainFailure,
  type Run,
} from "../../kernels/cells/index.ts";
import { openRuns, type Publish } from "../../kernels/index.ts";
import { isProgram, programOf } from "../../openqasm-cells/index.ts";
import { refusedCommand } from "./shell-commands.ts";

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

  async function programIn(
    code: string,
  ): Promise<{ source: string; timed?: boolean } | { failure: Failure } | undefined> {
    const magic = magicOf(code, "typescript", name => name in globalThis);
    if (magic?.type === "program") {
      const failure = refusedCommand(code);
      return failure ? { failure } : { source: magic.source, ...(magic.timed && { timed: true }) };
    }
    if (magic?.type === "show")
      publish("display_data", { data: { [magic.mime]: magic.text }, metadata: {}, transient: {} });
    if (magic?.type === "who") streams.write("stdout", `${cells.names().join("\n")}\n`);
    if (magic?.type === "unknown") return { failure: plainFailure("MagicError", magic.message) };
    if (magic) return undefined;
    return isProgram(code) ? programOf(code, false) : { source: code };
  }

  async function runCell(
    source: string,
    count: number,
    timed: boolean,
    stopped: Promise<never>,
  ): Promise<Failure | undefined> {
    const program = await programIn(source);
    if (!program) return undefined;
    if ("failure" in program) return program.failure;
    await Promise.race([prepare(program.source), stopped]);
    const { source: code, timed: asked } = program;
    return runAndShow({ code, count, language: "typescript", timed: timed || asked }, stopped);
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
