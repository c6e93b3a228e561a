import {
  type Displayable,
  displayable,
  formatDuration,
  isSettling,
  type MimeBundle,
} from "../../display/index.ts";
import { allSettledWithin, bundleFrom, isThenable, metadataOf } from "../bundle.ts";
import type { Language } from "../cells/syntax.ts";
import type { Failure } from "../errors/failure.ts";
import { announceKernel, type Publish } from "../front-end.ts";
import { live } from "../live.ts";
import type { Cells } from "../session/cells.ts";
import { show } from "../show.ts";
import { containsDisplayable, nestedBundle } from "./nested-values.ts";
import { plainBundle } from "./plain-value.ts";
import { richForm } from "./rich-form.ts";

interface ValueTarget {
  publish: Publish;
  count: number;
  /** Makes waiting end when the cell is interrupted. */
  settle(value: unknown): unknown;
}

interface ShownCell {
  code: string;
  count: number;
  language: Language;
  /** Whether the time that it takes is said; default: false. */
  timed?: boolean | undefined;
}

interface RunParts {
  cells: Pick<Cells, "run">;
  publish: Publish;
  write(text: string): void;
  /** Aborts when the cell that runs now is interrupted. */
  interruption(): AbortSignal | undefined;
}

const PROGRESS_DELAY_MS = 500;
const REDRAW_INTERVAL_MS = 250;
/** Time to wait for values that belong into the first picture. */
const PATIENCE_MS = 250;

/**
 * Opens the runs of cells: each shows its value if `shows` says so, and waits for what it has shown to become final, or
 * until `stopped` rejects. Makes the kernel known to the library.
 */
export function openRuns({ cells, publish, write, interruption }: RunParts) {
  let held: Promise<unknown>[] = [];
  announceKernel({
    interruption,
    hold: settled => void held.push(settled),
    display: (message, update) => publish(update ? "update_display_data" : "display_data", message),
    clear: wait => publish("clear_output", { wait }),
  });
  return async (
    { code, count, language, timed }: ShownCell,
    stopped: Promise<never>,
    shows: (value: unknown) => boolean = () => true,
  ): Promise<Failure | undefined> => {
    held = [];
    const settle = (value: unknown) => (isThenable(value) ? Promise.race([value, stopped]) : value);
    const started = performance.now();
    const outcome = await Promise.race([cells.run(code, count, language), stopped]);
    if (timed) write(`Time: ${(performance.now() - started).toFixed(1)} ms\n`);
    if ("failure" in outcome) return outcome.failure;
    if (shows(outcome.value))
      await Promise.race([showValue(outcome.value, { publish, count, settle }), stopped]);
    if (held.length > 0) await Promise.race([allSettledWithin(held), stopped]);
    return undefined;
  };
}

/**
 * Shows the last value of a cell as its result: a value that shows itself richly, also inside of arrays and plain
 * objects; a promise when it is there, with its progress; records as a table; everything else as Node prints it. What
 * will be updated is displayed instead.
 */
async function showValue(value: unknown, target: ValueTarget): Promise<void> {
  if (value === undefined || value === null) return;
  const form = richForm(value);
  if (form) return showSelf(form, target);
  if (isThenable(value)) return showValue(await withProgress(value, target), target);
  if (containsDisplayable(value)) {
    const bundle = await target.settle(nestedBundle(value));
    return result(target, bundle as MimeBundle);
  }
  result(target, plainBundle(value));
}

function result({ publish, count }: ValueTarget, data: MimeBundle, metadata: MimeBundle = {}): void {
  if (Object.keys(data).length === 0) return;
  publish("execute_result", { execution_count: count, data, metadata, transient: {} });
}

async function showSelf(value: Displayable, target: ValueTarget): Promise<void> {
  // Front ends update what was displayed, never what is a result.
  if (isSettling(value)) return show(value, { patience: PATIENCE_MS });
  const bundle = await target.settle(bundleFrom(value));
  result(target, bundle as MimeBundle, metadataOf(value));
}

/** Waits for a value, with a line that counts the time once it takes longer than one notices. */
async function withProgress(value: PromiseLike<unknown>, target: ValueTarget): Promise<unknown> {
  const started = performance.now();
  const line = live();
  const draw = () => {
    const elapsed = performance.now() - started;
    if (elapsed < PROGRESS_DELAY_MS) return;
    const text = `Waiting … ${formatDuration(elapsed)}`;
    line.update(displayable({ html: `<div>${text}</div>`, text }));
  };
  const timer = setInterval(draw, REDRAW_INTERVAL_MS);
  try {
    return await target.settle(value);
  } finally {
    clearInterval(timer);
    line.clear();
  }
}
