import { expect, onTestFinished, test, vi } from "vitest";
import { useServiceHere } from "./own-service.ts";
import { bell, endless } from "./programs.ts";

// The library asks once whether it writes to a terminal, so this file runs in a process of its own.
Object.assign(process.stdout, { isTTY: true, columns: 120 });
await useServiceHere();
const { createGroup, job, run } = await import("../../src/index.ts");

test("waiting for a group says in one line how many of its jobs are over, and leaves nothing behind", async () => {
  const written: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation(text => written.push(String(text)) > 0);
  const g = await createGroup({ name: "homework" });
  await run("OPENQASM 3.0; qubit q; bit c; int n; c = measure q; n = 1 / n;").in(g).submit();
  await run(bell).in(g).submit();
  const long = await run(endless).in(g).submit();
  const waiting = g.wait();
  const all = () => written.join("");
  await expect.poll(all, { timeout: 10_000 }).toMatch(/homework · 2 of 3 · .*✓ 1 completed .*✗ 1 failed/);
  expect(all()).not.toContain("\n");
  await job(long.qrn).cancel();
  await waiting;
  expect(written.at(-1)).toBe("\r\u001b[2K");
  vi.restoreAllMocks();
});

test("waiting for a batch says how many of its programs are done", async () => {
  const written: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation(text => written.push(String(text)) > 0);
  const batch = await run([bell, endless]).named("two").submit();
  const waiting = batch.wait().catch(error => error);
  onTestFinished(async () => {
    await job(batch.qrn)
      .cancel()
      .catch(() => undefined);
    await waiting;
    vi.restoreAllMocks();
  });
  await expect
    .poll(() => written.join(""), { timeout: 30_000 })
    .toMatch(/two · RUNNING · 1 of 2 programs done · /);
}, 60_000);
