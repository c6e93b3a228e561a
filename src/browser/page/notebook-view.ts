import type { EditorView } from "@codemirror/view";
import type { Cell, Notebook } from "../../ipynb/index.ts";
import { openProse } from "../../ipynb/prose/index.ts";
import { type EditorOptions, numberLines, openEditor } from "./editor.ts";
import { button, element, icon } from "./element.ts";
import { type CellType, converted, newCell } from "./notebook.ts";
import { nameHeadings, outputElement, sanitized } from "./output.ts";

/** A notebook on the page: its cells, which one is selected, and what can be done to them. */
export type NotebookView = ReturnType<typeof openNotebookView>;

interface NotebookHooks {
  keys(view: () => CellView): CellHooks["keys"];
  assistance(view: () => CellView): CellHooks["assistance"];
  onRun(view: CellView): void;
  onChange(): void;
}

export function openNotebookView(root: HTMLElement, notebook: Notebook, hooks: NotebookHooks) {
  const views: CellView[] = [];
  const removed: { index: number; cell: Cell }[] = [];
  let at = 0;
  let isNumbered = false;

  function make(cell: Cell): CellView {
    const view: CellView = openCell(cell, {
      keys: hooks.keys(() => view),
      assistance: hooks.assistance(() => view),
      onRun: () => hooks.onRun(view),
      onChange: hooks.onChange,
      onSelect: () => mark(views.indexOf(view)),
    });
    if (isNumbered && view.editor) numberLines(view.editor, true);
    return view;
  }

  /** Puts cells in the place of some from an index on. */
  function splice(index: number, count: number, ...cells: readonly Cell[]): void {
    notebook.cells.splice(index, count, ...cells);
    for (const view of views.splice(index, count)) view.destroy();
    for (const [at, cell] of cells.entries()) place(index + at, make(cell));
    hooks.onChange();
  }

  function mark(index: number): void {
    const before = views[at];
    at = Math.max(0, Math.min(index, views.length - 1));
    for (const [each, view] of views.entries()) view.element.classList.toggle("selected", each === at);
    if (before && before !== views[at] && before.cell.cell_type !== "code") before.render();
  }

  function place(index: number, view: CellView): void {
    root.insertBefore(view.element, views[index]?.element ?? null);
    views.splice(index, 0, view);
  }

  const shown = {
    notebook,
    views: views as readonly CellView[],
    selected: () => at,
    select(index: number, how: "command" | "edit" = "command") {
      mark(index);
      const view = views[at];
      if (how === "edit") view?.edit();
      else view?.element.focus({ preventScroll: true });
      view?.element.scrollIntoView({ block: "nearest" });
    },
    insert: (index: number, cell = newCell("code")) => splice(index, 0, cell),
    remove(index: number) {
      const cell = notebook.cells[index];
      if (!cell) return;
      removed.push({ index, cell });
      splice(index, 1, ...(views.length === 1 ? [newCell("code")] : []));
      shown.select(index);
    },
    restore() {
      const last = removed.pop();
      if (!last) return;
      splice(last.index, 0, last.cell);
      shown.select(last.index);
    },
    move(index: number, by: number) {
      const to = index + by;
      const [cell, view] = [notebook.cells[index], views[index]];
      if (!cell || !view || to < 0 || to >= views.length) return;
      notebook.cells.splice(index, 1);
      views.splice(index, 1);
      notebook.cells.splice(to, 0, cell);
      place(to, view);
      shown.select(to);
      hooks.onChange();
    },
    convert(index: number, type: CellType) {
      const cell = notebook.cells[index];
      if (!cell || cell.cell_type === type) return;
      splice(index, 1, converted(cell, type));
      shown.select(index);
    },
    /** Makes two cells of one, before and after a place in its source. */
    split(index: number, offset: number) {
      const cell = notebook.cells[index];
      if (!cell) return;
      const { cell_type, source } = cell;
      const before = newCell(cell_type, source.slice(0, offset).replace(/\n$/, ""));
      splice(index, 1, before, newCell(cell_type, source.slice(offset).replace(/^\n/, "")));
      shown.select(index + 1, "edit");
    },
    merge(index: number) {
      const [cell, next] = notebook.cells.slice(index, index + 2);
      if (!cell || !next) return;
      shown.remove(index + 1);
      splice(index, 1, newCell(cell.cell_type, `${cell.source}\n\n${next.source}`));
      shown.select(index);
    },
    toggleLineNumbers() {
      isNumbered = !isNumbered;
      for (const { editor } of views) if (editor) numberLines(editor, isNumbered);
    },
    destroy() {
      for (const view of views) view.destroy();
    },
  };
  for (const [index, cell] of notebook.cells.entries()) place(index, make(cell));
  mark(0);
  return shown;
}

