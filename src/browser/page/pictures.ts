import { bundlesOf } from "../../ipynb/bundles.ts";
import type { Notebook, RichOutput } from "../../ipynb/format.ts";

const FILE = /^pictures\/[\da-f]{16}\.png$/;
const PNG = "image/png";

/** The address of a picture that the site has in a file of its own, which is loaded when it comes into view; undefined for none. */
export function stillOf(metadata: RichOutput["metadata"]): string | undefined {
  const { file } = (metadata[PNG] ?? {}) as { file?: unknown };
  return typeof file === "string" && FILE.test(file)
    ? new URL(`notebooks/${file}`, document.baseURI).href
    : undefined;
}

/** Puts the pictures that are in files of the site into the outputs of a notebook, which is to be saved. */
export async function embedPictures(notebook: Notebook): Promise<void> {
  for (const { data, metadata } of bundlesOf(notebook)) {
    const still = stillOf(metadata);
    const response = still === undefined ? undefined : await fetch(still);
    if (!response?.ok) continue;
    const bytes = new Uint8Array(await response.arrayBuffer());
    data[PNG] = btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""));
    const { file: _, ...size } = metadata[PNG] as { file?: string };
    metadata[PNG] = size;
  }
}
