import { prepareRows } from "../store/prepared.ts";
import type { Database, JobRow } from "../store/schema.ts";
import type { StoreTransaction } from "../store/store.ts";

const insertWords = prepareRows((store, rows: Database["job_words"][]) =>
  store.insertInto("job_words").values(rows),
);

const insertTags = prepareRows((store, rows: Database["job_tags"][]) =>
  store.insertInto("job_tags").values(rows),
);

/** Writes what jobs are found by: their tags, and the words that a search looks through. */
export async function indexForSearch(transaction: StoreTransaction, rows: readonly JobRow[]): Promise<void> {
  const jobs = rows.map(({ seq, user_id, name, qrn, tags_json }) => {
    const tags = Object.entries(JSON.parse(tags_json) as Record<string, string | number | boolean>);
    const words = [name ?? "", qrn, ...tags.flatMap(([key, value]) => [key, String(value)])];
    return { user_id, job_seq: seq, text: words.join("\n").toLowerCase(), tags };
  });
  await insertWords(
    transaction,
    jobs.map(({ user_id, job_seq, text }) => ({ user_id, job_seq, text })),
  );
  const tags = jobs.flatMap(({ user_id, job_seq, tags }) =>
    tags.map(([key, value]) => ({ user_id, key, type: typeof value, value: String(value), job_seq })),
  );
  await insertTags(transaction, tags);
}

/** Takes away what jobs of a user are found by. */
export async function hideFromSearch(
  transaction: StoreTransaction,
  userId: number,
  seqs: readonly number[],
): Promise<void> {
  await transaction.deleteFrom("job_tags").where("job_seq", "in", seqs).execute();
  await transaction
    .deleteFrom("job_words")
    .where("user_id", "=", userId)
    .where("job_seq", "in", seqs)
    .execute();
}
