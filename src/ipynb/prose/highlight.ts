import highlighter from "#highlight.js";
import typescript from "#highlight.js/typescript";
import { escapeHtml } from "./escape.ts";
import { openqasm } from "./openqasm-grammar.ts";

const MAX_LENGTH = 100_000;

const languages = highlighter.newInstance();
languages.configure({ classPrefix: "" });
languages.registerLanguage("typescript", typescript);
languages.registerLanguage("openqasm", openqasm);
languages.registerAliases(["javascript", "js", "json"], { languageName: "typescript" });

/** Returns a program as HTML, with its comments, strings, numbers, keywords and calls in elements with classes. */
export function highlight(code: string, language: string): string {
  if (!languages.getLanguage(language) || code.length > MAX_LENGTH) return escapeHtml(code);
  return languages.highlight(code, { language, ignoreIllegals: true }).value;
}