export type CellView = ReturnType<typeof openCell>;

interface CellHooks extends Pick<EditorOptions, "keys" | "assistance"> {
  onRun(): void;
  onChange(): void;
  onSelect(): void;
}

const RUN = "M4 2.5v11l9-5.5z";

function openCell(cell: Cell, hooks: CellHooks) {
  const isCode = cell.cell_type === "code";
  const name = isCode ? "Code" : cell.cell_type === "markdown" ? "Text" : "Raw text";
  const count = element("span", { class: "count" });
  const named = { class: "run", title: "Run (Shift+Enter)", "aria-label": "Run cell" };
  const run = button(icon(RUN), hooks.onRun, named);
  const source = element("div", { class: "source" });
  const prose = element("div", { class: "prose", dblclick: edit });
  const outputs = element("div", { class: "outputs", "aria-label": "Output", role: "group" });
  const whole = element(
    "section",
    { class: `cell ${cell.cell_type}`, tabindex: "-1", "aria-label": `${name} cell`, "data-id": cell.id },
    element("div", { class: "gutter" }, run, count),
    element("div", { class: "body" }, source, prose, outputs),
  );
  whole.classList.toggle("collapsed", cell.metadata.collapsed === true);
  whole.addEventListener("mousedown", hooks.onSelect);
  whole.addEventListener("focus", hooks.onSelect);
  let editor: EditorView | undefined;
  let drawn: unknown[] = [];

  function showCount(): void {
    if (cell.cell_type === "code") count.textContent = String(cell.execution_count ?? "");
  }

  function open(): EditorView {
    editor ??= openEditor({
      ...hooks,
      source: cell.source,
      isCode,
      label: `${name} of the cell`,
      onFocus: hooks.onSelect,
      onChange(text) {
        cell.source = text;
        hooks.onChange();
      },
    });
    if (!editor.dom.isConnected) source.replaceChildren(editor.dom);
    return editor;
  }

  function edit(): void {
    whole.classList.add("editing");
    open().focus();
  }

  const view = {
    cell,
    element: whole as HTMLElement,
    edit,
    /** Shows prose as it reads. */
    render() {
      whole.classList.remove("editing");
      if (isCode) return void open();
      if (cell.cell_type !== "markdown") return prose.replaceChildren(element("pre", {}, cell.source));
      const shown = sanitized(
        openProse().render(cell.source || "*Empty text: press Enter.*", cell.attachments),
      );
      nameHeadings(shown);
      prose.replaceChildren(shown);
    },
    showOutputs() {
      if (cell.cell_type !== "code") return;
      showCount();
      const now = cell.outputs.map(output => JSON.stringify(output));
      for (const [index, output] of cell.outputs.entries()) {
        if (drawn[index] === now[index]) continue;
        const fresh = outputElement(output);
        if (outputs.children[index]) outputs.children[index].replaceWith(fresh);
        else outputs.append(fresh);
      }
      while (outputs.children.length > now.length) outputs.lastElementChild?.remove();
      drawn = now;
    },
    /** The editor of its source, where that was opened. */
    get editor() {
      return editor;
    },
    toggleOutputs() {
      cell.metadata.collapsed = whole.classList.toggle("collapsed");
      hooks.onChange();
    },
    setState(state: "idle" | "queued" | "running") {
      whole.dataset.state = state;
      if (state !== "idle") count.textContent = "…";
      else showCount();
      whole.setAttribute("aria-busy", String(state === "running"));
    },
    destroy() {
      editor?.destroy();
      whole.remove();
    },
  };
  view.render();
  view.showOutputs();
  return view;
}
