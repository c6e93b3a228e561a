import highlighter, { type LanguageFunction } from "#highlight.js";
import typescript from "#highlight.js/typescript";
import { escapeHtml } from "./escape.ts";

const KEYWORDS =
  "OPENQASM barrier box break cal case const continue ctrl creg def default defcal defcalgrammar delay durationof " +
  "else end extern for gate gphase if in include input inv let measure mutable negctrl nop opaque output pow qreg " +
  "readonly reset return switch while";
const TYPES = "angle array bit bool complex duration float int qubit stretch uint void";
const LITERALS = "true false pi tau euler π τ ℇ";

/** The grammar of OpenQASM 2 and 3 for highlight.js. */
const openqasm: LanguageFunction = ({ C_LINE_COMMENT_MODE, C_BLOCK_COMMENT_MODE, QUOTE_STRING_MODE }) => ({
  name: "OpenQASM",
  aliases: ["qasm", "qasm2", "qasm3"],
  unicodeRegex: true,
  keywords: {
    $pattern: /[\p{L}_][\p{L}\p{N}_]*/u,
    keyword: KEYWORDS.split(" "),
    type: TYPES.split(" "),
    literal: LITERALS.split(" "),
  },
  contains: [
    C_LINE_COMMENT_MODE,
    C_BLOCK_COMMENT_MODE,
    QUOTE_STRING_MODE,
    { scope: "meta", match: /^[ \t]*(?:#?pragma|@\w+).*/m },
    {
      scope: "number",
      match:
        /(?<![\p{L}\p{N}_])(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?(?:\s*(?:im|dt|[mnuµ]?s)(?![\p{L}\p{N}_]))?)/u,
    },
    {
      scope: "title.function",
      match:
        /(?<![\p{L}\p{N}_])(?!(?:if|for|in|switch|while|return|pow|ctrl|negctrl)\b)[a-zA-Z_]\w*(?=\s*\()/u,
    },
  ],
});

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
