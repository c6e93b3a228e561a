import { parseSync } from "oxc-parser";
import { transformSync } from "oxc-transform";
import { nestingProblem } from "../cells/nesting.ts";
import type { Language, Namespaces, Syntax, SyntaxMistake, SyntaxNode } from "../cells/syntax.ts";
import { downlevel, needsDownlevel } from "./downlevel.ts";

interface OxcError {
  message: string;
  labels: readonly { start: number; end: number }[];
}

/** The parser and emitter of Oxc. */
export const oxc: Syntax = {
  emit(source, language) {
    const deep = tooDeep(source);
    if (deep) return { code: "", mappings: "", mistakes: deep };
    const { code, map, errors } = transformSync("cell.ts", source, {
      lang: langOf(language),
      sourceType: "module",
      sourcemap: true,
      target: "esnext",
      typescript: { onlyRemoveTypeImports: true },
    });
    const mistakes = mistakesOf(errors);
    const lowered =
      mistakes.length === 0 && needsDownlevel(source, language)
        ? downlevel(source, language, { keepImports: true })
        : undefined;
    return { code, mappings: map?.mappings ?? "", ...lowered, mistakes };
  },
  parse(source, language) {
    const deep = tooDeep(source);
    if (deep) return { body: [], mistakes: deep };
    const { program, errors } = parseSync("cell.ts", source, {
      lang: langOf(language),
      sourceType: "module",
    });
    return { body: program.body as unknown as SyntaxNode[], mistakes: mistakesOf(errors) };
  },
  namespaces(source, language) {
    const { body } = oxc.parse(source, language);
    return { names: namespacesIn(body), isLast: /^TS/.test(body.at(-1)?.type ?? "") };
  },
};

/** Refuses source that would end this process: Oxc recurses on a stack without a guard. */
function tooDeep(source: string): SyntaxMistake[] | undefined {
  const message = nestingProblem(source);
  return message === undefined ? undefined : [{ message, start: 0, end: 0 }];
}

function namespacesIn(body: readonly SyntaxNode[]): Namespaces["names"] {
  const statements = body.map(each => (each.declaration as SyntaxNode | null | undefined) ?? each);
  const named = statements.filter(
    ({ type }) => type === "TSEnumDeclaration" || type === "TSModuleDeclaration",
  );
  return new Set(named.map(each => (each.id as { name?: string }).name ?? ""));
}

const langOf = (language: Language) => (language === "typescript" ? "ts" : "js");

function mistakesOf(errors: readonly OxcError[]): SyntaxMistake[] {
  return errors.map(({ message, labels: [label] }) => ({
    message,
    start: label?.start ?? 0,
    end: label?.end ?? label?.start ?? 0,
  }));
}
