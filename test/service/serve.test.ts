import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openStoreOf } from "../../src/service/node/sqlite/open.ts";
import { newFolder } from "../folder.ts";
import { ketbookHere } from "./command-line.ts";
import { ketbook, servingProcess, spawnServe } from "./process.ts";
import { caller, endlessOn12 as endless, serving } from "./serving.ts";

const mode = (path: string) => statSync(path).mode & 0o777;

describe("ketbook serve", () => {
  test("announces itself in the data folder, readable by its owner only, where a second one ends with 3; takes that back when it ends, and keeps its key out of the store", async () => {
    const folder = newFolder();
    await using service = await servingProcess(folder);
    const announced = JSON.parse(readFileSync(join(folder, "service.json"), "utf8"));
    expect(announced).toMatchObject({ url: service.url, apiKey: service.apiKey, pid: service.child.pid });
    expect(service.legacyUrl).toBe(service.url.replace(/\/v1$/, ""));
    expect([mode(folder), mode(join(folder, "service.json")), mode(join(folder, "owner.key"))]).toEqual([
      0o700, 0o600, 0o600,
    ]);
    const { code, stderr } = await ketbook("serve", "--port", "0", "--data", folder);
    expect([code, stderr]).toEqual([3, expect.stringContaining(service.url)]);
    expect(await service.end()).toBe(0);
    expect(existsSync(join(folder, "service.json"))).toBe(false);
    expect(readFileSync(join(folder, "ketbook.sqlite")).includes(service.apiKey)).toBe(false);
  });

  test("a service that was suspended for longer than it may be idle answers what came in meanwhile, and ends once it has been idle", async () => {
    await using service = await servingProcess(newFolder(), "--idle-exit", "2");
    const { call } = caller(service.url, service.apiKey);
    await call("GET", "/jobs");
    service.child.kill("SIGSTOP");
    const answers = Promise.all(Array.from({ length: 5 }, () => call("GET", "/jobs")));
    await sleep(2600);
    service.child.kill("SIGCONT");
    expect((await answers).map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(await service.exited).toBe(0);
  });

  test("SIGTERM puts a running job back into the queue, and the next start runs it on", async () => {
    const folder = newFolder();
    await using first = await servingProcess(folder);
    const running = caller(first.url, first.apiKey);
    const { jobQrn } = await running.submit({ program: endless });
    await running.ended(jobQrn, "RUNNING");
    expect(await first.end()).toBe(0);
    await using second = await serving({ folder });
    await second.ended(jobQrn, "RUNNING");
    await second.call("POST", `/jobs/${jobQrn}/cancel`);
    await second.ended(jobQrn);
  });

  test("the folder is free again after kill -9, its key is the same, and a job that was there when the service broke down twenty times is given up, at no cost", async () => {
    const folder = newFolder();
    await using first = await servingProcess(folder);
    const running = caller(first.url, first.apiKey);
    const { jobQrn } = await running.submit({ program: endless });
    await running.ended(jobQrn, "RUNNING");
    await first.end("SIGKILL");
    const store = await openStoreOf(folder);
    await store.updateTable("jobs").set({ crashes: 19 }).execute();
    await store.destroy();
    await using second = await serving({ folder });
    expect(second.service.apiKey).toBe(first.apiKey);
    expect((await second.call("GET", "/devices")).status).toBe(200);
    const job = await second.ended(jobQrn);
    expect(job).toMatchObject({
      status: "FAILED",
      cost: 0,
      statusMsg: expect.stringContaining("twenty times"),
    });
  });

  test("a reader of its log who stops to read does not hold it up, nor does one who goes away", async () => {
    const folder = newFolder();
    const child = spawnServe(folder);
    const [line] = await once(child.stdout, "data");
    const { url, apiKey } = JSON.parse(String(line));
    const { call } = caller(url, apiKey);
    const many = async (requests: number) => {
      for (let at = 0; at < requests; at += 1)
        expect((await call("GET", `/jobs/${"x".repeat(2000)}`)).status).toBe(404);
      expect((await call("GET", "/jobs")).status).toBe(200);
    };
    // A pipe holds up to 208 KiB, a line of the log is longer than 2,000 bytes.
    await many(150);
    child.stderr.destroy();
    child.stdout.destroy();
    await many(40);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  }, 120_000);

  test("a catalogue that is not valid ends it with a sentence", async () => {
    const { code, stderr } = await ketbookHere("serve", "--data", newFolder(), "--catalogue", "/dev/null");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^ketbook serve: The catalogue \/dev\/null cannot be read/);
  });
});
