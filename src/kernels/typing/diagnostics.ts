import { isFunction } from "../cells/scope.ts";
import { lineStarts } from "../cells/source-map.ts";
import { childrenOf, type Language, type Syntax, type SyntaxNode } from "../cells/syntax.ts";
import type { Diagnostic } from "../cells/types.ts";
import type { CellDiagnostic } from "../errors/failure.ts";
import { LIBRARY_FILES } from "../library-name.ts";

/** Problem at a place of a cell. Lines and characters are counted from 0. */
export interface TypeDiagnostic extends CellDiagnostic {
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

/**
 * Whether an offset of a program lies in what does not run with it: in a function, a field of a class's objects, or a
 * type. A name that is spoken of there may be declared by a later cell.
 */
export function isDeferred(body: readonly SyntaxNode[], offset: number): boolean {
  return body.some(node => offset >= node.start && offset < node.end && defers(node, offset));
}

function defers(node: SyntaxNode, offset: number): boolean {
  if (isFunction(node) || TYPES.has(node.type)) return true;
  if (node.type === "PropertyDefinition" && node.static !== true) return true;
  return isDeferred([...childrenOf(node)], offset);
}

const TYPES = new Set(["TSInterfaceDeclaration", "TSTypeAliasDeclaration", "TSDeclareFunction"]);

const MAX_MEMBERS = 12;
/** Files of the library that declare its classes and interfaces. */
const DECLARATIONS = ["types/index", "types/client", "course"];
const DEVICE =
  /^Argument of type '(?:string|"[^"]*")' is not assignable to parameter of type '[^']*\bPendingDevice\b/;
const NO_SUCH_MEMBER =
  /(?:does not exist (?:on|in) type|has no properties in common with type) '(\w+)(?:<[^']*>)?'(?!.*\bDid you (?:mean|forget)\b)/;

/** Returns advice on a message of the compiler, by the library's declarations; an empty string where there is none. */
export function adviceOn(message: string, libraryTypes: (file: string) => string): string {
  const [, name] = /^Cannot find name '(\w+)'(?!.*\bDid you mean\b)/.exec(message) ?? [];
  if (name === "print") return "Write console.log(…).";
  for (const [module, file] of name ? LIBRARY_FILES : [])
    if (isExported(name!, libraryTypes(file)))
      return `Run the cell that imports it, or add: import { ${name} } from "${module}";`;
  if (name) return "Run the cell that declares it. Text is written in quotes.";
  if (DEVICE.test(message)) return 'Write device("…").';
  const [, type] = NO_SUCH_MEMBER.exec(message) ?? [];
  const members = type ? membersOf(type, DECLARATIONS.map(libraryTypes).join("\n")) : [];
  if (members.length === 0) return "";
  const more = members.length > MAX_MEMBERS ? ` and ${members.length - MAX_MEMBERS} more` : "";
  return `${type} has ${members.slice(0, MAX_MEMBERS).join(", ")}${more}.`;
}

function isExported(name: string, types: string): boolean {
  return new RegExp(`[ ,]${name}[, ]`).test(types.slice(types.lastIndexOf("export {")));
}

/** The names of a class's or an interface's members, its own before those of what it extends. */
function membersOf(type: string, types: string): string[] {
  const [, base, body = ""] =
    new RegExp(
      `^(?:declare )?(?:abstract )?(?:class|interface) ${type}\\b[^\\n]*?(?: extends (\\w+))?[^\\n]*\\{\\n([^]*?)^\\}`,
      "m",
    ).exec(types) ?? [];
  const own = [...body.matchAll(/^ {2}(?:readonly |get )?([a-zA-Z]\w*)\??[(:<]/gm)].map(
    ([, member]) => member!,
  );
  const inherited = base && base !== type ? membersOf(base, types) : [];
  return [...new Set([...own, ...inherited])].filter(member => member !== "constructor");
}
