import { KetbookError } from "../../client/errors.ts";

const DOWNLOAD = Symbol.for("ketbook.download");

/** Saves a kernel's file through the browser, into the downloads folder. */
export type Download = (name: string, data: string | Uint8Array) => void;

/** Says what saves files. */
export function setDownload(download: Download): void {
  Object.defineProperty(globalThis, DOWNLOAD, { value: download, configurable: true });
}

/** Saves a file among the browser's downloads. */
export function saveDownload(path: string, data: string | Uint8Array): void {
  const download = (globalThis as { [DOWNLOAD]?: Download })[DOWNLOAD];
  if (!download) throw new KetbookError(`${path} can't be saved here.`);
  download(path.replace(/^.*[\\/]/, "") || "download", data);
}

/** The ending of a file's name, such as `.svg`. */
export const endingOf = (path: string): string => /\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? "";
