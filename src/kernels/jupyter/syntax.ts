import { parseSync } from "oxc-parser";
import { transformSync } from "oxc-transform";
import { nestingProblem } from "../cells/nesting.ts";
import type { Namespaces, Syntax, SyntaxMistake, SyntaxNode } from "../cells/syntax.ts";
import { downlevel, jsxOptions, langOf, needsDownlevel } from "./downlevel.ts";

interface OxcError {
  message: string;
  labels: readonly { start: number; end: number }[];
}

export const oxc: Syntax = {
  emit(source, language) {
    const deep = tooDeep(source);
    if (deep) return { code: "", mappings: "", mistakes: deep };
    const { code, map, errors } = transformSync("cell.ts", source, {
      lang: langOf(source, language),
      sourceType: "module",
      sourcemap: true,
      target: "esnext",
      jsx: jsxOptions(source),
      typescript: { onlyRemoveTypeImports: true },
    });
    const mistakes = mistakesOf(errors.filter(isSyntaxError));
    const lowered =
      mistakes.length === 0 && needsDownlevel(source, language)
        ? downlevel(source, language, { keepImports: true })
        : undefined;
    return { code, mappings: map?.mappings ?? "", ...lowered, mistakes: lowered ? [] : mistakesOf(errors) };
  },
  parse(source, language) {
    const deep = tooDeep(source);
    if (deep) return { body: [], mistakes: deep };
    const { program, errors } = parseSync("cell.ts", source, {
      lang: langOf(source, language),
      sourceType: "module",
    });
    const body = program.body as unknown as SyntaxNode[];
    return { body, mistakes: mistakesOf(errors), jsx: langOf(source, language).endsWith("x") };
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

/** Whether an error is one of the source, and not of what Oxc can't emit, which TypeScript's own compiler can. */
export const isSyntaxError = ({ message }: { message: string }): boolean =>
  !/^Namespaces? |\bnamespace\b.*support/i.test(message);

function mistakesOf(errors: readonly OxcError[]): SyntaxMistake[] {
  return errors.map(({ message, labels: [label] }) => ({
    message,
    start: label?.start ?? 0,
    end: label?.end ?? label?.start ?? 0,
  }));
}
