import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, type KeyBinding, keymap, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type Assistant, assist } from "./assistant.ts";

/** What an editor of a cell is opened with. */
export interface EditorOptions {
  source: string;
  isCode: boolean;
  label: string;
  /** Keys that the notebook takes before the editor does. */
  keys: readonly KeyBinding[];
  /** Knows the types of the cell. */
  assistant: Assistant;
  onChange(source: string): void;
  onFocus(): void;
}

const highlighting = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], class: "t-comment" },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], class: "t-string" },
  { tag: [tags.number, tags.bool, tags.null], class: "t-number" },
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], class: "t-keyword" },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.typeName, tags.className],
    class: "t-call",
  },
]);

/** Opens an editor of a cell's source. */
export function openEditor(options: EditorOptions): EditorView {
  const { source, isCode, label, keys } = options;
  const code = [javascript({ typescript: true }), closeBrackets(), bracketMatching()];
  return new EditorView({
    state: EditorState.create({
      doc: source,
      extensions: [
        // Its keys come first: where it shows something, they are for that.
        isCode ? assist(options.assistant) : [],
        Prec.highest(keymap.of([...keys])),
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
        keymap.of([
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          indentWithTab,
        ]),
      ],
    }),
  });
}
