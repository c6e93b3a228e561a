import type { AuditEvent } from "../store/schema.ts";
import type { Store, StoreTransaction } from "../store/store.ts";

export interface AuditEntry {
  event: AuditEvent;
  /** `key:<id>`, `cli:<user of the operating system>`, or `service`. */
  actor: string;
  /** Default: null. */
  organizationId?: string | null;
  subject: string;
  /** Default: none. Never holds a key, a program or a result. */
  details?: Record<string, unknown>;
}

/** An entry of the audit trail, and when it was made, in milliseconds since 1970. */
export type AuditRecord = Required<AuditEntry> & { time: number };

/** Appends to the audit trail, in the transaction of the recorded change. */
export async function appendAudit(
  transaction: StoreTransaction,
  entries: readonly AuditEntry[],
  now: number,
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ event, actor, organizationId = null, subject, details = {} }) => ({
    created_at: now,
    event,
    actor,
    organization_id: organizationId,
    subject,
    details_json: JSON.stringify(details),
  }));
  await transaction.insertInto("audit_events").values(rows).execute();
}

/** Reads the audit trail, oldest first. */
export async function* readAuditTrail(store: Store): AsyncGenerator<AuditRecord> {
  const PAGE_SIZE = 1000;
  for (let last = 0; ; ) {
    const rows = await store
      .selectFrom("audit_events")
      .selectAll()
      .where("seq", ">", last)
      .orderBy("seq")
      .limit(PAGE_SIZE)
      .execute();
    for (const { seq, created_at, organization_id, details_json, ...row } of rows) {
      yield { ...row, time: created_at, organizationId: organization_id, details: JSON.parse(details_json) };
      last = seq;
    }
    if (rows.length < PAGE_SIZE) return;
  }
}
