import { escapeHtml } from "./escape.ts";

const TYPESCRIPT =
  "abstract any as async await boolean break case catch class const continue debugger declare default delete do " +
  "else enum export extends false finally for from function if implements import in infer instanceof interface " +
  "is keyof let namespace never new null number object of private protected public readonly return satisfies " +
  "static string super switch symbol this throw true try type typeof undefined unknown using var void while yield";
const OPENQASM =
  "OPENQASM angle barrier bit bool box break cal complex const continue creg ctrl def defcal delay duration else " +
  "end extern float for gate gphase if in include input int inv let measure negctrl output pow qreg qubit reset " +
  "return stretch switch uint while pi true false";

const LANGUAGES: Record<string, RegExp> = {
  typescript: grammar(TYPESCRIPT),
  openqasm: grammar(OPENQASM),
};
const ALIASES: Record<string, string> = {
  ts: "typescript",
  js: "typescript",
  javascript: "typescript",
  json: "typescript",
  qasm: "openqasm",
  qasm3: "openqasm",
};
const KINDS = ["comment", "string", "number", "keyword", "call"] as const;
const MAX_LENGTH = 100_000;

/** A piece of program as HTML with its comments, strings, numbers, keywords and calls marked. */
export function highlight(code: string, language: string): string {
  const tokens = LANGUAGES[ALIASES[language] ?? language];
  if (!tokens || code.length > MAX_LENGTH) return escapeHtml(code);
  let html = "";
  let position = 0;
  for (const match of code.matchAll(tokens)) {
    const kind = KINDS[match.slice(1).findIndex(group => group !== undefined)];
    html += `${escapeHtml(code.slice(position, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`;
    position = match.index + match[0].length;
  }
  return html + escapeHtml(code.slice(position));
}

function grammar(keywords: string): RegExp {
  const comment = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`;
  const string = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|${"`"}(?:[^${"`"}\\]|\\[\s\S])*${"`"}`;
  const number = String.raw`\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)n?\b`;
  const keyword = `(?<!\\.)\\b(?:${keywords.replaceAll(" ", "|")})\\b`;
  const call = String.raw`[A-Za-z_$][\w$]*(?=\s*\()`;
  return new RegExp(`(${comment})|(${string})|(${number})|(${keyword})|(${call})`, "g");
}
