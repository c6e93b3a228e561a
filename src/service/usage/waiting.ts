import type { Caller } from "../accounts/caller.ts";
import { HttpError } from "../http-error.ts";
import type { Store, StoreTransaction } from "../store/store.ts";

const RETRY_SECONDS = 10;

/** Counts the unfinished jobs of each of these users. */
export async function countUnfinished(
  store: Store,
  userIds: readonly number[],
): Promise<Map<number, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await store
    .selectFrom("jobs")
    .select(eb => ["user_id", eb.fn.countAll<number>().as("jobs")])
    .where("user_id", "in", userIds)
    .where("ended_at", "is", null)
    .groupBy("user_id")
    .execute();
  return new Map(rows.map(({ user_id, jobs }) => [user_id, jobs]));
}

/**
 * Returns HttpErrors (429) for new jobs beyond the unfinished ones that their users may have. The organizations' storage
 * has to be locked before, which keeps other submissions of the user out.
 */
export async function refuseWaiting<Demand extends { caller: Caller }>(
  transaction: StoreTransaction,
  demands: readonly Demand[],
): Promise<Map<Demand, HttpError>> {
  const refused = new Map<Demand, HttpError>();
  const limited = demands.filter(({ caller }) => caller.budget?.max_waiting_jobs != null);
  const counts = await countUnfinished(
    transaction,
    limited.map(({ caller }) => caller.userId),
  );
  for (const demand of limited) {
    const { userId, budget } = demand.caller;
    const limit = budget!.max_waiting_jobs!;
    const jobs = (counts.get(userId) ?? 0) + 1;
    if (jobs <= limit) counts.set(userId, jobs);
    else {
      const message = `You have ${jobs - 1} unfinished jobs, as many as your own budget allows. Submit this one when some have ended, or cancel some.`;
      refused.set(
        demand,
        new HttpError("QUOTA_EXCEEDED", message, { headers: { "Retry-After": String(RETRY_SECONDS) } }),
      );
    }
  }
  return refused;
}
