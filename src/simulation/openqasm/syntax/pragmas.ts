import { errorAt } from "../diagnostics/diagnostic.ts";
import type { Token } from "./lexer.ts";

/** Whether a pragma, which may end in a comment, asks that the gates of the box after it run on a device as they are written. */
export const isVerbatimPragma = (text: string): boolean =>
  /^#?pragma\s+braket\s+verbatim\s*(?:\/[/*].*)?$/.test(text);

/** Throws a {@link DiagnosticError} for a pragma that is not right before its subject. */
export function checkPragma(pragma: Token, next: Token): void {
  if (isVerbatimPragma(pragma.text) && next.text !== "box")
    throw errorAt(
      pragma,
      "No box follows this pragma.",
      "Write the gates that run as they are written in a `box { … }` after it.",
    );
}
