import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { typescriptLanguage } from "@codemirror/lang-javascript";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, type Extension, Prec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  type KeyBinding,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** CSS classes of the parts of programs, in editors and in prose. */
export const highlighting = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], class: "t-comment" },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], class: "t-string" },
  { tag: [tags.number, tags.bool, tags.null], class: "t-number" },
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], class: "t-keyword" },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.typeName, tags.className],
    class: "t-call",
  },
]);

export interface EditorOptions {
  source: string;
  isCode: boolean;
  label: string;
  /** Keys that the notebook takes before the editor does. */
  keys: readonly KeyBinding[];
  /** Closes brackets, and completes and describes names of the cell, once that is loaded. */
  assistance: Promise<Extension>;
  onChange(source: string): void;
  onFocus(): void;
}

const numbering = new Compartment();

export function numberLines(editor: EditorView, isNumbered: boolean): void {
  editor.dispatch({ effects: numbering.reconfigure(isNumbered ? lineNumbers() : []) });
}

export function openEditor(options: EditorOptions): EditorView {
  const { source, isCode, label, keys } = options;
  const code = [typescriptLanguage, bracketMatching()];
  const assistance = new Compartment();
  const editor = new EditorView({
    state: EditorState.create({
      doc: source,
      extensions: [
        // Its keys come first: where it shows something, they are for that.
        assistance.of([]),
        Prec.highest(keymap.of([...keys])),
        numbering.of([]),
        history(),
        drawSelection(),
        indentOnInput(),
        syntaxHighlighting(highlighting),
        isCode ? code : placeholder("Markdown"),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          "aria-label": label,
          spellcheck: String(!isCode),
          autocapitalize: "off",
        }),
        EditorView.updateListener.of(update => {
          if (update.docChanged) options.onChange(update.state.doc.toString());
          if (update.focusChanged && update.view.hasFocus) options.onFocus();
        }),
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
      ],
    }),
  });
  if (isCode)
    void options.assistance.then(extension =>
      editor.dispatch({ effects: assistance.reconfigure(extension) }),
    );
  return editor;
}
