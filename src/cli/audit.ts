import { once } from "node:events";
import { Command } from "commander";
import { type AuditRecord, readAuditTrail } from "../service/accounts/audit-trail.ts";
import { type Place, withPlace } from "./place.ts";
import { withStore } from "./store.ts";

/** `ketbook audit`: shows what was done to keys, credits and jobs, whether or not the service runs. */
export function auditCommand(): Command {
  return withPlace(new Command("audit"))
    .description("show the audit trail: what was done to keys, credits and jobs, oldest first")
    .option("--json", "print JSON, an object a line")
    .action(({ json, ...place }: Place & { json?: boolean }) =>
      withStore("audit", place, async store => {
        for await (const record of readAuditTrail(store)) {
          const time = new Date(record.time).toISOString();
          const line = json ? JSON.stringify({ ...record, time }) : toLine(record, time);
          if (!process.stdout.write(`${line}\n`)) await once(process.stdout, "drain");
        }
      }),
    );
}

function toLine({ event, actor, subject, details }: AuditRecord, time: string): string {
  const more = Object.entries(details).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [time, event, JSON.stringify(subject).slice(1, -1), `by ${actor}`, ...more].join("  ");
}
