import { expect, test } from "vitest";
import { ConflictError, createGroup, groups, JobError, job, run } from "../../src/index.ts";
import { bundleOf } from "./bundle.ts";
import { useServiceHere } from "./own-service.ts";
import { bell, endless } from "./programs.ts";

await useServiceHere();

test("a group collects jobs, waits for them, and is closed at the end of its function", async () => {
  const made = await createGroup({ name: "homework", maxTTL: 600 }, async g => {
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
    await using g = await createGroup({ name: "short" });
    qrn = g.qrn;
    expect(g.status).toBe("OPEN");
  }
  await expect(Promise.resolve(run(bell).in(qrn))).rejects.toThrow(ConflictError);
});

test("a group is closed when its function fails, and the failure comes through", async () => {
  let qrn = "";
  const failing = createGroup({}, g => {
    qrn = g.qrn;
    throw new Error("enough");
  });
  await expect(failing).rejects.toThrow("enough");
  await expect(Promise.resolve(run(bell).in(qrn))).rejects.toThrow(ConflictError);
});

test("cancelling a group stops its jobs", async () => {
  const g = await createGroup();
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

test("a group's card lists what failed, and why, however the group was found", async () => {
  const g = await createGroup({ name: "with a slip" });
  await run("OPENQASM 3.0; qubit q; bit c; int n; c = measure q; n = 1 / n;").named("slip").in(g).submit();
  await run(bell).in(g).submit();
  await g.wait();
  const reason = /✗ slip: .*zero/;
  expect(bundleOf(g)["text/plain"]).toMatch(reason);
  const [found] = await groups();
  expect(bundleOf(found!)["text/plain"]).not.toMatch(reason);
  await found!.settled();
  expect(bundleOf(found!)["text/plain"]).toMatch(reason);
});

test("a job's card follows it to its end", async () => {
  const long = await run(endless).submit();
  const drawn: string[] = [];
  const followed = long.settled(() => drawn.push(long.status));
  await expect.poll(() => drawn).toContain("RUNNING");
  await job(long.qrn).cancel();
  await followed;
  expect(bundleOf(long)["text/plain"]).toContain("■ CANCELLED");
  expect(new Set(drawn).size).toBe(drawn.length);
});

test("groups() lists groups, the newest first, as a table", async () => {
  const all = await groups();
  expect(all.length).toBeGreaterThanOrEqual(4);
  expect(bundleOf(all)["text/html"]).toContain("<table");
  expect(await groups({ status: "CANCELLED" })).toHaveLength(1);
});
