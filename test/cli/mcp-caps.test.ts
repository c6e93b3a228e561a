import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { Budget } from "../../src/cli/mcp/budget.ts";
import { createServer } from "../../src/cli/mcp/server.ts";
import { Ketbook } from "../../src/index.ts";
import { listening, type Reply, send } from "../client/answering.ts";
import { BELL, call, textOf } from "./mcp-client.ts";

const DEVICE = "svc:lab:sim:fast";
const PROGRAM = { program: BELL, device: DEVICE, shots: 10, waitSeconds: 5 };
type Answers = (request: string, call: number) => Reply | undefined;

/** Starts a service that charges what it says, and connects a client to tools that may spend 100 credits in 5 jobs there. */
async function spending(answers: Answers = () => undefined) {
  const charged: number[] = [];
  const calls = new Map<string, number>();
  const prices = { perTask: 10 as unknown, perShot: 1 as unknown, perMinute: 0 as unknown };
  const costOf = () => Number(prices.perTask) + 10 * Number(prices.perShot);
  const service = await listening((request, response) => {
    const path = decodeURIComponent(request.url!.split("?", 1)[0]!).replace("/api/v1", "");
    const name = `${request.method} ${path}`;
    const count = (calls.get(name) ?? 0) + 1;
    calls.set(name, count);
    if (name === "POST /jobs") charged.push(costOf());
    const job = (number: number) => ({
      ...{ jobQrn: `${DEVICE}-qjob-${number}`, deviceQrn: DEVICE, status: "COMPLETED", shots: 10 },
      cost: charged[number - 1],
    });
    const device = { qrn: DEVICE, name: "fast", deviceType: "SIMULATOR", status: "ONLINE", numberQubits: 5 };
    const number = Number(/qjob-(\d+)/.exec(path)?.[1] ?? charged.length);
    const usual: Record<string, unknown> = {
      [`GET /devices/${DEVICE}`]: { ...device, pricing: { ...prices } },
      "GET /jobs/cost-estimate": { pricingAvailable: true, estimatedCost: costOf() },
      "POST /jobs": job(charged.length),
      [`GET /jobs/${DEVICE}-qjob-${number}`]: job(number),
      [`GET /jobs/${DEVICE}-qjob-${number}/result`]: {
        ...{ status: "COMPLETED", resultData: { measurementCounts: { "00": 5, "11": 5 } } },
      },
    };
    const data = usual[name];
    const known = data === undefined ? { status: 404, body: {} } : { body: { success: true, data } };
    send(response, answers(name, count) ?? known);
  });
  const ketbook = new Ketbook({ url: `${service.origin}/api/v1`, apiKey: "k", maxRetries: 0 });
  const budget = new Budget({ credits: 100, jobs: 5 });
  const client = new Client({ name: "test", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createServer({ ketbook, budget, pages: [] });
  await Promise.all([server.connect(far as never), client.connect(near)]);
  const run = (args: object = {}) =>
    call(client, "run", { ...PROGRAM, ...args }).catch(error => ({
      ...{ isError: true, content: [{ type: "text", text: String(error) }], structuredContent: undefined },
    }));
  const sum = () => charged.reduce((total, cost) => total + cost, 0);
  const dispose = async () => {
    await client.close();
    await service[Symbol.asyncDispose]();
  };
  return { client, budget, charged, sum, prices, run, [Symbol.asyncDispose]: dispose };
}

describe("tools that may spend 100 credits in 5 jobs, at 20 credits a job", () => {
  test("spend them, and no more", async () => {
    await using tools = await spending();
    for (let i = 0; i < 7; i++) await tools.run();
    expect([tools.sum(), tools.charged.length]).toEqual([100, 5]);
    expect(textOf(await tools.run())).toContain("0 of the 5 jobs");
  });

  test("submit nothing for shots that are no number of shots", async () => {
    await using tools = await spending();
    for (const shots of [0, -1, -1e9, 0.5, 1.5, 1e9, 2 ** 53, 1e308, "10", "1e1", null, [10], true, {}])
      expect((await tools.run({ shots })).isError, String(shots)).toBe(true);
    expect(tools.charged).toEqual([]);
    expect(tools.budget.left).toEqual({ credits: 100, jobs: 5 });
  });

  test("reserve the higher one of a quote and the prices, so a price that rose is seen", async () => {
    let price = 20;
    const quoted = (estimatedCost: number) => ({
      body: { success: true, data: { pricingAvailable: true, estimatedCost } },
    });
    await using tools = await spending(name =>
      name === "GET /jobs/cost-estimate" ? quoted(price) : undefined,
    );
    expect((await tools.run()).isError).toBeFalsy();
    price = 81;
    expect(textOf(await tools.run())).toContain("may cost up to 81 credits, and 80 of 100 are left");
    expect(tools.charged).toHaveLength(1);
  });

  test("stop where a price rose between the quote and the run", async () => {
    await using tools = await spending();
    await tools.run();
    tools.charged.push(75);
    tools.budget.submitted.values().next().value!.credits = 95;
    expect((await tools.run()).isError).toBe(true);
    tools.prices.perTask = 1e6;
    expect((await tools.run()).isError).toBe(true);
    expect(tools.charged).toHaveLength(2);
  });

  test.each([
    ["negative", -1000],
    ["unknown", null],
    ["a list", [0]],
  ])("refuse a device whose price is %s", async (_, price) => {
    await using tools = await spending();
    tools.prices.perTask = price;
    expect((await tools.run()).isError).toBe(true);
    expect(tools.charged).toEqual([]);
  });

  test("count runs at the same time", async () => {
    await using tools = await spending();
    await Promise.all(Array.from({ length: 12 }, () => tools.run()));
    expect(tools.sum()).toBeLessThanOrEqual(100);
    expect(tools.charged.length).toBeLessThanOrEqual(5);
  });

  test("keep what a submission may cost whose answer was lost or broken", async () => {
    await using tools = await spending(name =>
      name === "POST /jobs" ? { status: 500, body: "<html>" } : undefined,
    );
    for (let i = 0; i < 8; i++) expect((await tools.run()).isError).toBe(true);
    expect(tools.sum()).toBeLessThanOrEqual(100);
    expect(tools.charged.length).toBeLessThanOrEqual(5);
    expect(tools.budget.left.jobs).toBe(0);
  });

  test("give back what the service refused", async () => {
    await using tools = await spending(name =>
      name === "POST /jobs"
        ? { status: 400, body: { success: false, error: { code: "VALIDATION_ERROR", message: "no" } } }
        : undefined,
    );
    for (let i = 0; i < 8; i++) await tools.run();
    expect(tools.budget.left).toEqual({ credits: 100, jobs: 5 });
  });

  test("spend nothing where quotes and devices fail", async () => {
    await using tools = await spending(name =>
      name.startsWith("GET /devices") || name.includes("estimate") ? { status: 503, body: {} } : undefined,
    );
    for (let i = 0; i < 3; i++) expect((await tools.run()).isError).toBe(true);
    expect(tools.charged).toEqual([]);
  });

  test("count a call that was cancelled and made again", async () => {
    await using tools = await spending();
    for (let i = 0; i < 8; i++) {
      const abort = new AbortController();
      const made = tools.client.callTool({ name: "run", arguments: PROGRAM }, { signal: abort.signal });
      setTimeout(() => abort.abort(), 5 * i);
      await made.catch(() => undefined);
    }
    await tools.run();
    expect(tools.sum()).toBeLessThanOrEqual(100);
    expect(tools.charged.length).toBeLessThanOrEqual(5);
  });

  test("have no arguments that repeat, tag or batch a run", async () => {
    await using tools = await spending();
    const extra = {
      tag: "a",
      idempotencyKey: "k",
      programs: [BELL, BELL],
      batch: 100,
      repeat: 9,
      maxCost: 1e9,
    };
    for (let i = 0; i < 7; i++) await tools.run(extra);
    expect([tools.sum(), tools.charged.length]).toEqual([100, 5]);
  });

  test("refuse estimates beyond what is left", async () => {
    await using tools = await spending();
    await tools.run();
    const state = 'OPENQASM 3.0; include "stdgates.inc"; qubit[1] q; h q[0];';
    const answered = await call(tools.client, "estimate", {
      ...{
        program: state,
        observables: ["Z0"],
        device: DEVICE,
        shots: 100,
        maxCredits: 1e12,
        waitSeconds: 1,
      },
    });
    expect(textOf(answered)).toContain("4 of the 5 jobs that may run are left, and this may take 5");
    expect(tools.charged).toHaveLength(1);
  });
});
