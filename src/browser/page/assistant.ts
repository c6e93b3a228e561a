import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
} from "@codemirror/autocomplete";
import { setDiagnostics } from "@codemirror/lint";
import { type Extension, Prec, StateEffect, StateField } from "@codemirror/state";
import {
  closeHoverTooltips,
  EditorView,
  hasHoverTooltips,
  hoverTooltip,
  keymap,
  showTooltip,
  type Tooltip,
} from "@codemirror/view";
import { openProse } from "../../ipynb/prose/index.ts";
import type { Completions } from "../../kernels/cells/index.ts";
import type { CellMark } from "../types/notebook-types.ts";
import { element } from "./element.ts";
import { sanitized } from "./output.ts";

interface Assistant {
  complete(source: string, offset: number): Promise<Completions | undefined>;
  describe(source: string, offset: number): Promise<string>;
  /** Describes the call around a place, as Markdown. */
  call(source: string, offset: number): Promise<string>;
}

const WORD = /[\p{ID_Continue}$#]$/u;
const BEGINS = /[\p{ID_Continue}$#."'`/]$/u;
const CALLS = /[(,]\s*$/;

const setCall = StateEffect.define<Tooltip | null>();

/** The description of a call, below the place where its parameters are written. */
const callTooltip = StateField.define<Tooltip | null>({
  create: () => null,
  update(tooltip, transaction) {
    for (const effect of transaction.effects) if (effect.is(setCall)) return effect.value;
    return transaction.selection ? null : tooltip;
  },
  provide: field => showTooltip.from(field),
});

/** Lets an editor close brackets, complete names, describe them under the pointer, and describe calls while they are written. */
export function assist(assistant: Assistant): Extension {
  let escapes = 0;

  async function complete(context: CompletionContext): Promise<CompletionResult | null> {
    const { state, pos, explicit } = context;
    const before = state.sliceDoc(Math.max(0, pos - 1), pos);
    if (!explicit && !BEGINS.test(before)) return null;
    const found = await assistant.complete(state.doc.toString(), pos);
    if (!found || context.aborted || found.items.length === 0) return null;
    const options = found.items.map(({ name, kind, insert }, index) => ({
      label: name,
      type: kind,
      ...(insert !== undefined && { apply: insert }),
      boost: -Math.min(index, 99),
    }));
    return { from: found.start, options, validFor: /^[\p{ID_Continue}$#]*$/u };
  }

  /** Shows what is said of the cursor's place, unless it has moved or Escape was pressed meanwhile. */
  async function show(view: EditorView, ask: Assistant["describe"]): Promise<void> {
    const { head } = view.state.selection.main;
    const before = escapes;
    const text = await ask(view.state.doc.toString(), head);
    if (view.state.selection.main.head !== head || escapes !== before) return;
    view.dispatch({ effects: setCall.of(text ? tooltipAt(head, text) : null) });
  }

  return [
    autocompletion({ override: [complete], icons: false, activateOnTypingDelay: 50 }),
    hoverTooltip(async (view, pos, side) => {
      const at = view.state.sliceDoc(pos - (side < 0 ? 1 : 0), pos + (side < 0 ? 0 : 1));
      if (!WORD.test(at)) return null;
      const text = await assistant.describe(view.state.doc.toString(), pos);
      return text && view.dom.matches(":hover") ? tooltipAt(pos, text) : null;
    }),
    callTooltip,
    closeBrackets(),
    keymap.of([...closeBracketsKeymap, ...completionKeymap]),
    EditorView.updateListener.of(({ docChanged, focusChanged, view, state }) => {
      if (focusChanged && !view.hasFocus && state.field(callTooltip))
        queueMicrotask(() => view.dispatch({ effects: setCall.of(null) }));
      const { head } = state.selection.main;
      if (docChanged && view.hasFocus && CALLS.test(state.sliceDoc(Math.max(0, head - 3), head)))
        void show(view, assistant.call);
    }),
    Prec.highest(
      keymap.of([
        {
          key: "Shift-Tab",
          run(view) {
            void show(view, assistant.describe);
            return true;
          },
        },
        ...["Shift-Enter", "Ctrl-Enter", "Mod-Enter", "Alt-Enter"].map(key => ({
          key,
          run(view: EditorView) {
            escapes += 1;
            closeCompletion(view);
            return false;
          },
        })),
        {
          key: "Escape",
          run(view) {
            escapes += 1;
            if (!view.state.field(callTooltip) && !hasHoverTooltips(view.state)) return false;
            view.dispatch({ effects: [setCall.of(null), closeHoverTooltips] });
            return true;
          },
        },
      ]),
    ),
  ];
}

function tooltipAt(pos: number, text: string): Tooltip {
  const dom = element("div", { class: "described" });
  dom.append(sanitized(openProse().render(text)));
  return { pos, above: false, create: () => ({ dom }) };
}

export function mark(view: EditorView, marks: readonly CellMark[]): void {
  const { length } = view.state.doc;
  const diagnostics = marks.map(({ from, to, message }) => ({
    from: Math.min(from, length),
    to: Math.min(Math.max(to, from), length),
    message,
    severity: "error" as const,
  }));
  view.dispatch(setDiagnostics(view.state, diagnostics));
}
