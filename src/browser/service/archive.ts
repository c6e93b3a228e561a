import { exportStore } from "../../service/archive/export.ts";
import { damaged, writeLines } from "../../service/archive/format.ts";
import type { Store } from "../../service/store/store.ts";

/** Answers with all that a store keeps, as an archive like that of `ketbook export`, which `ketbook import` reads. */
export async function exportArchive(store: Store, now: number): Promise<Response> {
  const lines = await store.transaction().execute(async transaction => {
    const written: BlobPart[] = [];
    for await (const bytes of writeLines(exportStore(transaction, now))) written.push(bytes as BlobPart);
    return written;
  });
  const archive = new Blob(lines).stream().pipeThrough(new CompressionStream("gzip"));
  return new Response(archive, { headers: { "Content-Type": "application/gzip" } });
}

/** Reads the bytes of an archive, compressed or not. Throws a `StoreError` where they can't be unpacked. */
export async function readArchive(bytes: ArrayBuffer): Promise<AsyncIterable<Uint8Array>> {
  const [first, second] = new Uint8Array(bytes);
  const stream = new Blob([bytes]).stream();
  if (first !== 0x1f || second !== 0x8b) return stream;
  return unpacked(stream.pipeThrough(new DecompressionStream("gzip")));
}

async function* unpacked(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch {
    throw damaged("it can't be unpacked");
  }
}
