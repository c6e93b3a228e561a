import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { systemTiming } from "../../src/client/timing.ts";
import { ConnectionError, Ketbook, KetbookError, TimeoutError } from "../../src/index.ts";
import { useServiceHere } from "./own-service.ts";
import { bell, endless } from "./programs.ts";

const { service } = await useServiceHere();

/** What a service in between does with a request: it passes it on if this answers nothing. */
type Interference = (method: string, path: string) => "hang up" | "lose the answer" | number | undefined;

let interfere: Interference = () => undefined;
let kb: Ketbook;
let close: () => void;

beforeAll(async () => {
  // Pauses between attempts are random, from nothing to a bound: short ones show the same.
  vi.spyOn(systemTiming, "random").mockReturnValue(0.05);
  const { url, apiKey } = service;
  const { hostname, port } = new URL(url);
  const server = createServer((incoming, outgoing) => {
    const { method = "", url: path = "", headers } = incoming;
    const deed = interfere(method, path);
    if (deed === "hang up") return void incoming.socket.destroy();
    if (typeof deed === "number") {
      const code = deed === 409 ? "JOB_CANCEL_CONFLICT" : "SOMETHING";
      outgoing.writeHead(deed, { "content-type": "application/json" });
      return void outgoing.end(JSON.stringify({ success: false, error: { message: "Not now.", code } }));
    }
    const passed = request({ hostname, port, path, method, headers }, answer => {
      if (deed) return void incoming.socket.destroy();
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>(listening => server.listen(0, "127.0.0.1", listening));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  kb = new Ketbook({ url: address, apiKey, device: "svc:svc:sim:statevector" });
  close = () => server.close();
});

afterAll(() => {
  vi.restoreAllMocks();
  close();
});

/** Does something to the first so many requests that match. */
function firstOf(times: number, method: string, path: RegExp, deed: ReturnType<Interference>): Interference {
  let left = times;
  return (asked, at) => {
    if (asked !== method || !path.test(at) || left <= 0) return undefined;
    left -= 1;
    return deed;
  };
}

const outages = ["hang up", 500, 502, 503, 429] as const;

test.each(outages)("a live job outlasts an outage of its service: %s", async outage => {
  const handle = await kb.run(bell).shots(5).submit();
  interfere = firstOf(2, "GET", /qjob/, outage);
  expect((await handle.result()).shots).toBe(5);
});

test("a submission whose answer is lost is made once", async () => {
  const before = (await kb.jobs()).total!;
  interfere = firstOf(1, "POST", /\/jobs$/, "lose the answer");
  expect((await kb.run(bell).shots(6)).shots).toBe(6);
  expect((await kb.jobs()).total).toBe(before + 1);
  interfere = firstOf(1, "POST", /\/jobs\/group$/, "lose the answer");
  const group = await kb.createGroup({ name: "once" });
  expect((await kb.groups()).filter(({ record }) => record.name === "once")).toHaveLength(1);
  await group.close();
});

test("a submission that failed after all is found again by the next try, and not made twice", async () => {
  const impatient = kb.run(bell).shots(8);
  const before = (await kb.jobs()).total!;
  interfere = firstOf(5, "POST", /\/jobs$/, "lose the answer");
  const error: ConnectionError = await impatient.submit().catch(e => e);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
  expect((await impatient).shots).toBe(8);
  expect((await kb.jobs()).total).toBe(before + 1);
  const given = kb.run(bell).shots(9);
  const named = await given.submit({ idempotencyKey: "a key of my own" });
  expect((await kb.run(bell).shots(9).submit({ idempotencyKey: "a key of my own" })).qrn).toBe(named.qrn);
}, 60_000);

test("looking up, submitting and waiting outlast what a single call gives up on", async () => {
  const handle = await kb.run(bell).shots(5).submit();
  interfere = firstOf(7, "GET", /qjob/, 503);
  expect((await kb.job(handle.qrn).result()).shots).toBe(5);
  interfere = firstOf(7, "POST", /\/jobs$/, 502);
  expect((await kb.run(bell).shots(10)).shots).toBe(10);
}, 60_000);

test("limits of time and signals hold while a job is looked up or submitted", async () => {
  interfere = () => 503;
  const limits = [{ timeout: 300 }, { signal: AbortSignal.timeout(300) }];
  for (const limit of limits) {
    await expect(kb.job("q-1").result({ ...limit })).rejects.toThrow();
    await expect(kb.run(bell).result({ ...limit })).rejects.toThrow();
    await expect(kb.group("group:1").wait({ ...limit })).rejects.toThrow();
  }
  await expect(kb.job("q-1").wait({ timeout: 100 })).rejects.toThrow(
    /Job q-1 was not answered within 100 ms/,
  );
  interfere = () => undefined;
}, 60_000);

test("an address where nothing has ever answered is not waited for", async () => {
  const nowhere = new Ketbook({ url: "http://127.0.0.1:1/api/v1", apiKey: "k", maxRetries: 1 });
  await expect(nowhere.run(bell).on("a:b:c:d")).rejects.toThrow(ConnectionError);
});

test("cancelling a job that can't be cancelled yet is tried again", async () => {
  const long = await kb.run(endless).submit();
  interfere = firstOf(2, "POST", /cancel$/, 409);
  await long.cancel();
  await expect(long.wait()).rejects.toThrow(/CANCELLED/);
});

/** How long a machine under load may take. */
const patience = { timeout: 20_000 };

test("an abort ends the waiting, and the job with it when that is asked for", async () => {
  const stop = new AbortController();
  const result = kb.run(endless).result({ signal: stop.signal, cancelOnAbort: true });
  await expect.poll(async () => (await kb.jobs({ status: "RUNNING" })).length, patience).toBe(1);
  stop.abort(new Error("enough"));
  await expect(result).rejects.toThrow("enough");
  await expect.poll(async () => (await kb.jobs().first())?.status, patience).toBe("CANCELLED");
}, 60_000);

test("an abort before anything was sent submits nothing", async () => {
  const before = (await kb.jobs()).total;
  const signal = AbortSignal.abort(new Error("never"));
  await expect(kb.run(bell).result({ signal })).rejects.toThrow("never");
  expect((await kb.jobs()).total).toBe(before);
});

test("a limit of time ends the waiting, and its error names the job", async () => {
  const long = await kb.run(endless).submit();
  const error: TimeoutError = await long.result({ timeout: 0.5 }).catch(e => e);
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error.jobQrn).toBe(long.qrn);
  await long.cancel();
  await expect(long.wait({ timout: 5 } as never)).rejects.toThrow(/"timout".*"timeout"/);
  await expect(long.wait({ timeout: -1 })).rejects.toThrow(KetbookError);
});

test("the error of a limit says what kept the service from answering, how often and since when", async () => {
  const long = await kb.run(endless).submit();
  interfere = (method, path) => (method === "GET" && path.includes("qjob") ? 500 : undefined);
  const error = await long.wait({ timeout: 1500 }).catch(e => e);
  interfere = () => undefined;
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error.message).toMatch(
    /It was [A-Z]+ when the service last answered; since then [1-9]\d* polls? failed from \d\d:\d\d:\d\d on: Not now\./,
  );
  await long.cancel();
}, 30_000);

test("a job that was submitted under a key is found by it, though its tag is not shown", async () => {
  const key = crypto.randomUUID();
  const { qrn } = await kb.run(bell).shots(4).tagged({ course: "qc" }).submit({ idempotencyKey: key });
  const [found, ...others] = await kb.jobs({ run: key });
  expect(others).toEqual([]);
  expect(found).toMatchObject({ qrn, record: { tags: { course: "qc" } } });
  const group = await kb.createGroup({ name: "g" }, { idempotencyKey: `${key}-g` });
  expect((await kb.groups({ run: `${key}-g` })).map(one => one.qrn)).toEqual([group.qrn]);
  expect(String(found) + JSON.stringify(await group.refresh())).not.toContain("ketbook-run");
  await group.close();
});

test("what no retry can mend ends the waiting at once", async () => {
  const long = await kb.run(endless).submit();
  interfere = (method, path) => (method === "GET" && path.includes("qjob") ? 403 : undefined);
  await expect(long.wait()).rejects.toMatchObject({ name: "PermissionError", jobQrn: long.qrn });
  interfere = () => undefined;
  await long.cancel();
});
