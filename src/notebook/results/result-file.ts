import { readFileSync, statSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { KetbookError } from "../../client/index.ts";
import { accessing } from "../../contract/index.ts";

const maxBytes = 256 * 1024 * 1024;

/** Writes results in the form that the file's name ends in. Throws a `KetbookError` for another ending. */
export function saveResult(
  path: string,
  { json, csv, show }: { json(): unknown; csv(): string; show(): void },
): void {
  const ending = extname(String(path)).toLowerCase();
  if ([".svg", ".pdf", ".png", ".html", ".txt"].includes(ending)) {
    show();
    return;
  }
  if (ending !== ".json" && ending !== ".csv")
    throw new KetbookError(
      `${path} can't be saved: end its name in .json, .csv, .svg, .pdf, .png, .html or .txt.`,
    );
  const text = ending === ".csv" ? csv() : `${JSON.stringify(json())}\n`;
  accessing(path, () => writeFileSync(path, text));
}

/** Reads a JSON file of at most 256 MiB. Throws a `KetbookError` that names the file. */
export function readResultFile(path: string): unknown {
  const text = accessing(path, () => {
    if (statSync(path).size > maxBytes)
      throw new KetbookError(`${path} is larger than ${maxBytes} bytes, the limit.`);
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
