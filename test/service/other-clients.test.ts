import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import * as closed from "./closed-shapes.ts";
import { type Body, bell, endlessOn12 as endless, type Serving, serving } from "./serving.ts";

const { own } = closed;
const deviceQrn = `${own}:${own}:sim:statevector`;

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
  const read = async <T>(shape: z.ZodType<T>, method: string, path: string, body?: unknown): Promise<T> =>
    shape.parse(await data(method, path, body));

  test("read every device and the life of a job on each", async () => {
    const devices = await read(z.array(closed.device), "GET", "/devices?limit=100");
    expect(devices.length).toBeGreaterThan(10);
    for (const { qrn, status } of devices) {
      await read(closed.device, "GET", `/devices/${qrn}`);
      if (status !== "RETIRED") await read(closed.quote, "GET", `/jobs/cost-estimate?deviceQrn=${qrn}`);
      const { body } = await service.call("GET", `/devices/${qrn}/calibrations`);
      if (body.success) closed.calibration.parse(body.data);
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
      const { jobQrn } = await read(closed.job, "POST", "/jobs", submission);
      closed.job.parse(await service.ended(jobQrn, "COMPLETED"));
      const { resultData } = await read(closed.result, "GET", `/jobs/${jobQrn}/result`);
      const keys = resultData.measurements!.map(bits => bits.join(""));
      const counted = Object.groupBy(keys, key => key);
      expect(Object.fromEntries(Object.entries(counted).map(([key, same]) => [key, same!.length]))).toEqual(
        resultData.measurementCounts,
      );
      await read(closed.program, "GET", `/jobs/${jobQrn}/program`);
      await read(closed.program, "GET", `/jobs/${jobQrn}/compiled-program`);
      await read(closed.drawing, "GET", `/jobs/${jobQrn}/program/ascii`);
    }
    await read(z.array(closed.job).min(8), "GET", "/jobs?limit=100");
    await read(closed.jobStatuses, "GET", "/jobs/statuses");
    await read(closed.summary, "GET", "/jobs/summary");
    await read(z.array(closed.usage), "GET", "/usage/simulator");
    await read(z.array(closed.day), "GET", `/usage/simulator/series?deviceQrn=${deviceQrn}&days=3`);
    await read(closed.balance, "GET", "/billing/credits/balance");
    await read(closed.pricing, "GET", "/billing/credits/pricing");
  });

  test("read a job that waits, is cancelled or fails", async () => {
    const made = await read(closed.job, "POST", "/jobs", { deviceQrn, shots: 1, program: endless });
    closed.job.parse(await service.ended(made.jobQrn, "RUNNING"));
    await read(closed.cancelled, "POST", `/jobs/${made.jobQrn}/cancel`);
    closed.job.parse(await service.ended(made.jobQrn, "CANCELLED"));
    const wrong = { format: "qasm3", data: "OPENQASM 3.0; qubit q; nonsense q;" };
    const failing = await data("POST", "/jobs", { deviceQrn, shots: 1, program: wrong });
    closed.job.parse(await service.ended(failing.jobQrn, "FAILED"));
    await read(closed.deleted, "DELETE", `/jobs/${made.jobQrn}`);
    const qrns = encodeURIComponent(JSON.stringify([failing.jobQrn, "nothing"]));
    await read(closed.deletedJobs, "DELETE", `/jobs?qrns=${qrns}`);
  });

  test("read the life of a group", async () => {
    const { groupJobQrn } = await read(closed.group, "POST", "/jobs/group", { name: "mine" });
    const { jobQrn } = await data("POST", "/jobs", { deviceQrn, shots: 1, program: bell, groupJobQrn });
    await read(z.array(closed.group), "GET", "/jobs/group");
    await read(z.array(closed.job).length(1), "GET", `/jobs/group/${groupJobQrn}/jobs`);
    await read(closed.group, "POST", `/jobs/group/${groupJobQrn}/close`);
    await service.ended(jobQrn);
    expect(await read(closed.group, "GET", `/jobs/group/${groupJobQrn}`)).toMatchObject({
      status: "COMPLETED",
      completedCount: 1,
    });
    const other = await read(closed.group, "POST", "/jobs/group");
    await read(closed.group, "POST", `/jobs/group/${other.groupJobQrn}/cancel`);
  });

  test("read every answer of version 1, whose fields have the vendor code", async () => {
    const call = async (method: string, path: string, body?: object) => {
      const headers = { "api-key": service.service.apiKey, "content-type": "application/json" };
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
      const answer = await fetch(`${service.service.legacyUrl}/${path}`, init);
      return (await answer.json()) as Body;
    };
    z.array(closed.oldDevice)
      .min(10)
      .parse(await call("GET", "quantum-devices"));
    const submission = { [`${own}DeviceId`]: `${own}_${own}_sim_statevector`, shots: 10 };
    const made = await call("POST", "quantum-jobs", {
      ...submission,
      openQasm: bell.data,
      circuitNumQubits: 2,
    });
    expect(closed.oldJob.parse(made).circuitNumQubits).toBe(2);
    const id = made[`${own}JobId`];
    await service.ended(id, "COMPLETED");
    const [ended] = z
      .array(closed.oldJob)
      .length(1)
      .parse(await call("GET", `quantum-jobs?${own}JobId=${id}`));
    const { measurementCounts } = await call("GET", `quantum-jobs/result/${id}`);
    expect(ended!.measurementCounts).toEqual(measurementCounts);
    const long = await call("POST", "quantum-jobs", { ...submission, openQasm: endless.data });
    const cancelling = await call("PUT", `quantum-jobs/cancel/${long[`${own}JobId`]}`);
    expect(cancelling).toMatchObject({ [`${own}JobId`]: long[`${own}JobId`], status: "CANCELLING" });
    closed.deletedJobs.parse(await call("DELETE", `quantum-jobs/${id}`));
  });

  test("run the requests of CUDA-Q's target: a job in OpenQASM 2, its status once a second, its counts", async () => {
    const headers = {
      "X-API-KEY": service.service.apiKey,
      "Content-Type": "application/json",
      "User-Agent": "cudaq/0.13.0",
    };
    const lines = [
      "OPENQASM 2.0;",
      'include "qelib1.inc";',
      "qreg var0[2];",
      "h var0[0];",
      "cx var0[0], var0[1];",
    ];
    const measured = [`creg ${own}__creg__[2];`, 0, 1].map(bit =>
      typeof bit === "string" ? bit : `measure var0[${bit}] -> ${own}__creg__[${bit}];`,
    );
    const body = JSON.stringify({
      deviceQrn,
      shots: 1000,
      program: { format: "qasm2", data: [...lines, ...measured].join("\n") },
      name: "bell",
    });
    const posted = (await (
      await fetch(`${service.service.url}/jobs`, { method: "POST", headers, body })
    ).json()) as Body;
    const path = `${service.service.url}/jobs/${posted.data.jobQrn}`;
    const get = async (url: string) => (await (await fetch(url, { headers })).json()) as Body;
    await expect
      .poll(async () => (await get(path)).data.status, { interval: 1000, timeout: 60_000 })
      .toBe("COMPLETED");
    const { measurementCounts } = (await get(`${path}/result`)).data.resultData;
    expect(Object.keys(measurementCounts).sort()).toEqual(["00", "11"]);
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
    expect(JSON.stringify(document)).toContain(`${own}Credits`);
    expect(JSON.stringify(document)).not.toContain("svcCredits");
  });

  test("send the examples of the OpenAPI document as they are written", async () => {
    const { body: document } = await service.call("GET", "/openapi.json");
    const made: Body[] = [];
    for (const path of ["/jobs", "/jobs/group"]) {
      const { example } = document.paths[path].post.requestBody.content["application/json"];
      made.push(await data("POST", path, example));
    }
    await service.ended(made[0]!.jobQrn, "COMPLETED");
    closed.group.parse(made[1]);
  });
});
