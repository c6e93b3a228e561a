import { collectOutputs, type Message, type Outputs } from "../../ipynb/index.ts";
import type { Kernel } from "../workers.ts";
import { setOutputs } from "./notebook.ts";
import type { CellView } from "./notebook-view.ts";

/** Runs cells of the page, in the order in which that was asked for. */
export type Runner = ReturnType<typeof openRunner>;

interface RunnerParts {
  kernel: Kernel;
  onChange(): void;
  onBusy(busy: boolean): void;
}

const MAX_OUTPUT_BYTES = 50_000_000;

export function openRunner({ kernel, onChange, onBusy }: RunnerParts) {
  const runs = new Map<string, CellView>();
  let outputs: Outputs = collectOutputs(MAX_OUTPUT_BYTES);
  let queue: Promise<unknown> = Promise.resolve();
  let epoch = 0;
  let waiting = 0;
  let serial = 0;
  let count = 0;
  const stale = new Set<CellView>();

  /** Draws a cell's outputs in the next frame, while the next cell runs already. */
  function drawSoon(view: CellView): void {
    stale.add(view);
    if (stale.size > 1) return;
    requestAnimationFrame(() => {
      for (const each of stale) each.showOutputs();
      stale.clear();
    });
  }

  async function execute(view: CellView, began: number): Promise<boolean> {
    const { cell } = view;
    if (began !== epoch) {
      view.setState("idle");
      return false;
    }
    const id = ++serial;
    const collected = outputs.open(String(id));
    runs.set(String(id), view);
    setOutputs(cell, collected.outputs, null);
    view.setState("running");
    view.showOutputs();
    const number = ++count;
    const end = await kernel.execute(id, cell.source, number);
    if (end.failure) outputs.take({ type: "error", parent: String(id), content: { ...end.failure } });
    setOutputs(cell, collected.outputs, number);
    view.setState("idle");
    drawSoon(view);
    onChange();
    return end.failure === undefined;
  }

  return {
    /** Runs a cell. Resolves with whether it succeeded. */
    run(view: CellView): Promise<boolean> {
      if (view.cell.cell_type !== "code") {
        view.render();
        return Promise.resolve(true);
      }
      if (view.cell.source.trim() === "") return Promise.resolve(true);
      view.setState("queued");
      waiting += 1;
      onBusy(true);
      const began = epoch;
      const ran = queue
        .then(() => execute(view, began))
        .finally(() => {
          waiting -= 1;
          onBusy(waiting > 0);
        });
      queue = ran.then(ok => {
        if (!ok) epoch += 1;
      });
      return ran;
    },
    /** Takes in a message that a run has published. */
    take(message: Message) {
      outputs.take(message);
      const view = runs.get(message.parent ?? "");
      if (view) drawSoon(view);
      if (message.type === "update_display_data") for (const each of new Set(runs.values())) drawSoon(each);
    },
    /** Drops the cells that wait. */
    clear() {
      epoch += 1;
    },
    /** Counts from one again. */
    reset() {
      epoch += 1;
      count = 0;
      runs.clear();
      outputs = collectOutputs(MAX_OUTPUT_BYTES);
    },
    /** Returns true once a cell has run since the kernel started: variables may exist. */
    hasRun: () => count > 0,
  };
}
