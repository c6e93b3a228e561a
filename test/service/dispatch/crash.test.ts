import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openStoreOf } from "../../../src/service/node/sqlite/open.ts";
import { newFolder } from "../../folder.ts";
import { servingProcess } from "../process.ts";
import { bell, caller, serving } from "../serving.ts";

const slow = {
  format: "qasm3",
  data: 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[16] q;\nbit c;\nfor int i in [0:20] { h q; }\nc = measure q[0];',
};

test("kill -9 at any moment loses no accepted job, and every job is charged exactly once", {
  timeout: 180_000,
}, async () => {
  const folder = newFolder();
  const accepted = new Set<string>();
  for (const delay of [15, 50, 120, 250, undefined]) {
    await using service = await servingProcess(folder);
    const { submit } = caller(service.url, service.apiKey);
    const submissions = Array.from({ length: 8 }, (_, at) =>
      submit({ program: at % 3 === 0 ? slow : bell }).then(
        job => accepted.add(job.jobQrn),
        () => {},
      ),
    );
    await (delay === undefined ? Promise.race(submissions) : sleep(delay));
    await service.end("SIGKILL");
    await Promise.all(submissions);
  }
  expect(accepted.size).toBeGreaterThan(0);
  await using running = await serving({ folder });
  const { call, ended, service } = running;
  let total = 0;
  for (const { jobQrn } of (await call("GET", "/jobs?limit=100")).body.data) {
    const job = await ended(jobQrn);
    expect(job).toMatchObject({ status: "COMPLETED", statusMsg: null, cost: 0.375 });
    accepted.delete(jobQrn);
    total += 1;
  }
  expect(accepted).toEqual(new Set());
  const { data } = (await call("GET", "/billing/credits/balance")).body;
  expect(data.svcCredits).toBe(1_000_000 - total * 0.375);
  await service.stop();
  const store = await openStoreOf(folder);
  const charges = await store
    .selectFrom("ledger_postings")
    .select("amount")
    .where("kind", "=", "charge")
    .execute();
  expect(charges).toHaveLength(2 * total);
  const held = await store.selectFrom("ledger_holds").selectAll().where("state", "=", "pending").execute();
  expect(held).toEqual([]);
  const { sum } = await store
    .selectFrom("ledger_postings")
    .select(eb => eb.fn.sum<number>("amount").as("sum"))
    .executeTakeFirstOrThrow();
  expect(Number(sum)).toBe(0);
  await store.destroy();
});
