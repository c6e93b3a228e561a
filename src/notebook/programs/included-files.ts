import { readFile } from "node:fs/promises";
import { KetbookError } from "../../client/index.ts";
import { LIMITS } from "../../contract/index.ts";
import { fileError } from "../values/options.ts";

/** A path that begins at a root or a drive, or has `..` in it. */
const LEAVES_FOLDER = /^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/;
const INCLUDE_OR_COMMENT = /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/|\binclude\s*"([^"\n]*)"/g;

/**
 * Reads the files beside a program that it includes, and those that they include in turn, by the names in the
 * `include` statements. A file that does not exist, such as `stdgates.inc`, is left to the compiler.
 *
 * @throws KetbookError for a name that leads out of the program's folder, too many files, or an unreadable one.
 */
export async function readIncludes(path: string, text: string): Promise<Record<string, string>> {
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
