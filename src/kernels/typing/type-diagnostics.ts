import { isDeferred } from "../cells/deferred.ts";
import { lineStarts } from "../cells/source-map.ts";
import type { Language, Syntax } from "../cells/syntax.ts";
import type { Diagnostic } from "../cells/types.ts";
import type { CellDiagnostic } from "../errors/places.ts";

/** Problem at a place of a cell. Lines and characters are counted from 0. */
export interface TypeDiagnostic extends CellDiagnostic {
  /** The compiler's number of it. */
  number: number;
}

/** The compiler's numbers for "Cannot find name", also with a suggestion, as a namespace, and as a property's value. */
export const MISSING_NAME = new Set([2304, 2552, 2503, 18004]);

/** Returns those diagnostics of a document that are of a cell in it, after some lines, at their places in the cell. */
export function diagnosticsOf(
  code: string,
  prefixLines: number,
  found: readonly Diagnostic[],
  syntax: Syntax,
  language: Language,
): TypeDiagnostic[] {
  const lines = code.split("\n").length;
  return found
    .map(({ start, end, message, code: number, related }) => {
      const hints = related.flatMap(hint => hintOf(hint, start.line));
      return {
        start: { ...start, line: start.line - prefixLines },
        end: { ...end, line: end.line - prefixLines },
        messageText: `${[message, ...hints].join(" ")} (TS${number})`,
        number,
      };
    })
    .filter(({ start }) => start.line >= 0 && start.line < lines)
    .filter(wrong => !mayComeLater(wrong) && !isDataModule(wrong));

  /** Related information about another line names its number; declarations outside of the cell are skipped. */
  function hintOf({ message, start }: Diagnostic["related"][number], at: number): string[] {
    const line = start && start.line - prefixLines + 1;
    if (start?.line === at) return [message];
    if (line && line > 0 && line <= lines) return [`Line ${line}: ${message}`];
    return message.endsWith("is declared here.") ? [] : [message];
  }

  /** Whether a name that is missing is one that a later cell can declare before it is used. */
  function mayComeLater({ number, start, messageText }: TypeDiagnostic): boolean {
    if (!MISSING_NAME.has(number)) return false;
    const [, suggested] = /Did you mean '([^']+)'/.exec(messageText) ?? [];
    if (suggested && suggested in globalThis) return false;
    return isDeferred(syntax.parse(code, language).body, lineStarts(code)[start.line]! + start.character);
  }
}

/** Whether a module that the compiler can't find is in its own URL. */
const isDataModule = ({ number, messageText }: TypeDiagnostic) =>
  number === 2307 && messageText.includes("'data:");
