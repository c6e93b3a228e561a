import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openClient } from "../../../src/client/client.ts";
import { createRateLimit } from "../../../src/service/http/rate-limit.ts";
import { caller, type Serving, serving } from "../serving.ts";

describe("the rate of requests", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving({ limits: { perKey: 2, perAddress: 1 } });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test("of a key is limited: 429 with the time to wait, and another key is not", async () => {
    const [user, other] = [await service.user(), await service.user()];
    const answers = [];
    for (let at = 0; at < 25; at += 1) answers.push(await user.call("GET", "/jobs/statuses"));
    expect(answers[0]!.headers.get("ratelimit-limit")).toBe("20");
    expect(answers[0]!.headers.get("ratelimit-remaining")).toBe("19");
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body.error.code).toBe("RATE_LIMITED");
    expect(Number(refused.headers.get("retry-after"))).toBe(1);
    expect(refused.headers.get("ratelimit-remaining")).toBe("0");
    expect((await other.call("GET", "/jobs/statuses")).status).toBe(200);
  });

  test("is limited for version 1 too, by the same key", async () => {
    const user = await service.user();
    const get = () =>
      fetch(`${service.service.legacyUrl}/quantum-jobs`, { headers: { "api-key": user.key } });
    for (let at = 0; at < 22; at += 1) await (await get()).arrayBuffer();
    expect((await user.call("GET", "/jobs/statuses")).status).toBe(429);
  });

  test("without a valid key is limited by address, and valid keys continue", async () => {
    const guess = caller(service.service.url, `kb_${"0".repeat(48)}`);
    const statuses = [];
    for (let at = 0; at < 15; at += 1) statuses.push((await guess.call("GET", "/jobs")).status);
    expect(statuses.at(0)).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    for (const path of ["/openapi.json", "/nothing", "/billing/credits/pricing"])
      expect((await guess.call("GET", path)).status).toBe(429);
    const user = await service.user();
    expect((await user.call("GET", "/jobs")).status).toBe(200);
  });

  test("is kept by the client, whose calls all succeed", async () => {
    const user = await service.user();
    const client = openClient(async () => ({ url: service.service.url, apiKey: user.key }));
    const answers = await Promise.all(Array.from({ length: 24 }, () => client.jobs.statuses()));
    expect(answers).toHaveLength(24);
  });

  test("fills up again with time, to no more than ten seconds' worth", async () => {
    let now = 0;
    const limit = createRateLimit({ perSecond: 5, clock: () => now });
    for (let at = 0; at < 50; at += 1) await limit.take("a");
    await expect(limit.take("a")).rejects.toThrow("5 a second");
    now += 400;
    expect([(await limit.take("a")).remaining, (await limit.take("a")).remaining]).toEqual([1, 0]);
    await expect(limit.take("a")).rejects.toThrow();
    now += 1e9;
    expect(await limit.take("a")).toEqual({ limit: 50, remaining: 49, reset: 1 });
  });
});
