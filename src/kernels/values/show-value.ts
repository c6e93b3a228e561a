import {
  type Displayable,
  displayable,
  formatDuration,
  isSettling,
  type MimeBundle,
} from "../../display/index.ts";
import { bundleFrom, isThenable, metadataOf } from "../bundle.ts";
import type { Publish } from "../front-end.ts";
import { live } from "../live.ts";
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

const PROGRESS_DELAY_MS = 500;
const REDRAW_INTERVAL_MS = 250;
/** Time to wait for values that belong into the first picture. */
const PATIENCE_MS = 250;

/**
 * Shows the last value of a cell as its result: a value that shows itself richly, also inside of arrays and plain
 * objects; a promise when it is there, with its progress; records as a table; everything else as Node prints it. What
 * will be updated is displayed instead.
 */
export async function showValue(value: unknown, target: ValueTarget): Promise<void> {
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
