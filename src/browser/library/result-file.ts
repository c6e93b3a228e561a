import { KetbookError } from "../../client/errors.ts";
import { endingOf, saveDownload } from "./downloads.ts";

/** Whether a file of this name is a picture or page of what it is made from, and not its data. */
export const isPicture = (path: string): boolean => /\.(?:svg|pdf|png|html|txt)$/i.test(path);

/** Saves results among the browser's downloads. Throws a `KetbookError` for an ending that is none of the forms'. */
export function writeResultFile(path: string, forms: { [ending: string]: () => string }): void {
  const form = forms[endingOf(path)];
  if (!form)
    throw new KetbookError(
      `${path} can't be saved: end its name in ${Object.keys(forms).join(", ")} or .svg.`,
    );
  saveDownload(path, form());
}

/** Throws a `KetbookError`: cells in a page read no files. */
export function readResultFile(path: string): never {
  throw new KetbookError(
    `${path} can't be read: cells in a browser have no files. job(qrn) finds a job's results.`,
  );
}
