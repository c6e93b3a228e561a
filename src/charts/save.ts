import { writeFileSync } from "node:fs";
import { extname } from "node:path";

/** What is saved: a picture, and other forms by the ending of the file's name. */
export interface Saved {
  svg: () => string;
  png: () => Uint8Array;
  files: { readonly [ending: string]: () => string | Uint8Array };
}

/**
 * Writes something to a file in the form that its name ends in. Throws a
 * `RangeError` that names the endings there are for another one.
 */
export function savePicture(path: string, { svg, png, files }: Saved): void {
  const ending = extname(path).toLowerCase();
  const forms: Saved["files"] = {
    ".svg": svg,
    ".png": png,
    ...files,
  };
  const write = Object.hasOwn(forms, ending) ? forms[ending] : undefined;
  if (!write)
    throw new RangeError(
      `Nothing can be saved as ${JSON.stringify(ending || path)}: end the name in ${Object.keys(forms).join(", ")}.`,
    );
  writeFileSync(path, write());
}
