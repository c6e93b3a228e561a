import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { storePath } from "../../../src/service/node/sqlite/open.ts";
import { newFolder } from "../../folder.ts";
import { serving } from "../serving.ts";

const CANCELS = 600;

/** Writes many copies of a job that are to be cancelled, as the cancelling of a large group leaves them. */
function copyJob(folder: string, qrn: string): void {
  using database = new DatabaseSync(storePath(folder));
  const columns = database
    .prepare("select name from pragma_table_info('jobs') where name not in ('seq', 'idempotency_key')")
    .all()
    .map(({ name }) => String(name));
  const values = columns.map(name => {
    if (name === "qrn") return "qrn || '-' || n";
    if (name === "status") return "'CANCELLING'";
    return ["started_at", "ended_at", "worker_id"].includes(name) ? "null" : name;
  });
  database
    .prepare(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${CANCELS})
       insert into jobs (${columns.join()}) select ${values.join()} from jobs, numbers where qrn = ?`,
    )
    .run(qrn);
}

test("a job that another process cancels as it ends is logged as cancelled", async () => {
  await using service = await serving();
  const cancel = service.store
    .updateTable("jobs")
    .set({ status: "CANCELLING" })
    .where("worker_id", "is not", null)
    .where("ended_at", "is", null);
  const jobs = Array.from({ length: 40 }, async () => service.ended((await service.submit()).jobQrn));
  const ended = Promise.all(jobs);
  while (!(await Promise.race([ended, sleep(2, undefined)]))) await cancel.execute();
  const expected = (await ended).map(({ status }) => status.toLowerCase()).sort();
  expect(expected).toContain("cancelled");
  const runs = () => service.logged.filter(({ event }) => event === "run");
  await expect
    .poll(() =>
      runs()
        .map(({ fields }) => String(fields.outcome))
        .sort(),
    )
    .toEqual(expected);
});

test("jobs are claimed while hundreds of others are cancelled", async () => {
  const folder = newFolder();
  {
    await using service = await serving({ folder });
    copyJob(folder, (await service.ended((await service.submit()).jobQrn)).jobQrn);
  }
  await using service = await serving({ folder });
  const { jobQrn } = await service.ended((await service.submit()).jobQrn);
  const cancelled = async () => (await service.call("GET", "/jobs/statuses")).body.data.CANCELLED;
  await expect.poll(cancelled, { timeout: 25_000 }).toBe(CANCELS);
  const { before, after } = await service.store
    .selectFrom("jobs as other")
    .innerJoin("jobs as own", join => join.on("own.qrn", "=", jobQrn))
    .where("other.status", "=", "CANCELLED")
    .select(eb => [
      eb.fn.countAll<number>().filterWhere("other.ended_at", "<=", eb.ref("own.started_at")).as("before"),
      eb.fn.countAll<number>().filterWhere("other.ended_at", ">", eb.ref("own.started_at")).as("after"),
    ])
    .executeTakeFirstOrThrow();
  expect(before + after).toBe(CANCELS);
  expect(after).toBeGreaterThan(0);
});
