import { typescriptLanguage } from "@codemirror/lang-javascript";
import { highlightCode } from "@lezer/highlight";
import { escapeHtml } from "../../ipynb/prose/index.ts";
import { highlighting } from "./editor.ts";

const LANGUAGES = /^(?:typescript|ts|javascript|js|json|openqasm|qasm[23]?)$/;
const MAX_LENGTH = 100_000;

/** Returns a program as HTML, with the classes that it has in an editor. OpenQASM is read as what it looks like. */
export function highlight(code: string, language: string): string {
  if (!LANGUAGES.test(language) || code.length > MAX_LENGTH) return escapeHtml(code);
  let html = "";
  highlightCode(
    code,
    typescriptLanguage.parser.parse(code),
    highlighting,
    (text, classes) => {
      html += classes ? `<span class="${classes}">${escapeHtml(text)}</span>` : escapeHtml(text);
    },
    () => {
      html += "\n";
    },
  );
  return html;
}
