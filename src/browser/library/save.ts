import type { SavedPicture } from "../../charts/save.ts";
import { endingOf, saveDownload } from "./downloads.ts";

/** Saves something among the browser's downloads, in the format of its extension. Throws a `RangeError` for another. */
export function savePicture(path: string, { svg, files }: SavedPicture): void {
  const forms: SavedPicture["files"] = { ".svg": svg, ...files };
  const ending = endingOf(path);
  const write = Object.hasOwn(forms, ending) ? forms[ending] : undefined;
  if (!write)
    throw new RangeError(
      `A browser can't save ${JSON.stringify(ending || path)}: end the name in ${Object.keys(forms).join(", ")}.`,
    );
  saveDownload(path, write());
}
