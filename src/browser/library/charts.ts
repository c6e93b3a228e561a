import type { SavedPicture, Theme } from "../../charts/index.ts";
import { loadVega } from "../../charts/svg/index.ts";
import { KetbookError } from "../../client/index.ts";

const DOWNLOAD = Symbol.for("ketbook.download");

export type Download = (name: string, data: string | Uint8Array) => void;

export function setDownload(download: Download): void {
  Object.defineProperty(globalThis, DOWNLOAD, { value: download, configurable: true });
}

function saveDownload(path: string, data: string | Uint8Array): void {
  const download = (globalThis as { [DOWNLOAD]?: Download })[DOWNLOAD];
  if (!download) throw new KetbookError(`${path} can't be saved here.`);
  download(path.replace(/^.*[\\/]/, "") || "download", data);
}

/** The ending of a file's name, such as `.svg`. */
export const endingOf = (path: string): string => /\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? "";

type Renderer = { renderSvg(spec: object): string };

let loading: Promise<Renderer> | undefined;
let renderer: Renderer | undefined;

/** Loads Vega, once. */
export async function loadRenderer(): Promise<void> {
  loading ??= loadVega();
  renderer = await loading;
}

/** Draws a Vega-Lite specification as SVG, at once. Throws a `KetbookError` where Vega is not loaded. */
export function renderSvg(spec: object): string {
  if (!renderer) {
    void loadRenderer();
    throw new KetbookError("Charts are still loading. Rerun this cell.");
  }
  return renderer.renderSvg(spec);
}

/** Saves something among the browser's downloads, in the format of its extension. Throws a `KetbookError` for another. */
export function savePicture(path: string, { svg, files }: SavedPicture): void {
  const forms: SavedPicture["files"] = { ".svg": svg, ...files };
  const ending = endingOf(path);
  const write = Object.hasOwn(forms, ending) ? forms[ending] : undefined;
  if (!write)
    throw new KetbookError(
      `A browser cannot save ${JSON.stringify(ending || path)}. End the name in ${Object.keys(forms).join(", ")}.`,
    );
  saveDownload(path, write());
}

/** Throws a `KetbookError`: the page saves its whole notebook as HTML instead. */
export function chartPage(): never {
  throw new KetbookError(
    "A browser cannot make a page of a chart. Save the notebook as HTML, or use toSVG().",
  );
}

/** Returns a picture as it is: a page has no font files, and its pictures take fonts of the machine. */
export const embedFonts = (drawing: string): string => drawing;

/** Throws a `RangeError` for a theme with font files, which a page does not have. */
export function checkFont(textFont: Theme["font"]): void {
  if (typeof textFont !== "string")
    throw new RangeError(
      'font: a browser has no font files. Take "Inter", "STIX Two Text" or "DejaVu Sans Mono".',
    );
}

/** False if pictures can't be drawn here; front ends then draw charts from their specifications. */
export const drawsPng = false;

/** Throws a `KetbookError`: the page can't draw pictures. */
export function svgToPng(): never {
  throw new KetbookError('A browser cannot draw PNG. Save the chart as "chart.svg", or use toSVG().');
}

/** Saves results among the browser's downloads. Throws a `KetbookError` for an ending that is none of the forms'. */
export function saveResult(
  path: string,
  { json, csv, show }: { json(): unknown; csv(): string; show(): void },
): void {
  const ending = endingOf(path);
  if (ending === ".json") saveDownload(path, `${JSON.stringify(json())}\n`);
  else if (ending === ".csv") saveDownload(path, csv());
  else if ([".svg", ".pdf", ".png", ".html", ".txt"].includes(ending)) show();
  else throw new KetbookError(`${path} can't be saved: end its name in .json, .csv or .svg.`);
}

/** Throws a `KetbookError`: cells in a page read no files. */
export function readResultFile(path: string): never {
  throw new KetbookError(
    `${path} cannot be read, since cells in a browser have no files. Find a job's results with job(qrn).`,
  );
}
