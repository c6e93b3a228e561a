import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Body, findSubject, long, type Subject } from "./subject.ts";

let service: Subject;
beforeAll(async () => {
  service = await findSubject();
});
afterAll(() => service.close());

const get = async (path: string) => (await service.call("GET", path)).body.data;
const balance = async () => (await get("/billing/credits/balance")).svcCredits;

describe("credits", () => {
  test("the balance names the key's organization, and both balances", async () => {
    expect(await get("/billing/credits/balance")).toMatchObject({
      organizationId: expect.any(String),
      svcCredits: expect.any(Number),
      awsCredits: expect.any(Number),
      autoRecharge: expect.any(Boolean),
    });
  });

  test("the quote is held when a job is submitted, and the rest comes back when it ends", async () => {
    const before = await balance();
    const job = await service.submit({ program: long });
    expect(await balance()).toBeCloseTo(before - job.estimatedCost, 6);
    await service.call("POST", `/jobs/${job.jobQrn}/cancel`);
    await service.ended(job.jobQrn);
    expect(await balance()).toBeCloseTo(before, 6);
    const done = await service.ended((await service.submit()).jobQrn);
    expect(await balance()).toBeCloseTo(before - done.cost, 6);
  });

  test("a job that is deleted while it runs is charged all the same", async () => {
    const before = await balance();
    const { jobQrn, estimatedCost } = await service.submit({
      program: { ...long, data: long.data.replace("100000", "1") },
    });
    const { data } = (await service.call("DELETE", `/jobs/${jobQrn}`)).body;
    expect(data.stillRunning).toBe(true);
    await expect.poll(balance, { timeout: 15_000 }).toBeGreaterThan(before - estimatedCost);
    expect(await balance()).toBeLessThan(before);
  });

  test("pricing needs no key", async () => {
    const { status, body } = await service.call("GET", "/billing/credits/pricing", { key: null });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      usdPerCredit: 0.01,
      currency: "USD",
      minimumPurchase: expect.any(Number),
    });
    expect(body.data.packs.length).toBeGreaterThan(0);
  });
});

describe("usage", () => {
  const today = async () =>
    (await get("/usage/simulator")).find((row: Body) => row.deviceQrn === service.device);

  test("counts today's jobs on each simulator, and is reset at 00:00 UTC", async () => {
    const before = await today();
    await service.ended((await service.submit()).jobQrn);
    const after = await today();
    expect(after.used).toBe(before.used + 1);
    expect(after.resetsAt).toMatch(/T00:00:00(\.000)?Z$/);
    if (after.dailyLimit !== null) expect(after.remaining).toBe(after.dailyLimit - after.used);
  });

  test("the series has a row a day, 30 by default, and counts completed jobs", async () => {
    const at = (query: string) => get(`/usage/simulator/series?deviceQrn=${service.device}&${query}`);
    const before = await at("");
    expect(before).toHaveLength(30);
    await service.ended((await service.submit()).jobQrn);
    const after = await at("days=30&timezone=UTC");
    expect(after.at(-1).count).toBe(before.at(-1).count + 1);
    expect(await at("days=7&timezone=America/New_York")).toHaveLength(7);
    expect((await at("days=0")).length).toBeGreaterThan(0);
  });

  test.each([
    "",
    "deviceQrn=",
    `deviceQrn=${"x".repeat(201)}`,
    "deviceQrn=a:b:sim:c&days=366",
    "deviceQrn=a:b:sim:c&days=-1",
    "deviceQrn=a:b:sim:c&timezone=Nowhere",
  ])("the series of %j is refused with 400", async query => {
    const { status, body } = await service.call("GET", `/usage/simulator/series?${query}`);
    expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("keys", () => {
  const guarded: [string, string][] = [
    ["GET", "/jobs"],
    ["POST", "/jobs"],
    ["DELETE", "/jobs"],
    ["GET", "/jobs/summary"],
    ["GET", "/jobs/statuses"],
    ["GET", "/jobs/cost-estimate"],
    ["GET", "/jobs/x"],
    ["DELETE", "/jobs/x"],
    ["POST", "/jobs/x/cancel"],
    ["GET", "/jobs/x/result"],
    ["GET", "/jobs/x/program"],
    ["GET", "/jobs/x/compiled-program"],
    ["GET", "/jobs/x/program/ascii"],
    ["POST", "/jobs/group"],
    ["GET", "/jobs/group"],
    ["GET", "/jobs/group/x"],
    ["GET", "/jobs/group/x/jobs"],
    ["POST", "/jobs/group/x/close"],
    ["POST", "/jobs/group/x/cancel"],
    ["GET", "/devices"],
    ["GET", "/devices/x"],
    ["GET", "/devices/x/calibrations"],
    ["GET", "/billing/credits/balance"],
    ["GET", "/usage/simulator"],
    ["GET", "/usage/simulator/series"],
  ];

  test.each(guarded)("%s %s is 401 without a key, and with one that is malformed", async (method, path) => {
    const without = await service.call(method, path, { key: null });
    expect([without.status, without.body.error.code]).toEqual([401, "NO_VALID_AUTHENTICATION"]);
    const malformed = await service.call(method, path, { key: "nonsense" });
    expect([malformed.status, malformed.body.error.code]).toEqual([401, "INVALID_API_KEY_FORMAT"]);
  });

  test("an unknown key is 401", async () => {
    const unknown = service.key.replace(/[0-9a-f]{8}$/, end =>
      end === "00000000" ? "11111111" : "00000000",
    );
    const { status, body } = await service.call("GET", "/jobs", { key: unknown });
    expect([status, body.error.code]).toEqual([401, "INVALID_API_KEY"]);
  });

  test("what belongs to another user is 404", async context => {
    const { otherKey } = service;
    if (!otherKey) return context.skip();
    const { jobQrn } = await service.submit();
    const { groupJobQrn } = (await service.call("POST", "/jobs/group")).body.data;
    for (const [method, path] of [
      ["GET", `/jobs/${jobQrn}`],
      ["GET", `/jobs/${jobQrn}/result`],
      ["GET", `/jobs/${jobQrn}/program`],
      ["POST", `/jobs/${jobQrn}/cancel`],
      ["DELETE", `/jobs/${jobQrn}`],
      ["GET", `/jobs/group/${groupJobQrn}`],
      ["POST", `/jobs/group/${groupJobQrn}/cancel`],
    ]) {
      expect((await service.call(method!, path!, { key: otherKey })).status).toBe(404);
    }
    const qrns = encodeURIComponent(JSON.stringify([jobQrn]));
    const deleted = await service.call("DELETE", `/jobs?qrns=${qrns}`, { key: otherKey });
    expect(Object.keys(deleted.body.data.failedIds)).toEqual([jobQrn]);
    expect((await service.call("GET", "/jobs", { key: otherKey })).body.data).toEqual([]);
    expect((await service.call("GET", `/jobs/${jobQrn}`)).status).toBe(200);
  });
});
