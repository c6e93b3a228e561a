import { type Cells, type Failure, Interrupted, magicOf } from "../../kernels/cells/index.ts";
import { openRuns, type Publish } from "../../kernels/index.ts";
import { isProgram, programOf } from "../../openqasm-cells/index.ts";
import { magicFailure, refusedCommand } from "./shell-commands.ts";

/** Runs cells, one after the other, and publishes what comes of them; also the time where it is `timed`. */
type Execute = (code: string, count: number, timed?: boolean) => Promise<Failure | undefined>;

/** Dependencies of executions. */
interface ExecutionParts {
  cells: Cells;
  interrupts: Interrupts;
  streams: StreamBuffer;
  publish: Publish;
  /** Gets ready what the cell's syntax needs. */
  prepare(source: string): Promise<void>;
}

/** Opens the runs of cells. */
export function openExecutions({ cells, interrupts, streams, publish, prepare }: ExecutionParts): Execute {
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
    if (magic?.type === "unknown") return { failure: magicFailure(magic.message) };
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

  return async (code, count, timed = false) => {
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
export interface Interrupts {
  now(): number;
  /** Throws where there has been an interrupt since a moment of {@link Interrupts.now}. */
  throwIfInterrupted(since: number): void;
  /** Begins a run of a cell: a promise that rejects when it is interrupted, and a signal that aborts. */
  begin(): { stopped: Promise<never>; signal: AbortSignal };
  /** Takes in an interrupt. */
  interrupt(): void;
}

/** Opens the interrupts. `requested` counts, in memory shared with the page, those that were asked for. */
export function openInterrupts(requested: Int32Array | undefined): Interrupts {
  let heard = 0;
  let taken = 0;
  let stop: (() => void) | undefined;
  return {
    now: () => taken,
    throwIfInterrupted(since) {
      if (taken > since || (requested && Atomics.load(requested, 0) > heard)) throw new Interrupted();
    },
    begin() {
      const controller = new AbortController();
      const { promise: stopped, reject } = Promise.withResolvers<never>();
      stopped.catch(() => undefined);
      stop = () => {
        controller.abort(new Interrupted());
        reject(controller.signal.reason);
      };
      return { stopped, signal: controller.signal };
    },
    interrupt() {
      if (requested) heard = Atomics.load(requested, 0);
      taken += 1;
      stop?.();
    },
  };
}

const FLUSH_LENGTH = 65_536;
const FLUSH_INTERVAL_MS = 50;

/** Buffers a cell's output on its way to the page. */
interface StreamBuffer {
  write(stream: "stdout" | "stderr", text: string): void;
  /** Sends what has been written so far. To be called before anything else is published. */
  flush(): void;
}

/** Gathers what is written close after one another into one message. */
export function openStreams(publish: Publish): StreamBuffer {
  let name: "stdout" | "stderr" = "stdout";
  let parts: string[] = [];
  let size = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (size === 0) return;
    const text = parts.join("");
    parts = [];
    size = 0;
    publish("stream", { name, text });
  }

  return {
    flush,
    write(stream, text) {
      if (stream !== name) flush();
      name = stream;
      parts.push(text);
      size += text.length;
      if (size >= FLUSH_LENGTH) flush();
      else timer ??= setTimeout(flush, FLUSH_INTERVAL_MS);
    },
  };
}
