import { expect, test, vi } from "vitest";
import { group, job, run } from "../../src/index.ts";
import { useOwnService } from "./own-service.ts";
import { bell, endless } from "./programs.ts";

useOwnService();
process.stdout.isTTY = true;
process.stdout.columns = 120;

test("waiting for a group says in one line how many of its jobs are over, and leaves nothing behind", async () => {
  const written: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation(text => written.push(String(text)) > 0);
  const g = await group({ name: "homework" });
  await run("OPENQASM 3.0; qubit q; hh q;").in(g).submit();
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
