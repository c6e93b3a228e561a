import { magicOf } from "../../kernels/cells/magics.ts";
import type { Failure } from "../../kernels/errors/failure.ts";
import { announceKernel } from "../../kernels/running-kernel.ts";
import type { Cells } from "../../kernels/session/cells.ts";
import { programOf } from "../../kernels/session/program-cell.ts";
import type { Publish } from "../../kernels/streams.ts";
import { allSettledWithin } from "../../kernels/values/settled.ts";
import { showValue } from "../../kernels/values/show-value.ts";
import { isThenable } from "../../kernels/values/thenable.ts";
import type { Interrupts } from "./interrupts.ts";
import type { StreamBuffer } from "./output.ts";
import { refusedCommand } from "./shell-commands.ts";

/** Runs cells, one after the other, and publishes what comes of them; also the time where it is `timed`. */
export type Execute = (code: string, count: number, timed?: boolean) => Promise<Failure | undefined>;

/** Dependencies of executions. */
export interface ExecutionParts {
  cells: Cells;
  interrupts: Interrupts;
  streams: StreamBuffer;
  publish: Publish;
  /** Gets ready what the cell's syntax needs. */
  prepare(source: string): Promise<void>;
}

const UNKNOWN = { ename: "MagicError" };

/** Opens the runs of cells. */
export function openExecutions({ cells, interrupts, streams, publish, prepare }: ExecutionParts): Execute {
  let held: Promise<unknown>[] = [];
  let signal: AbortSignal | undefined;
  announceKernel({
    interruption: () => signal,
    hold: settled => void held.push(settled),
    display: (message, update) => publish(update ? "update_display_data" : "display_data", message),
    clear: wait => publish("clear_output", { wait }),
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
    if (magic?.type === "unknown") return { failure: refusal(magic.message) };
    if (magic) return undefined;
    return (await programOf(code, false)) ?? { source: code };
  }

  async function runCell(
    code: string,
    count: number,
    timed: boolean,
    stopped: Promise<never>,
  ): Promise<Failure | undefined> {
    const program = await programIn(code);
    if (!program) return undefined;
    if ("failure" in program) return program.failure;
    const settle = (value: unknown) => (isThenable(value) ? Promise.race([value, stopped]) : value);
    await Promise.race([prepare(program.source), stopped]);
    const started = performance.now();
    const outcome = await Promise.race([cells.run(program.source, count, "typescript"), stopped]);
    if (timed || program.timed)
      streams.write("stdout", `Time: ${(performance.now() - started).toFixed(1)} ms\n`);
    if ("failure" in outcome) return outcome.failure;
    await Promise.race([showValue(outcome.value, { publish, count, settle }), stopped]);
    if (held.length > 0) await Promise.race([allSettledWithin(held), stopped]);
    return undefined;
  }

  return async (code, count, timed = false) => {
    const run = interrupts.begin();
    signal = run.signal;
    held = [];
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

const refusal = (evalue: string): Failure => ({ ...UNKNOWN, evalue, traceback: [`MagicError: ${evalue}`] });
