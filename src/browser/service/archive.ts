import { exportStore } from "../../service/archive/export.ts";
import { writeLines } from "../../service/archive/format.ts";
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
