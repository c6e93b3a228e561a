import { expect, test } from "vitest";
import { ConflictError, group, groups, JobError, qasm, run } from "../../src/index.ts";
import { bundleOf } from "./bundle.ts";
import { useOwnService } from "./own-service.ts";
import { bell } from "./programs.ts";

useOwnService();

const endless = qasm`
  OPENQASM 3.0;
  include "stdgates.inc";
  qubit[20] q;
  bit[20] c;
  for int i in [0:100000] { h q; cx q[0], q[1]; rx(0.1) q; }
  c = measure q;
`;

test("a group collects jobs, waits for them, and is closed at the end of its function", async () => {
  const made = await group({ name: "homework", maxTTL: 600 }, async g => {
    await Promise.all([run(bell).shots(5).in(g), run(bell).shots(6).in(g.qrn)]);
    expect(await g.jobs()).toHaveLength(2);
    return g.wait();
  });
  await made.refresh();
  expect(made.status).toBe("COMPLETED");
  expect(made.record).toMatchObject({ name: "homework", jobCount: 2, completedCount: 2, maxTTL: 600 });
  expect(bundleOf(made)["text/html"]).toContain("homework");
});

test("`await using` closes a group too, and nothing enters a closed one", async () => {
  let qrn: string;
  {
    await using g = await group({ name: "short" });
    qrn = g.qrn;
    expect(g.status).toBe("OPEN");
  }
  await expect(Promise.resolve(run(bell).in(qrn))).rejects.toThrow(ConflictError);
});

test("a group is closed when its function fails, and the failure comes through", async () => {
  let qrn = "";
  const failing = group({}, g => {
    qrn = g.qrn;
    throw new Error("enough");
  });
  await expect(failing).rejects.toThrow("enough");
  await expect(Promise.resolve(run(bell).in(qrn))).rejects.toThrow(ConflictError);
});

test("cancelling a group stops its jobs", async () => {
  const g = await group();
  const long = await run(endless).in(g).submit();
  await g.cancel();
  expect(g.status).toBe("CANCELLED");
  const error: JobError = await long.wait().catch(e => e);
  expect(error).toBeInstanceOf(JobError);
  expect(error.status).toBe("CANCELLED");
});

test("a job that is cancelled ends at once, and says so", async () => {
  const long = await run(endless).submit();
  await long.cancel();
  const error: JobError = await long.wait({ timeout: 10_000 }).catch(e => e);
  expect(error.status).toBe("CANCELLED");
});

test("groups() lists groups, the newest first, as a table", async () => {
  const all = await groups();
  expect(all.length).toBeGreaterThanOrEqual(4);
  expect(bundleOf(all)["text/html"]).toContain("<table");
  expect(await groups().filter({ status: "CANCELLED" })).toHaveLength(1);
});
