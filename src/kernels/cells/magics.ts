import type { Language } from "./syntax.ts";

/** A cell that is a command to the kernel rather than a program. */
export type Magic =
  | { type: "show"; mime: string; text: string }
  /** A program that stands for the cell; one that is `written` is of the kernel's own, and no one has seen it. */
  | { type: "program"; source: string; timed?: boolean; written?: boolean }
  | { type: "who" }
  | { type: "unknown"; message: string };

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

/** Reads a cell that begins with `%`, `%%` or `!`; undefined for a program. `knows` says which names there are. */
export function magicOf(
  code: string,
  language: Language,
  knows: (name: string) => boolean,
): Magic | undefined {
  const shell = SHELL.exec(code)?.[1];
  // A program may begin with a negation, too.
  if (shell !== undefined && !isExpression(shell, knows))
    return { type: "program", source: shellProgram(shell.trim(), language), written: true };
  const [, marks, name = "", rest = "", body = ""] = COMMAND.exec(code) ?? [];
  if (marks === undefined) return undefined;
  const mime = marks === "%%" && Object.hasOwn(MIMES, name) ? MIMES[name] : undefined;
  if (mime) return { type: "show", mime, text: body };
  if (name === "time") return { type: "program", source: `${rest}\n${body}`, timed: true };
  if (name === "who") return { type: "who" };
  return { type: "unknown", message: `Unknown magic ${marks}${name}. Known ones: ${KNOWN.join(", ")}.` };
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
