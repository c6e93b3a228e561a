import * as fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bell, bellJob, type Serving, serving } from "../serving.ts";

let service: Serving;
beforeAll(async () => {
  service = await serving();
});
afterAll(() => service[Symbol.asyncDispose]());

const broken = { ...bell, data: "nonsense" };
const slow = {
  format: "qasm3",
  data: 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[16] q;\nbit c;\nfor int i in [0:9] { h q; }\nc = measure q[0];',
};

test("whatever happens at once, each job is settled once, and every group and balance is right", {
  timeout: 60_000,
}, async () => {
  const action = fc.record({
    what: fc.constantFrom(
      "submit",
      "submit",
      "submit",
      "cancel",
      "delete",
      "close",
      "cancelGroup",
      "getGroup",
    ),
    pick: fc.nat(),
    program: fc.constantFrom(bell, bell, broken, slow),
    wait: fc.nat({ max: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 60 }), async actions => {
      const user = await service.user();
      const groups: string[] = [];
      for (let at = 0; at < 2; at += 1)
        groups.push((await user.call("POST", "/jobs/group")).body.data.groupJobQrn);
      const jobs: string[] = [];
      const running = actions.map(async ({ what, pick, program, wait }) => {
        await new Promise(resolve => setTimeout(resolve, wait));
        const group = groups[pick % groups.length]!;
        const job = jobs.at(pick % Math.max(1, jobs.length)) ?? "none";
        const answer = await {
          submit: () =>
            user.call("POST", "/jobs", bellJob({ program, ...(pick % 2 ? { groupJobQrn: group } : {}) })),
          cancel: () => user.call("POST", `/jobs/${job}/cancel`),
          delete: () => user.call("DELETE", `/jobs/${job}`),
          close: () => user.call("POST", `/jobs/group/${group}/close`),
          cancelGroup: () => user.call("POST", `/jobs/group/${group}/cancel`),
          getGroup: () => user.call("GET", `/jobs/group/${group}`),
        }[what]();
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
        if (what === "submit" && answer.status === 201) jobs.push(answer.body.data.jobQrn);
      });
      await Promise.all(running);
      const rows = () =>
        service.store.selectFrom("jobs").selectAll().where("user_id", "=", user.userId).execute();
      await expect
        .poll(async () => (await rows()).filter(row => row.ended_at === null).length, { timeout: 20_000 })
        .toBe(0);

      const ended = await rows();
      expect(ended.map(row => row.qrn).sort()).toEqual(jobs.sort());
      for (const row of ended) expect(row.cost).toBe(row.status === "COMPLETED" ? 375_000 : 0);
      const spent = ended.reduce((sum, row) => sum + row.cost!, 0);
      const { svcCredits } = (await user.call("GET", "/billing/credits/balance")).body.data;
      expect(svcCredits).toBe((1_000_000_000 - spent) / 1_000_000);
      for (const qrn of groups) {
        const { status } = (await user.call("GET", `/jobs/group/${qrn}`)).body.data;
        const children = ended.filter(row => `group:${row.group_id}` === qrn);
        if (status === "OPEN") expect(children).toEqual([]);
        if (status === "COMPLETED") expect(children.every(row => row.status === "COMPLETED")).toBe(true);
        if (status === "FAILED") expect(children.some(row => row.status !== "COMPLETED")).toBe(true);
      }
      const { rows: sums } = await sql<{
        sum: number;
      }>`select sum(amount) as sum from ledger_postings`.execute(service.store);
      expect(sums[0]?.sum).toBe(0);
    }),
    { numRuns: 12 },
  );
  const errors = service.logged.filter(line => "error" in line.fields);
  expect(errors).toEqual([]);
});
