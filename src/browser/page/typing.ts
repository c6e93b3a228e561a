import type { Extension } from "@codemirror/state";
import { openTypes } from "../workers.ts";
import type { CellView } from "./notebook-view.ts";

const CHECK_DELAY_MS = 200;

/** Opens the types of the notebook on the page. `views` are its cells at the moment. */
export function openTyping(script: URL, views: () => readonly CellView[]) {
  const { promise: assistant, resolve } = Promise.withResolvers<typeof import("./assistant.ts")>();
  const types = openTypes(script, () => {
    resolve(import("./assistant.ts"));
    check();
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isChecking = false;
  let isStale = false;
  const codeViews = () => views().filter(({ cell }) => cell.cell_type === "code");
  const cellsOf = (list: readonly CellView[]) =>
    list.map(({ cell }) => ({ id: cell.id ?? "", source: cell.source }));

  /** Finds again what is wrong with the cells, a moment later, and marks it. */
  function check(): void {
    if (!types.isLoaded()) return;
    isStale = true;
    clearTimeout(timer);
    timer = setTimeout(() => void checkNow(), CHECK_DELAY_MS);
  }

  async function checkNow(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    const { mark } = await assistant;
    while (isStale) {
      isStale = false;
      const checked = codeViews();
      const cells = cellsOf(checked);
      const marks = await types.ask("diagnose", cells).catch(() => []);
      for (const [index, { editor, cell }] of checked.entries())
        if (editor && cell.source === cells[index]!.source) mark(editor, marks[index] ?? []);
    }
    isChecking = false;
  }

  return {
    load: types.load,
    ask: types.ask,
    check,
    /** Completes and describes names in a cell's editor, once types are loaded. */
    async assistance(view: () => CellView): Promise<Extension> {
      const placeIn = (source: string, offset: number) => {
        const all = codeViews();
        return { above: cellsOf(all.slice(0, all.indexOf(view()))), source, offset };
      };
      return (await assistant).assist({
        complete: (source, offset) => types.ask("complete", placeIn(source, offset)).catch(() => undefined),
        describe: (source, offset) => types.ask("describe", placeIn(source, offset)).catch(() => ""),
        call: (source, offset) => types.ask("call", placeIn(source, offset)).catch(() => ""),
      });
    },
  };
}
