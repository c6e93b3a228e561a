import { readFile } from "node:fs/promises";
import { KetbookError } from "../../client/index.ts";
import { describeValue, fileError, LIMITS } from "../../contract/index.ts";
import { definitionsOf } from "../../simulation/index.ts";
import { QasmProgram } from "./program.ts";
import { naming } from "./program-figures.ts";

/** Makes programs from templates and files. */
export interface Qasm {
  (
    template: TemplateStringsArray,
    ...values: (number | bigint | boolean | string | QasmProgram)[]
  ): QasmProgram;
  /** Makes a program from text. */
  (text: string): QasmProgram;
  /** Makes a program from text, exactly as it is. */
  text(text: string): QasmProgram;
  /**
   * Reads a program from a file, with the files in its folder that it includes. Rejects with a `KetbookError` when one
   * can't be read.
   */
  file(path: string): Promise<QasmProgram>;
  /**
   * Returns a `qasm` whose programs bring files along, by the names with which they include them. A service takes them
   * with the program, and does not read the file itself.
   *
   * @example
   * ```ts
   * import { qasm } from "ketbook";
   * const withPairs = qasm.files({ "pairs.inc": "gate pair a, b { h a; cx a, b; }" });
   * const bell = withPairs`
   *   OPENQASM 3.0;
   *   include "stdgates.inc";
   *   include "pairs.inc";
   *   qubit[2] q;
   *   bit[2] c;
   *   pair q[0], q[1];
   *   c = measure q;
   * `;
   * ```
   *
   * @throws KetbookError for a file that is neither a string nor a program.
   */
  files(files: { readonly [name: string]: string | QasmProgram }): Qasm;
}

type Files = { readonly [name: string]: string };

/**
 * Makes an OpenQASM program from a template. Common indentation is removed; numbers and other text may be put in
 * with `${…}`, and of another program the gates and subroutines that it defines. Nothing else is checked until the
 * program is shown or run.
 *
 * @example
 * ```ts
 * import { qasm } from "ketbook";
 * const ghz = (n: number) => qasm`
 *   OPENQASM 3.0;
 *   include "stdgates.inc";
 *   qubit[${n}] q;
 *   bit[${n}] c;
 *   h q[0];
 *   for int i in [1:${n - 1}] cx q[i - 1], q[i];
 *   c = measure q;
 * `;
 * const five = ghz(5);
 * ```
 *
 * @throws KetbookError when something else is put in, or a program that cannot be read.
 */
export const qasm: Qasm = withFiles();

function withFiles(files?: Files): Qasm {
  const make = (text: string) => new QasmProgram(text, "", files);
  return Object.assign(
    (template: TemplateStringsArray | string, ...values: unknown[]) => {
      if (typeof template === "string") return make(dedent(template));
      if (!Array.isArray(template?.raw))
        throw new KetbookError(
          `qasm is followed by a program in backquotes, or called with its text; not with ${describeValue(template)}.`,
        );
      const text = template.raw.reduce((before, part, index) => before + insert(values[index - 1]) + part);
      return make(dedent(text));
    },
    {
      text: make,
      file: async (path: string) => {
        const text = await readFile(path, "utf8").catch(cause => {
          throw fileError(path, cause);
        });
        const all = { ...files, ...(await readIncludes(path, text)) };
        return new QasmProgram(text, "", Object.keys(all).length > 0 ? all : undefined);
      },
      files: (added: { readonly [name: string]: string | QasmProgram }) =>
        withFiles({ ...files, ...textsOf(added) }),
    },
  );
}

function textsOf(files: { readonly [name: string]: string | QasmProgram }): Files {
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => {
      if (typeof file === "string") return [name, dedent(file)];
      if (file instanceof QasmProgram) return [name, file.data];
      throw new KetbookError(`qasm.files: the text of ${JSON.stringify(name)} must be a string.`);
    }),
  );
}

function insert(value: unknown): string {
  if (value instanceof QasmProgram)
    return naming("qasm: the inserted program cannot be read", () => definitionsOf(value.data));
  const fine = Number.isFinite(value) || ["string", "boolean", "bigint"].includes(typeof value);
  if (fine) return String(value);
  throw new KetbookError(`qasm: ${String(value)} cannot be inserted. Use a finite number or a string.`);
}

function dedent(text: string): string {
  const lines = text
    .replace(/^[ \t]*\r?\n/, "")
    .trimEnd()
    .split("\n");
  const indents = lines.filter(line => line.trim() !== "").map(line => line.length - line.trimStart().length);
  const common = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return `${lines.map(line => line.slice(common)).join("\n")}\n`;
}

/** A path that begins at a root or a drive, or has `..` in it. */
const LEAVES_FOLDER = /^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/;
const INCLUDE_OR_COMMENT = /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/|\binclude\s*"([^"\n]*)"/g;

/** Reads the files beside a program that it includes, and those that they include. One that does not exist is left to the compiler. */
async function readIncludes(path: string, text: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const seen = new Set<string>();
  const texts = [text];
  for (const each of texts)
    for (const [, name] of each.matchAll(INCLUDE_OR_COMMENT)) {
      if (name === undefined || seen.has(name)) continue;
      seen.add(name);
      if (LEAVES_FOLDER.test(name))
        throw new KetbookError(
          `${path}: "${name}" is outside the program's folder. Copy it there, or give its text with qasm.files.`,
        );
      const file = path.replace(/[^/\\]*$/, "") + name;
      const included = await readFile(file, "utf8").catch(error => {
        if (error.code === "ENOENT") return undefined;
        throw fileError(file, error);
      });
      if (included === undefined) continue;
      if (texts.push(included) > LIMITS.maxFiles + 1)
        throw new KetbookError(
          `${path}: the program includes more than ${LIMITS.maxFiles} files. Join some of them.`,
        );
      files[name] = included;
    }
  return files;
}
