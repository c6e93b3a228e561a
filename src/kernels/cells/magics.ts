import { type Failure, plainFailure } from "../errors/failure.ts";
import { languageOf } from "./languages.ts";
import type { Language } from "./syntax.ts";

/** Result of preparing a cell: a program, which is `written` where it is the kernel's own, a message that shows something, or a failure. */
export type Prepared =
  | { source: string; timed?: boolean; written?: boolean }
  | { type: "execute_result" | "stream"; content: object }
  | { failure: Failure };

const COMMAND = /^\s*(%{1,2})([\w-]+)[ \t]*([^\n]*)(?:\n([\s\S]*))?$/;
const SHELL = /^\s*!([\s\S]+)$/;
const MIMES: Readonly<Record<string, string>> = {
  html: "text/html",
  markdown: "text/markdown",
  latex: "text/latex",
  svg: "image/svg+xml",
};
const LITERAL = /^(?:\d.*|true|false|null|undefined|this|new|typeof|await|function|async|class)$/;
const KNOWN = [
  "!command",
  "name?",
  "%time",
  "%%time",
  "%who",
  ...Object.keys(MIMES).map(name => `%%${name}`),
];

/** Prepares the cell of a count, after cells that have declared some names. */
export const prepareCell = async (
  code: string,
  language: Language,
  names: readonly string[],
  count: number,
): Promise<Prepared> =>
  magicOf(code, language, names, count) ??
  (await languageOf(code)?.cellOf(code, language === "javascript")) ?? { source: code };

/** Reads a cell that begins with `%`, `%%` or `!`; undefined for a program. `knows` says which names there are. */
export function magicOf(
  code: string,
  language: Language,
  names: readonly string[] = [],
  count = 0,
  knows = (name: string) => name in globalThis || names.includes(name),
): Prepared | undefined {
  const shell = SHELL.exec(code)?.[1];
  // A program may begin with a negation, too.
  if (shell !== undefined && !isExpression(shell, knows))
    return { source: shellProgram(shell.trim(), language), written: true };
  const [, marks, name = "", rest = "", body = ""] = COMMAND.exec(code) ?? [];
  if (marks === undefined) return undefined;
  const mime = marks === "%%" && Object.hasOwn(MIMES, name) ? MIMES[name] : undefined;
  if (mime) {
    // The source of an SVG would be read out as its alternative text.
    const data = { [mime]: body, ...(name !== "svg" && { "text/plain": body }) };
    return { type: "execute_result", content: { execution_count: count, data, metadata: {} } };
  }
  if (name === "time") return { source: `${rest}\n${body}`, timed: true };
  if (name === "who")
    return { type: "stream", content: { name: "stdout", text: `${[...names].sort().join("  ")}\n` } };
  const message = `Unknown magic ${marks}${name}. Known ones: ${KNOWN.join(", ")}.`;
  return { failure: plainFailure("UnknownCommand", message) };
}

/** Whether what follows a `!` is an expression of things that there are, and not a command. */
function isExpression(text: string, knows: (name: string) => boolean): boolean {
  const name = /^[!\s(]*([\w$]+)/.exec(text)?.[1];
  return name === undefined || LITERAL.test(name) || knows(name);
}

/** The command's output arrives while it runs; its failure is the cell's. */
function shellProgram(command: string, language: Language): string {
  const any = language === "typescript" ? " as any" : "";
  const end = JSON.stringify(`${command} ended with exit code `);
  return `await new globalThis.Promise((resolve, reject) => {
  const { spawn } = (globalThis.process${any}).getBuiltinModule("node:child_process");
  const child = spawn(${JSON.stringify(command)}, { shell: true, stdio: "inherit" });
  child.once("error", reject);
  child.once("close", (code${any && ": any"}) => code === 0 ? resolve(undefined) : reject(new globalThis.Error(${end} + code)));
});
undefined`;
}
