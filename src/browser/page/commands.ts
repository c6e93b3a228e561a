import type { Command, KeyBinding } from "@codemirror/view";
import { button, element, icon } from "./element.ts";
import { type CellType, newCell } from "./notebook.ts";
import type { CellView, NotebookView } from "./notebook-view.ts";

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
    (step: number): Command =>
    view => {
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

interface ToolbarActions {
  runAll(): void;
  interrupt(): void;
  restart(): void;
  add(): void;
  menu: readonly (readonly [label: string, action: () => void])[];
}

const ICONS = {
  run: "M2 3v10l6-5zM8 3v10l6-5z",
  stop: "M4 4h8v8H4z",
  restart: "M13 8a5 5 0 1 1-1.5-3.6M13 2v3h-3",
  add: "M8 3v10M3 8h10",
  menu: "M2 4h12M2 8h12M2 12h12",
};

export function openToolbar(root: HTMLElement, actions: ToolbarActions) {
  const title = element("span", { class: "title" });
  const tool = (name: keyof typeof ICONS, word: string, label: string, click: () => void) =>
    element(
      "button",
      { type: "button", class: name, title: label, "aria-label": label, click },
      icon(ICONS[name]),
      element("span", {}, word),
    );
  const items = element("div", { id: "menu", popover: "auto", role: "menu" });
  for (const [label, action] of actions.menu) {
    const act = () => {
      items.hidePopover();
      action();
    };
    items.append(button(label, act, { role: "menuitem" }));
  }
  items.addEventListener("keydown", event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all: (Element | null)[] = Array.from(items.querySelectorAll("button"));
    const at = all.indexOf(document.activeElement) + step;
    (all.at(at % all.length) as HTMLElement).focus();
  });
  const menu = tool("menu", "Menu", "Menu", () => {
    items.togglePopover();
    if (items.matches(":popover-open")) items.querySelector("button")?.focus();
  });
  menu.setAttribute("aria-haspopup", "menu");
  const stop = tool("stop", "Interrupt", "Interrupt (i i)", actions.interrupt);
  root.append(
    element(
      "a",
      { class: "brand", href: "./", "aria-label": "Ketbook" },
      icon("M3 2v12M9 2l4 6-4 6M5.5 5v2a1.8 1.8 0 0 0 3.6 0V5M7.3 5v7"),
    ),
    title,
    element(
      "div",
      { class: "tools", role: "toolbar", "aria-label": "Notebook" },
      tool("run", "Run all", "Run all cells", actions.runAll),
      stop,
      tool("restart", "Restart", "Restart (0 0)", actions.restart),
      tool("add", "Add a cell", "Add a cell below (b)", actions.add),
      menu,
    ),
    items,
  );
  return {
    setTitle(text: string) {
      title.textContent = text;
      document.title = `${text} · Ketbook`;
    },
    setBusy(busy: boolean) {
      stop.disabled = !busy;
      root.classList.toggle("busy", busy);
    },
  };
}
