import { readFileSync, statSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { KetbookError } from "../client/errors.ts";

const maxBytes = 256 * 1024 * 1024;

/** Writes a file in the form that its name ends in. Throws a `KetbookError` for another ending. */
export function writeResultFile(path: string, forms: { [ending: string]: () => string }): void {
  const form = forms[extname(path).toLowerCase()];
  if (!form)
    throw new KetbookError(`${path} can't be saved: end its name in ${Object.keys(forms).join(" or ")}.`);
  const text = form();
  accessing(path, () => writeFileSync(path, text));
}

/** Reads a JSON file of at most 256 MiB. Throws a `KetbookError` that names the file. */
export function readResultFile(path: string): unknown {
  const text = accessing(path, () => {
    if (statSync(path).size > maxBytes)
      throw new KetbookError(`${path} is larger than ${maxBytes} bytes, the most that is read.`);
    return readFileSync(path, "utf8");
  });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new KetbookError(`${path} is not JSON: load what save() wrote to a name ending in .json.`, {
      cause,
    });
  }
}

function accessing<T>(path: string, access: () => T): T {
  try {
    return access();
  } catch (cause) {
    if (cause instanceof KetbookError) throw cause;
    throw new KetbookError(`${path}: ${(cause as Error).message}.`, { cause });
  }
}
