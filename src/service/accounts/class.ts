import { sql } from "kysely";
import { balanceOf, payerOf } from "../billing/ledger.ts";
import { toCredits } from "../billing/price.ts";
import { StoreError } from "../storage-errors.ts";
import { BUDGET_COLUMNS } from "../store/schema.ts";
import { type Store, transact } from "../store/store.ts";
import { appendAudit } from "./audit-trail.ts";
import { addKey, type KeyRequest, OWNER_NAME } from "./members.ts";

/** Students whose keys are made in one transaction, which keeps other writes out. */
const STUDENTS_TOGETHER = 50;

/**
 * Makes a key for every student who has none that is valid, and the class as an organization. Returns the new keys as they
 * are kept, some at a time.
 */
export async function* addStudents(
  store: Store,
  students: readonly string[],
  request: Omit<KeyRequest, "user">,
  now: number,
): AsyncGenerator<{ user: string; apiKey: string }[]> {
  checkName(request.organization);
  const holders = new Set((await validKeys(store, request.organization, now)).map(({ name }) => name));
  const missing = students.filter(student => !holders.has(student));
  for (let start = 0; start < missing.length; start += STUDENTS_TOGETHER) {
    const together = missing.slice(start, start + STUDENTS_TOGETHER);
    yield await transact(store, async transaction => {
      const made = [];
      for (const user of together) {
        const { apiKey } = await addKey(transaction, { ...request, user }, now);
        made.push({ user, apiKey });
      }
      return made;
    });
  }
}

/** Throws a `StoreError` for the organization of the store's own user, who would lose the key that the service needs. */
function checkName(organization: string): void {
  if (organization === OWNER_NAME)
    throw new StoreError(`${OWNER_NAME} is the service's own organization. Give the class another name.`);
}

const validKeys = (store: Store, organization: string, now: number) =>
  store
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "user_id")
    .innerJoin("organizations", "organizations.id", "users.organization_id")
    .select(["api_keys.id", "hint", "users.name", "organization_id"])
    .where("organizations.name", "=", organization)
    .where("revoked_at", "is", null)
    .where(eb => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .execute();

interface StudentUsage {
  user: string;
  jobs: number;
  completed: number;
  failed: number;
  unfinished: number;
  creditsSpent: number;
  /** Those that the student may still spend: their own, or the organization's. */
  creditsLeft: number;
  storedBytes: number;
  /** Time of the last submission (ISO 8601); null if there is none. */
  lastJob: string | null;
}

/** Reports what each student of a class has used, deleted jobs included. Throws a `StoreError` for an unknown class. */
export async function reportClass(store: Store, organization: string): Promise<StudentUsage[]> {
  await requireOrganization(store, organization);
  const count = (condition: string) =>
    sql<number>`coalesce(sum(case when ${sql.raw(condition)} then 1 else 0 end), 0)`;
  const rows = await store
    .selectFrom("users")
    .innerJoin("organizations", "organizations.id", "users.organization_id")
    .leftJoin("jobs", "jobs.user_id", "users.id")
    .leftJoin("user_storage", "user_storage.user_id", "users.id")
    .select(["users.id", "users.name", "users.organization_id", ...BUDGET_COLUMNS])
    .select(eb => [
      eb.fn.count<number>("jobs.seq").as("jobs"),
      count("status = 'COMPLETED'").as("completed"),
      count("status = 'FAILED'").as("failed"),
      count("seq is not null and ended_at is null").as("unfinished"),
      sql<number>`coalesce(sum(cost), 0)`.as("cost"),
      eb.fn.max("jobs.created_at").as("last"),
      eb.fn.max("bytes").as("bytes"),
    ])
    .where("organizations.name", "=", organization)
    .groupBy("users.id")
    .orderBy("users.name")
    .execute();
  const report: StudentUsage[] = [];
  for (const { id, name, organization_id, cost, last, bytes, ...row } of rows) {
    const { jobs, completed, failed, unfinished } = row;
    const payer = payerOf({ userId: id, organizationId: organization_id, budget: row });
    report.push({
      ...{ user: name, jobs, completed, failed, unfinished },
      creditsSpent: toCredits(cost),
      creditsLeft: toCredits(await balanceOf(store, payer)),
      storedBytes: bytes ?? 0,
      lastJob: last === null ? null : new Date(last).toISOString(),
    });
  }
  return report;
}

/** Revokes every key of a class; all else stays. Returns the number of keys. Throws a `StoreError` for an unknown class. */
export async function endClass(
  store: Store,
  organization: string,
  now: number,
  actor: string,
): Promise<number> {
  checkName(organization);
  await requireOrganization(store, organization);
  return transact(store, async transaction => {
    const keys = await validKeys(transaction, organization, now);
    for (const { id } of keys)
      await transaction.updateTable("api_keys").set({ revoked_at: now }).where("id", "=", id).execute();
    const entries = keys.map(({ id, hint, name: user, organization_id: organizationId }) => ({
      ...({ event: "key.revoked", actor, organizationId, subject: id } as const),
      details: { user, hint },
    }));
    for (let start = 0; start < entries.length; start += 100)
      await appendAudit(transaction, entries.slice(start, start + 100), now);
    return keys.length;
  });
}

async function requireOrganization(store: Store, name: string): Promise<void> {
  const rows = await store.selectFrom("organizations").select("name").orderBy("name").execute();
  if (rows.some(row => row.name === name)) return;
  throw new StoreError(
    `There is no class ${name}. There are ${rows.map(row => row.name).join(", ") || "none"}.`,
  );
}
