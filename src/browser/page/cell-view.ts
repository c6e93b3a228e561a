import type { EditorView } from "@codemirror/view";
import type { Cell } from "../../ipynb/format.ts";
import { openProse } from "../../ipynb/prose/markdown.ts";
import { nameHeadings } from "./anchors.ts";
import { type EditorOptions, openEditor } from "./editor.ts";
import { element, icon } from "./element.ts";
import { outputElement } from "./output.ts";
import { sanitized } from "./sanitize.ts";

/** A cell on the page. */
export interface CellView {
  readonly cell: Cell;
  readonly element: HTMLElement;
  /** Puts the cursor into the source. */
  edit(): void;
  /** Shows prose as it reads. */
  render(): void;
  /** Draws outputs anew that have changed. */
  showOutputs(): void;
  /** The editor of its source, where that was opened. */
  readonly editor: EditorView | undefined;
  /** Hides its outputs, or shows them again. */
  toggleOutputs(): void;
  /** Shows what the cell is doing. */
  setState(state: "idle" | "queued" | "running"): void;
  destroy(): void;
}

/** Services of the notebook for a cell. */
export interface CellHooks extends Pick<EditorOptions, "keys" | "assistance"> {
  onRun(): void;
  onChange(): void;
  onSelect(): void;
}

const RUN = "M4 2.5v11l9-5.5z";

/** Puts a cell on the page. */
export function openCell(cell: Cell, hooks: CellHooks): CellView {
  const isCode = cell.cell_type === "code";
  const name = isCode ? "Code" : cell.cell_type === "markdown" ? "Text" : "Raw text";
  const count = element("span", { class: "count" });
  const run = element(
    "button",
    {
      class: "run",
      type: "button",
      title: "Run (Shift+Enter)",
      "aria-label": "Run cell",
      click: hooks.onRun,
    },
    icon(RUN),
  );
  const source = element("div", { class: "source" });
  const prose = element("div", { class: "prose", dblclick: () => view.edit() });
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

  const view: CellView = {
    cell,
    element: whole,
    edit() {
      whole.classList.add("editing");
      open().focus();
    },
    render() {
      whole.classList.remove("editing");
      if (isCode) return void open();
      const text =
        cell.cell_type === "raw"
          ? undefined
          : openProse().render(
              cell.source || "*Empty text: press Enter.*",
              cell.cell_type === "markdown" ? cell.attachments : undefined,
            );
      prose.replaceChildren(text === undefined ? element("pre", {}, cell.source) : sanitizedProse(text));
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
    get editor() {
      return editor;
    },
    toggleOutputs() {
      cell.metadata.collapsed = whole.classList.toggle("collapsed");
      hooks.onChange();
    },
    setState(state) {
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

/** Prose with the anchors of its headings. */
function sanitizedProse(html: string): DocumentFragment {
  const made = sanitized(html);
  nameHeadings(made);
  return made;
}
