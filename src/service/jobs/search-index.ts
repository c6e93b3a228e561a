import { prepareQuery } from "../store/prepared.ts";
import type { Database, JobRow } from "../store/schema.ts";
import type { StoreTransaction } from "../store/store.ts";

const insertWords = prepareQuery((store, row: Database["job_words"]) =>
  store.insertInto("job_words").values(row),
);

/** Writes what a job is found by: its tags, and the words that a search looks through. */
export async function indexForSearch(transaction: StoreTransaction, row: JobRow): Promise<void> {
  const tags = Object.entries(JSON.parse(row.tags_json) as Record<string, string | number | boolean>);
  const words = [row.name ?? "", row.qrn, ...tags.flatMap(([key, value]) => [key, String(value)])];
  const text = words.join("\n").toLowerCase();
  await insertWords(transaction, { user_id: row.user_id, job_seq: row.seq, text });
  if (tags.length === 0) return;
  const rows = tags.map(([key, value]) => ({
    user_id: row.user_id,
    key,
    type: typeof value,
    value: String(value),
    job_seq: row.seq,
  }));
  await transaction.insertInto("job_tags").values(rows).execute();
}

/** Takes away what a job is found by. */
export async function hideFromSearch(
  transaction: StoreTransaction,
  row: Pick<JobRow, "seq" | "user_id">,
): Promise<void> {
  await transaction.deleteFrom("job_tags").where("job_seq", "=", row.seq).execute();
  await transaction
    .deleteFrom("job_words")
    .where("user_id", "=", row.user_id)
    .where("job_seq", "=", row.seq)
    .execute();
}
