import type { KeyBinding } from "@codemirror/view";
import type { CellView } from "./cell-view.ts";
import { type CellType, newCell } from "./notebook.ts";
import type { NotebookView } from "./notebook-view.ts";

/** Key commands other than changes of cells. */
export interface Actions {
  run(view: CellView): Promise<boolean>;
  save(): void;
  interrupt(): void;
  restart(): void;
  help(): void;
}

/** Keys of command mode, for the help and for the keyboard. */
export const COMMANDS: readonly (readonly [keys: string, what: string])[] = [
  ["Enter", "edit the cell"],
  ["Esc", "leave the cell"],
  ["Shift+Enter", "run, and select the next cell"],
  ["Ctrl+Enter", "run"],
  ["Alt+Enter", "run, and insert a cell below"],
  ["↑ ↓ or k j", "select another cell"],
  ["a, b", "insert a cell above, below"],
  ["d d", "delete the cell"],
  ["z", "take back a deleted cell"],
  ["m, y, r", "make it Markdown, code, raw text"],
  ["x, c, v", "cut, copy, paste the cell"],
  ["Ctrl+Shift+↑ ↓", "move the cell"],
  ["Ctrl+Shift+−", "split the cell at the cursor"],
  ["M", "merge it with the next"],
  ["o", "hide or show its output"],
  ["L", "number the lines"],
  ["i i", "interrupt"],
  ["0 0", "restart"],
  ["s or Ctrl+S", "save as a file"],
  ["h", "this help"],
];

const TWICE_WITHIN_MS = 800;

/** Listens to the keys of command mode. */
export function listenToCommands(current: () => NotebookView, actions: Actions): void {
  let last = { key: "", at: 0 };
  let copied: { type: CellType; source: string } | undefined;

  function command(key: string): boolean {
    const view = current();
    const at = view.selected();
    const cell = view.views[at]?.cell;
    const isTwice = last.key === key && performance.now() - last.at < TWICE_WITHIN_MS;
    last = isTwice ? { key: "", at: 0 } : { key, at: performance.now() };
    const copy = () => {
      if (cell) copied = { type: cell.cell_type, source: cell.source };
    };
    const insert = (index: number) => {
      view.insert(index);
      view.select(index);
    };
    const commands: Record<string, () => void> = {
      Enter: () => view.select(at, "edit"),
      ArrowUp: () => view.select(at - 1),
      k: () => view.select(at - 1),
      ArrowDown: () => view.select(at + 1),
      j: () => view.select(at + 1),
      a: () => insert(at),
      b: () => insert(at + 1),
      m: () => view.convert(at, "markdown"),
      y: () => view.convert(at, "code"),
      r: () => view.convert(at, "raw"),
      z: () => view.restore(),
      M: () => view.merge(at),
      o: () => view.views[at]?.toggleOutputs(),
      L: () => view.toggleLineNumbers(),
      c: copy,
      x() {
        copy();
        view.remove(at);
      },
      v() {
        if (!copied) return;
        view.insert(at + 1, newCell(copied.type, copied.source));
        view.select(at + 1);
      },
      h: actions.help,
      s: actions.save,
      d: () => isTwice && view.remove(at),
      i: () => isTwice && actions.interrupt(),
      "0": () => isTwice && actions.restart(),
    };
    if (!Object.hasOwn(commands, key)) return false;
    commands[key]!();
    return true;
  }

  document.addEventListener("keydown", event => {
    const target = event.target as HTMLElement;
    const modified = event.ctrlKey || event.metaKey;
    if (modified && event.key === "s") {
      event.preventDefault();
      actions.save();
      return;
    }
    if (target.closest(".cm-editor, input, textarea, select, dialog, [role=menu], [data-chart]")) return;
    const isPlain = !modified && !event.altKey && !event.shiftKey;
    if (isPlain && (event.key === "Enter" || event.key === " ") && target.closest("button, a")) return;
    const view = current();
    const selected = view.views[view.selected()];
    if (event.key === "Enter" && selected && (event.shiftKey || modified || event.altKey)) {
      event.preventDefault();
      runBy(view, selected, event.shiftKey ? "next" : event.altKey ? "insert" : "stay", actions);
    } else if (modified && event.shiftKey && /^Arrow(?:Up|Down)$/.test(event.key)) {
      event.preventDefault();
      view.move(view.selected(), event.key === "ArrowUp" ? -1 : 1);
    } else if (!modified && !event.altKey && command(event.key)) event.preventDefault();
  });
}

/** The keys that a notebook takes while a cell is edited. */
export function editorKeys(
  current: () => NotebookView,
  cell: () => CellView,
  actions: Actions,
): KeyBinding[] {
  const by = (how: "next" | "stay" | "insert") => () => {
    runBy(current(), cell(), how, actions);
    return true;
  };
  const leave =
    (step: number) =>
    (view: {
      state: {
        doc: { lines: number; lineAt(at: number): { number: number } };
        selection: { main: { head: number; empty: boolean } };
      };
    }) => {
      const { doc, selection } = view.state;
      const line = doc.lineAt(selection.main.head).number;
      if (!selection.main.empty || line !== (step < 0 ? 1 : doc.lines)) return false;
      const to = current().views.indexOf(cell()) + step;
      if (!current().views[to]) return false;
      current().select(to, current().views[to]!.cell.cell_type === "code" ? "edit" : "command");
      return true;
    };
  return [
    { key: "Shift-Enter", run: by("next") },
    { key: "Mod-Enter", run: by("stay") },
    { key: "Ctrl-Enter", run: by("stay") },
    { key: "Alt-Enter", run: by("insert") },
    {
      key: "Ctrl-Shift--",
      run({ state }) {
        current().split(current().views.indexOf(cell()), state.selection.main.head);
        return true;
      },
    },
    { key: "ArrowUp", run: leave(-1) },
    { key: "ArrowDown", run: leave(1) },
    {
      key: "Escape",
      run() {
        cell().render();
        current().select(current().views.indexOf(cell()));
        return true;
      },
    },
  ];
}

function runBy(view: NotebookView, cell: CellView, how: "next" | "stay" | "insert", actions: Actions): void {
  const at = view.views.indexOf(cell);
  void actions.run(cell);
  if (how === "stay") {
    view.select(at);
    return;
  }
  const isNew = how === "insert" || at + 1 === view.views.length;
  if (isNew) view.insert(at + 1);
  view.select(at + 1, isNew ? "edit" : "command");
}
