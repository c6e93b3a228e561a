import { toBase64 } from "#host";
import type { Notebook } from "../../ipynb/index.ts";
import { type CellType, newCell, newNotebook } from "./notebook.ts";

/** Prefix of a link that contains a notebook. */
const PREFIX = "#n=";
const TYPES: readonly CellType[] = ["code", "markdown", "raw"];
const MAX_BYTES = 5_000_000;
const MAX_CELLS = 2000;

/** Thrown where a link carries no notebook: says why, to the reader. */
export class LinkError extends Error {
  override name = "LinkError";
}

/**
 * Makes the part of a link after the page's address that carries a notebook: the sources of its cells, compressed.
 *
 * @example
 * const link = location.origin + location.pathname + (await linkOf(notebook));
 */
export async function linkOf({ cells }: Notebook): Promise<string> {
  const sources = cells.map(({ cell_type, source }) => `${TYPES.indexOf(cell_type)}${source}`);
  const bytes = new TextEncoder().encode(JSON.stringify(sources));
  const packed = await collect(streamOf(bytes).pipeThrough(new CompressionStream("deflate-raw")), MAX_BYTES);
  return PREFIX + toBase64Url(packed);
}

/** Reads the notebook that a link carries; undefined for a link without one. Throws a `LinkError` for a broken one. */
export async function notebookIn(hash: string): Promise<Notebook | undefined> {
  if (!hash.startsWith(PREFIX)) return undefined;
  try {
    const packed = fromBase64Url(hash.slice(PREFIX.length));
    const bytes = await collect(
      streamOf(packed).pipeThrough(new DecompressionStream("deflate-raw")),
      MAX_BYTES,
    );
    const sources: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (!Array.isArray(sources)) throw new LinkError("it holds no cells");
    if (sources.length > MAX_CELLS) throw new LinkError(`it has more than ${MAX_CELLS} cells`);
    return newNotebook(
      sources.map(source => {
        const type = typeof source === "string" ? TYPES[Number(source[0])] : undefined;
        if (type === undefined) throw new LinkError("a cell of it is of no known kind");
        return newCell(type, (source as string).slice(1));
      }),
    );
  } catch (error) {
    const why = error instanceof LinkError ? error.message : "a part of it is missing or was changed";
    throw new LinkError(`The notebook in this link cannot be read: ${why}. Ask for the link again.`, {
      cause: error,
    });
  }
}

const streamOf = (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes]).stream();

async function collect(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream) {
    size += piece.length;
    if (size > limit) throw new LinkError(`it is larger than ${limit / 1e6} MB`);
    pieces.push(piece);
  }
  return new Uint8Array(await new Blob(pieces as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), each => each.charCodeAt(0));
}
