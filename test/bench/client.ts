import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import got from "got";
import ky from "ky";
import { Agent, request } from "undici";
import { openClient } from "../../src/client/client.ts";
import { compare, report } from "./measure.ts";

const jobs = Array.from({ length: 100 }, (_, index) => ({
  jobQrn: `svc:svc:sim:statevector-0000-qjob-${String(index).padStart(24, "0")}`,
  batchJobQrn: null,
  name: `job ${index}`,
  deviceQrn: "svc:svc:sim:statevector",
  vendor: "svc",
  provider: "svc",
  experimentType: "gate_model",
  status: "COMPLETED",
  statusMsg: null,
  queuePosition: null,
  shots: 1000,
  numCircuits: 1,
  groupJobQrn: null,
  estimatedCost: 7.5,
  cost: 0.375,
  tags: { course: "qc-1", week: index },
  metadata: {},
  runtimeOptions: { seed: index },
  timeStamps: {
    createdAt: "2026-01-01T00:00:00.000Z",
    endedAt: "2026-01-01T00:00:01.000Z",
    executionDuration: 5,
  },
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:01.000Z",
}));
const pagination = { page: 1, limit: 100, total: 100, totalPages: 1, hasNext: false, hasPrev: false };
const body = JSON.stringify({
  success: true,
  data: jobs,
  pagination,
  meta: { timestamp: "2026-01-01T00:00:00Z" },
});

/** What the typed client adds to a page of 100 jobs, and what 10,000 calls leave behind. */
export async function benchClient(): Promise<void> {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(body);
  });
  await new Promise<void>(listening => server.listen(0, "127.0.0.1", listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `${origin}/api/v1/jobs?limit=100`;
  const dispatcher = new Agent();
  const client = openClient(async () => ({ url: `${origin}/api/v1`, apiKey: "key" }));
  const page = async () => client.jobs.list({ limit: 100 });

  await compare(
    "A page of 100 jobs",
    [
      {
        name: "undici + JSON.parse",
        run: async () => JSON.parse(await (await request(url, { dispatcher })).body.text()),
      },
      { name: "ketbook client", run: page },
      { name: "ky", run: () => ky.get(url).json() },
      { name: "got", run: () => got.get(url).json() },
    ],
    301,
  );

  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let call = 0; call < 10_000; call += 1) await page();
  globalThis.gc?.();
  const grown = (process.memoryUsage().heapUsed - before) / 1024 / 1024;
  report("Memory after 10,000 calls", [["heap grown by", `${grown.toFixed(1)} MB`]]);
  server.closeAllConnections();
  server.close();
}
