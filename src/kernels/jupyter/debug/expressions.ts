import { referencesIn } from "../../cells/scope.ts";
import type { Language } from "../../cells/syntax.ts";
import { oxc } from "../syntax.ts";

/**
 * The JavaScript of an expression, or of a statement, that a person has typed. `bindings` has the names that are
 * bound under others. Throws a `SyntaxError` for what can't be read.
 */
export function toJavaScript(
  text: string,
  language: Language,
  bindings: ReadonlyMap<string, string> = new Map(),
): string {
  const expression = oxc.emit(`(${text}\n)`, language);
  const { code, mistakes } = expression.mistakes.length > 0 ? oxc.emit(text, language) : expression;
  if (mistakes[0]) throw new SyntaxError(mistakes[0].message);
  const { body } = oxc.parse(code, "javascript");
  let result = code.trim().replace(/;$/, "");
  for (const { name, node, shorthand } of referencesIn(body).toSorted(
    (a, b) => b.node.start - a.node.start,
  )) {
    const binding = bindings.get(name);
    if (binding === undefined) continue;
    result =
      result.slice(0, node.start) + (shorthand ? `${name}: ${binding}` : binding) + result.slice(node.end);
  }
  return result;
}
