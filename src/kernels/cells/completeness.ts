import type { Language, Syntax } from "./syntax.ts";

/** Whether a cell is a whole program. */
export type Completeness = { status: "complete" | "invalid" } | { status: "incomplete"; indent: string };

const OPEN_AT_END = /(?:Unexpected end|Unterminated|Expected .* but found `?(?:EOF|end of file))/i;
const UNIT = "  ";

/** Whether a source is whole, begun, or wrong. A begun one continues with an indented line. */
export function completenessOf(syntax: Syntax, source: string, language: Language): Completeness {
  const { mistakes } = syntax.parse(source, language);
  if (mistakes.length === 0) return { status: "complete" };
  const end = source.trimEnd().length;
  const open = mistakes.some(
    ({ message, start, end: to }) => OPEN_AT_END.test(message) || start >= end || to > end,
  );
  if (!open) return { status: "invalid" };
  const last = source.trimEnd().split("\n").at(-1) ?? "";
  const indent = /^\s*/.exec(last)![0];
  return { status: "incomplete", indent: /[{([]$/.test(last) ? indent + UNIT : indent };
}
