import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Body, bell, endless, type Serving, serving } from "./serving.ts";

/** The vendor code of the service, and the vendors and providers that its clients have in their lists. */
const own = "lab";
const vendors = z.enum(["aws", "azure", "ibm", "ionq", own]);
const providers = z.enum(["aqt", "aws", "azure", "ibm", "ionq", "iqm", "quera", "rigetti", own]);
const count = z.int().min(0);
const time = z.iso.datetime();

/** Records as clients of other makers read them: whole numbers where they have integers, and null only where they have it. */
const device = z.object({
  qrn: z.string(),
  name: z.string(),
  vendor: vendors,
  deviceType: z.enum(["SIMULATOR", "QPU"]),
  runInputTypes: z.array(z.string()),
  status: z.enum(["ONLINE", "OFFLINE", "UNAVAILABLE", "RETIRED"]),
  statusMsg: z.string().nullable(),
  nextAvailable: time.nullable(),
  queueDepth: count.nullable(),
  avgQueueTime: count.nullable(),
  numberQubits: count.nullable(),
  paradigm: z.enum(["gate_model", "analog", "annealing", "other"]),
  modality: z.string().nullable(),
  noiseModels: z.array(z.string()),
  pricingModel: z.enum(["fixed", "dynamic"]).nullable(),
  pricing: z.strictObject({ perTask: z.number(), perShot: z.number(), perMinute: z.number() }).nullable(),
  directAccess: z.boolean(),
});
const timeStamps = z.strictObject({
  createdAt: time,
  endedAt: time.nullable(),
  executionDuration: count.nullable(),
});
const job = z.object({
  jobQrn: z.string().regex(/-[0-9a-f]{4}-qjob-[0-9a-f]{24}$/),
  batchJobQrn: z.string().nullable(),
  vendor: vendors,
  provider: providers,
  status: z.enum([
    "INITIALIZING",
    "QUEUED",
    "VALIDATING",
    "RUNNING",
    "CANCELLING",
    "CANCELLED",
    "COMPLETED",
    "FAILED",
  ]),
  statusMsg: z.string().nullable(),
  experimentType: z.enum(["gate_model", "analog", "annealing", "other"]),
  queuePosition: count.nullable(),
  timeStamps,
  cost: z.number().min(0).nullable(),
  estimatedCost: z.number().min(0),
  metadata: z.record(z.string(), z.unknown()),
  shots: z.int().min(1),
  tags: z.record(z.string(), z.union([z.string(), z.int(), z.boolean()])),
});
const result = z.object({
  status: z.literal("COMPLETED"),
  cost: z.number().min(0),
  timeStamps,
  resultData: z.object({
    measurementCounts: z.record(z.string().regex(/^[01]+$/), z.int().min(1)),
    measurements: z.array(z.array(z.union([z.literal(0), z.literal(1)]))),
  }),
});

describe("clients of other makers", { timeout: 120_000 }, () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving({ vendor: own });
  });
  afterAll(() => service[Symbol.asyncDispose]());
  const data = async (method: string, path: string, body?: unknown) => {
    const answer = await service.call(method, path, body);
    expect(answer.body.error, `${path} ${JSON.stringify(body ?? {})}`).toBeUndefined();
    return answer.body.data as Body;
  };

  test("read every device and the life of a job on each", async () => {
    const devices = z.array(device).parse(await data("GET", "/devices?limit=100"));
    expect(devices.length).toBeGreaterThan(10);
    for (const { qrn, status } of devices) {
      device.parse(await data("GET", `/devices/${qrn}`));
      if (status !== "ONLINE") continue;
      const submission = {
        deviceQrn: qrn,
        shots: 100,
        program: bell,
        name: null,
        tags: {},
        groupJobQrn: null,
        runtimeOptions: { memory: true },
      };
      const made = job.parse(await data("POST", "/jobs", submission));
      job.parse(await service.ended(made.jobQrn, "COMPLETED"));
      const { resultData } = result.parse(await data("GET", `/jobs/${made.jobQrn}/result`));
      const keys = resultData.measurements.map(bits => bits.join(""));
      const counted = Object.groupBy(keys, key => key);
      expect(Object.fromEntries(Object.entries(counted).map(([key, same]) => [key, same!.length]))).toEqual(
        resultData.measurementCounts,
      );
    }
    z.array(job)
      .min(8)
      .parse(await data("GET", "/jobs?limit=100"));
  });

  test("read a job that waits, is cancelled or fails", async () => {
    const deviceQrn = `${own}:${own}:sim:statevector`;
    const made = job.parse(await data("POST", "/jobs", { deviceQrn, shots: 1, program: endless }));
    job.parse(await service.ended(made.jobQrn, "RUNNING"));
    await data("POST", `/jobs/${made.jobQrn}/cancel`);
    job.parse(await service.ended(made.jobQrn, "CANCELLED"));
    const wrong = { format: "qasm3", data: "OPENQASM 3.0; qubit q; nonsense q;" };
    const failing = await data("POST", "/jobs", { deviceQrn, shots: 1, program: wrong });
    job.parse(await service.ended(failing.jobQrn, "FAILED"));
  });

  test("find the service's own devices, credits and user under the vendor code that it was given", async () => {
    const mine = await data("GET", `/devices?vendor=${own}&limit=100`);
    expect(mine.map(({ qrn }: Body) => qrn)).toContain(`${own}:${own}:sim:statevector`);
    expect(JSON.stringify(await data("GET", "/devices?limit=100"))).not.toContain("svc:");
    const refused = await service.call("GET", "/devices?vendor=svc");
    expect(refused.body.error).toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ path: "vendor", message: expect.stringContaining(own) }],
    });
    expect(await data("GET", "/billing/credits/balance")).toHaveProperty(`${own}Credits`);
    const user = await data("GET", "/users/verify");
    expect(user).toEqual({
      userId: expect.any(String),
      organizationId: expect.any(String),
      organizationUserId: expect.any(String),
    });
    const unknown = await service.call("GET", "/users/verify", undefined, { "x-api-key": "unknown" });
    expect(unknown.status).toBe(401);
    const { body: document } = await service.call("GET", "/openapi.json");
    expect(JSON.stringify(document.paths["/billing/credits/balance"])).toContain(`${own}Credits`);
  });
});
