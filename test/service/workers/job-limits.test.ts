import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RuntimeJob } from "../../../src/contract/job.ts";
import { TIERS, type Tier } from "../../../src/service/accounts/caller.ts";
import { bell, bellJob, endlessOn12 as endless, type Serving, serving } from "../serving.ts";

const tiers: Record<string, Tier> = TIERS;
const unlimited = tiers.local!;

const qasm = (body: string) => ({
  format: "qasm3",
  data: `OPENQASM 3.0;\ninclude "stdgates.inc";\n${body}`,
});

describe("the limits of a job", () => {
  let service: Serving;
  beforeAll(async () => {
    tiers.hasty = { ...unlimited, job: { ...unlimited.job, seconds: 0.5 } };
    tiers.minute = { ...unlimited, job: { ...unlimited.job, seconds: 60 } };
    tiers.idle = { ...unlimited, job: { ...unlimited.job, operations: 1000 } };
    tiers.small = { ...unlimited, job: { ...unlimited.job, bytes: 2 ** 16 } };
    tiers.strict = { ...unlimited, job: { ...unlimited.job, seconds: 1 }, unchargedSeconds: 0.5 };
    // The device's errors, and so the methods that are left, are those of a day.
    service = await serving({ shift: Date.UTC(2026, 10, 28, 12) - Date.now() });
  });
  afterAll(async () => {
    for (const name of ["hasty", "minute", "idle", "small", "strict"]) delete tiers[name];
    await service[Symbol.asyncDispose]();
  });

  const compiling = qasm(`qubit q; bit c;\nfor int i in [0:5000000] { x q; z q; }\nc = measure q;`);
  const gates = qasm(
    `qubit[2] q; bit c;\nfor int i in [0:2000] { h q[0]; cx q[0], q[1]; c = measure q[0]; if (c) x q[1]; }`,
  );
  const wide = qasm("qubit[16] q; bit[16] c;\nh q; t q;\nc = measure q;");

  test.each([
    ["time, while it runs", "hasty", endless, "time", /0\.5 s/],
    ["time, while it is compiled", "hasty", compiling, "time", /0\.5 s/],
    [
      "time, over all programs of a batch",
      "hasty",
      [bell, endless],
      "time",
      /^(?:program 1: |The job was stopped\.).*0\.5 s/s,
    ],
    ["operations", "idle", gates, "operations", /1,000 operations/],
    ["memory", "small", wide, "memory", /at most 64 KiB/],
  ])("a job over its limit of %s fails, and says which", async (_, tier, program, limit, message) => {
    const user = await service.user({ tier });
    const { jobQrn } = await user.submit({ program });
    const job = await user.ended(jobQrn, "FAILED");
    expect(job).toMatchObject({ metadata: { limit }, cost: 0 });
    expect(job.statusMsg).toMatch(message);
    const next = await user.submit();
    expect((await user.ended(next.jobQrn, "COMPLETED")).metadata).not.toHaveProperty("limit");
  });

  test("a program too entangled for an emulated QPU fails before it runs, with the number that is too large", async () => {
    const user = await service.user({ tier: "minute" });
    const line = Array.from({ length: 39 }, (_, q) => q);
    const layer = (parity: number) =>
      `${line.map(q => `U(${q + 1}, 0.7, 1.3) q[${q}];`).join("")}${line
        .filter(q => q % 2 === parity)
        .map(q => `cx q[${q}], q[${q + 1}];`)
        .join("")}`;
    const { jobQrn } = await user.submit({
      deviceQrn: "ibm:emulated:qpu:brisbane",
      shots: 5000,
      program: qasm(`qubit[40] q; bit[40] c;\n${(layer(0) + layer(1)).repeat(10)}\nc = measure q;`),
    });
    const job = await user.ended(jobQrn, "FAILED");
    expect(job).toMatchObject({ metadata: { limit: "time" }, cost: 0 });
    expect(job.statusMsg).toMatch(
      /at least \d+ Schmidt values, .* more than 60 s\. .* A job may take 60 s\./,
    );
  });

  test("compute that fails is limited: a share a user and day, and then nothing runs or is taken", async () => {
    const user = await service.user({ tier: "strict" });
    const other = await service.user({ tier: "strict" });
    const queued = await Promise.all(Array.from({ length: 8 }, () => user.submit({ program: endless })));
    for (const job of queued) await user.ended(job.jobQrn, "FAILED");
    const { data } = (await user.call("GET", "/jobs")).body;
    expect(new Set(data.map((job: RuntimeJob) => job.metadata.limit))).toEqual(
      new Set(["time", "uncharged"]),
    );
    const refused = await user.call("POST", "/jobs", bellJob());
    expect([refused.status, refused.body.error.code]).toEqual([429, "QUOTA_EXCEEDED"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await other.ended((await other.submit()).jobQrn, "COMPLETED");
    service.pass(86_400_000);
    await user.ended((await user.submit()).jobQrn, "COMPLETED");
  });
});
