import { type Notebook, NotebookError, notebookText, parseNotebook } from "../../ipynb/index.ts";
import { element } from "./element.ts";
import { fileNameOf, setFileName, titleOf } from "./notebook.ts";

const MAX_BYTES = 100_000_000;
const LOADS_WITHIN_MS = 60_000;

/** Reads a notebook file. Throws a `NotebookError` that says what is wrong with it. */
export async function openFile(file: File): Promise<Notebook> {
  if (file.size > MAX_BYTES) throw new NotebookError(`${file.name} is larger than ${MAX_BYTES / 1e6} MB.`);
  return setFileName(parseNotebook(await file.text(), { outputs: true }), file.name);
}

/** Loads a notebook from an address. Throws a `NotebookError` that says why that can't be done. */
export async function openAddress(url: URL): Promise<Notebook> {
  const isOwn = url.origin === location.origin;
  let response: Response;
  try {
    response = await fetch(url, {
      credentials: "omit",
      redirect: "follow",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(LOADS_WITHIN_MS),
    });
  } catch {
    throw new NotebookError(
      isOwn
        ? `${url.pathname} can't be loaded: there is no network, and this browser does not have it.`
        : `${url.host} does not let other pages read this notebook (CORS), or can't be reached. Download the file, and drop it here.`,
    );
  }
  if (!response.ok)
    throw new NotebookError(`${url.href} answers ${response.status}: there is no notebook to read.`);
  return setFileName(parseNotebook(await response.text(), { outputs: true }), decodeURI(url.pathname));
}

const NOTEBOOKS = ".ipynb,application/json";

/** Has the browser ask for a file of some kinds, and returns it; undefined when none was chosen. Default: a notebook. */
export function chooseFile(accept = NOTEBOOKS): Promise<File | undefined> {
  const input = element("input", { type: "file", accept });
  return new Promise(resolve => {
    input.addEventListener("change", () => resolve(input.files?.[0]));
    input.addEventListener("cancel", () => resolve(undefined));
    input.click();
  });
}

/** Saves something among the browser's downloads. */
export function download(name: string, data: string | Uint8Array, type = "application/octet-stream"): void {
  const url = URL.createObjectURL(new Blob([data as BlobPart], { type }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A file name for a notebook: that of its file, or one made from its title. */
const fileName = (notebook: Notebook, ending: string): string =>
  `${
    fileNameOf(notebook) ??
    ((titleOf(notebook) ?? "notebook")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 60) ||
      "notebook")
  }${ending}`;

export const saveNotebook = (notebook: Notebook): void =>
  download(fileName(notebook, ".ipynb"), notebookText(notebook), "application/x-ipynb+json");

/** Saves what the notebook shows as a page that needs nothing else and runs nothing. */
export async function savePage(notebook: Notebook, shown: HTMLElement): Promise<void> {
  const copy = shown.cloneNode(true) as HTMLElement;
  for (const each of copy.querySelectorAll("button, .cm-panels, .cm-tooltip, .cm-layer, .gutter .run"))
    each.remove();
  for (const each of copy.querySelectorAll("[contenteditable], [tabindex]")) {
    each.removeAttribute("contenteditable");
    each.removeAttribute("tabindex");
  }
  const style = Array.from(document.styleSheets, sheet =>
    Array.from(sheet.cssRules, rule => rule.cssText).join("\n"),
  ).join("\n");
  const title = element("title", {}, titleOf(notebook) ?? "Notebook").outerHTML;
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`;
  const head = `<meta charset="utf-8">${policy}<meta name="viewport" content="width=device-width, initial-scale=1">${title}<style>${style.replaceAll("</", "<\\/")}</style>`;
  download(
    fileName(notebook, ".html"),
    `<!doctype html>\n<html lang="en"><head>${head}</head><body>${copy.outerHTML}</body></html>\n`,
    "text/html",
  );
}
