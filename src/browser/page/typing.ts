import { openTypes, type Types } from "../workers/types.ts";
import type { Assistant } from "./assistant.ts";
import type { CellView } from "./cell-view.ts";

/** What types say of the notebook on the page. */
export interface Typing extends Pick<Types, "load" | "ask"> {
  /** What an editor asks of a cell. */
  assistant(view: () => CellView): Assistant;
  /** Finds anew what is wrong with the cells, a moment later, and marks it. */
  check(): void;
}

const CHECK_DELAY_MS = 200;

/** Opens the types of the notebook on the page. `views` are its cells at the moment. */
export function openTyping(script: URL, views: () => readonly CellView[]): Typing {
  const types = openTypes(script, check);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isChecking = false;
  let isStale = false;

  const codeViews = () => views().filter(({ cell }) => cell.cell_type === "code");
  const cellsOf = (list: readonly CellView[]) =>
    list.map(({ cell }) => ({ id: cell.id ?? "", source: cell.source }));

  function check(): void {
    if (!types.isLoaded()) return;
    isStale = true;
    clearTimeout(timer);
    timer = setTimeout(() => void checkNow(), CHECK_DELAY_MS);
  }

  async function checkNow(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    while (isStale) {
      isStale = false;
      const checked = codeViews();
      const cells = cellsOf(checked);
      const marks = await types.ask("diagnose", { cells }).catch(() => []);
      for (const [index, view] of checked.entries())
        if (view.cell.source === cells[index]!.source) view.mark(marks[index] ?? []);
    }
    isChecking = false;
  }

  return {
    load: types.load,
    ask: types.ask,
    check,
    assistant(view) {
      const placeIn = (source: string, offset: number) => {
        const all = codeViews();
        return { above: cellsOf(all.slice(0, all.indexOf(view()))), source, offset };
      };
      return {
        complete: (source, offset) => types.ask("complete", placeIn(source, offset)).catch(() => undefined),
        describe: (source, offset) => types.ask("describe", placeIn(source, offset)).catch(() => ""),
        call: (source, offset) => types.ask("call", placeIn(source, offset)).catch(() => ""),
      };
    },
  };
}
