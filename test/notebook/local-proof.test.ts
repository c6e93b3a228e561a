import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { openClient } from "../../src/client/client.ts";
import { compareVersions, type LocalService, SERVICE_FILE } from "../../src/contract/local.ts";
import { Ketbook } from "../../src/index.ts";
import { localEndpoint } from "../../src/notebook/connection/local-service.ts";
import { listening } from "../client/answering.ts";
import { bell, endless } from "../service/serving.ts";
import { endService, isAlive, serviceOf } from "./own-service.ts";

// Tests go on with the service of the one before, if that one left any.
const folder = mkdtempSync(join(tmpdir(), "ketbook-local-"));
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await endService(folder);
  rmSync(folder, { recursive: true, force: true });
});

const stale = { apiKey: `kb_${"5".repeat(48)}`, pid: process.pid, version: manifest.version };

/** Puts a process on the port that a service file names, and notes what that process is sent. */
async function impostor(answer: (request: IncomingMessage, response: ServerResponse) => void, port = 0) {
  const received: string[] = [];
  const server = await listening((request, response) => {
    received.push(JSON.stringify([request.url, request.rawHeaders]));
    answer(request, response);
  }, port);
  const service: LocalService = { ...stale, url: `${server.origin}/api/v1` };
  return { received, service, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const name = (service: LocalService) => writeFileSync(join(folder, SERVICE_FILE), JSON.stringify(service));

describe("a process that took the port of a service that is gone", () => {
  test("is not sent the key, whatever it answers", async () => {
    const bodies = {
      "that it is healthy": "{}",
      "a proof that it makes up": JSON.stringify({ proof: "0".repeat(64), version: manifest.version }),
      "no JSON": "<html>",
      "more than a service does": JSON.stringify({ proof: "0".repeat(1e8) }),
    };
    // The file names it until the real service has started, and it is asked all the while.
    let asked = 0;
    await using other = await impostor((_request, response) =>
      response.end(Object.values(bodies)[asked++ % 4]),
    );
    name(other.service);
    const endpoint = await localEndpoint(folder);
    expect(endpoint.url).not.toBe(other.service.url);
    await openClient(endpoint).devices.list();
    expect(asked).toBeGreaterThanOrEqual(4);
    expect(other.received.join()).not.toMatch(/x-api-key|kb_/i);
  });

  test("is not sent the key either when it passes the question on to the real service", async () => {
    const real = await localEndpoint(folder);
    const service = serviceOf(folder)!;
    let passed = 0;
    await using other = await impostor(async (request, response) => {
      const answer = await fetch(new URL(request.url!, real.url)).catch(() => undefined);
      response.end(await answer?.text());
      if (answer?.ok && ++passed === 3) process.kill(service.pid, "SIGTERM");
    });
    name({ ...service, url: other.service.url });
    expect((await localEndpoint(folder)).url).not.toBe(other.service.url);
    expect(passed).toBeGreaterThanOrEqual(3);
    expect(other.received.join()).not.toContain(service.apiKey);
  });

  test("gets no key from a notebook that had found the service before", async () => {
    vi.stubEnv("KETBOOK_DATA", folder);
    vi.stubEnv("KETBOOK_URL", undefined);
    const ketbook = new Ketbook();
    await ketbook.devices();
    const service = serviceOf(folder)!;
    process.kill(service.pid, "SIGKILL");
    while (isAlive(service.pid)) await new Promise(done => setTimeout(done, 20));
    await using other = await impostor(
      (_, response) => response.end("{}"),
      Number(new URL(service.url).port),
    );
    await ketbook.devices();
    vi.unstubAllEnvs();
    expect(other.received.join()).not.toMatch(/kb_/);
  });
});

describe("versions", () => {
  test("are compared by their numbers", () => {
    expect(compareVersions("1.10.0", "1.9.9")).toBeGreaterThan(0);
    expect(compareVersions("1.2", "1.2.0")).toBe(0);
    expect(compareVersions("1.2.0-rc.1", "1.2.0")).toBe(0);
    expect(compareVersions("0.1.0", "0.2.0")).toBeLessThan(0);
    expect(compareVersions("nonsense", "0.0.1")).toBeLessThan(0);
  });

  test("an older service whose job runs stays, and the notebook is told what to do, once", async () => {
    const warning = vi.spyOn(process, "emitWarning").mockReturnValue();
    const client = openClient(await localEndpoint(folder));
    const { jobQrn } = await client.jobs.create({
      deviceQrn: "svc:svc:sim:statevector",
      shots: 1,
      program: endless,
    });
    const { pid, url } = serviceOf(folder)!;
    for (let at = 0; at < 2; at += 1) expect((await localEndpoint(folder, "99.0.0")).url).toBe(url);
    expect(warning.mock.calls.map(([text]) => text)).toEqual([
      `The local service is Ketbook ${manifest.version}, and this is Ketbook 99.0.0. It is replaced when its jobs have ended; to replace it now, end process ${pid}.`,
    ]);
    await client.jobs.cancel(jobQrn);
    while ((await client.jobs.get(jobQrn)).status !== "CANCELLED");
  });

  test("an older service steps aside when nothing is under way, and its jobs are still there", async () => {
    const before = openClient(await localEndpoint(folder));
    const { jobQrn } = await before.jobs.create({
      deviceQrn: "svc:svc:sim:statevector",
      shots: 1,
      program: bell,
    });
    while ((await before.jobs.get(jobQrn)).status !== "COMPLETED");
    const { pid } = serviceOf(folder)!;
    const after = openClient(await localEndpoint(folder, "99.0.0"));
    expect(serviceOf(folder)!.pid).not.toBe(pid);
    expect((await after.jobs.get(jobQrn)).status).toBe("COMPLETED");
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test("a newer service stays, and the notebook is told to update", async () => {
    const warning = vi.spyOn(process, "emitWarning").mockReturnValue();
    const { url } = await localEndpoint(folder);
    expect((await localEndpoint(folder, "0.0.1")).url).toBe(url);
    expect(warning.mock.calls[0]![0]).toContain(`npm install ketbook@${manifest.version}`);
  });
});
