import { StatementSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Body, bell, endlessOn12 as endless, type Serving, serving } from "../serving.ts";

describe("version 1", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  async function call(method: string, path: string, body?: object, key = service.service.apiKey) {
    const answer = await fetch(`${service.service.legacyUrl}${path}`, {
      method,
      headers: { "api-key": key, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, body: (await answer.json()) as Body };
  }
  const submit = (changes: object = {}) =>
    call("POST", "/quantum-jobs", {
      svcDeviceId: "svc_svc_sim_statevector",
      openQasm: bell.data,
      shots: 100,
      ...changes,
    });

  test("a list takes as many queries for twenty jobs as for one", async () => {
    const user = await service.user();
    const queries = async () => {
      const counts: number[] = [];
      for (let round = 0; round < 20; round += 1) {
        const all = vi.spyOn(StatementSync.prototype, "all");
        const { body } = await call("GET", "/quantum-jobs", undefined, user.key);
        counts.push(all.mock.calls.length);
        all.mockRestore();
        expect(body.every((job: Body) => job.measurementCounts && job.openQasm === bell.data)).toBe(true);
      }
      return Math.min(...counts);
    };
    await user.ended((await user.submit()).jobQrn);
    const forOne = await queries();
    const more = await Promise.all(Array.from({ length: 19 }, () => user.submit()));
    for (const { jobQrn } of more) await user.ended(jobQrn);
    expect(forOne).toBeGreaterThan(0);
    expect(await queries()).toBe(forOne);
  });

  test("lists devices under their underscore names, without an envelope", async () => {
    const { status, body } = await call("GET", "/quantum-devices");
    expect(status).toBe(200);
    expect(body.find((device: Body) => device.svcDeviceId === "svc_svc_sim_statevector")).toMatchObject({
      type: "SIMULATOR",
      status: "ONLINE",
      vendor: "svc",
    });
  });

  test("a job is the same job in both versions", async () => {
    const made = await submit({ tags: { a: 1 } });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      status: "INITIALIZING",
      svcDeviceId: "svc_svc_sim_statevector",
      vendor: "svc",
      provider: "svc",
      escrow: 0.375,
      cost: null,
      shots: 100,
      openQasm: bell.data,
      measurementCounts: null,
      tags: { a: 1 },
      timeStamps: { endedAt: null, executionDuration: null },
    });
    const id = made.body.svcJobId;
    const job = await service.ended(id);
    const [record] = (await call("GET", `/quantum-jobs?svcJobId=${encodeURIComponent(id)}`)).body;
    expect(record).toMatchObject({
      status: "COMPLETED",
      cost: job.cost,
      escrow: 0,
      circuitNumQubits: 2,
      circuitDepth: 3,
    });
    const result = await call("GET", `/quantum-jobs/result/${id}`);
    expect(result.body.measurementCounts).toEqual(record.measurementCounts);
    const { data } = (await service.call("GET", `/jobs/${id}/result`)).body;
    expect(result.body.measurementCounts).toEqual(data.resultData.measurementCounts);
    expect((await call("GET", "/quantum-jobs")).body[0].svcJobId).toBe(id);
  });

  test("a job tells the number of qubits that it was sent with, before and after it ran", async () => {
    const { body } = await submit({ circuitNumQubits: 3 });
    expect(body.circuitNumQubits).toBe(3);
    await service.ended(body.svcJobId);
    const [record] = (await call("GET", `/quantum-jobs?svcJobId=${body.svcJobId}`)).body;
    expect(record.circuitNumQubits).toBe(3);
  });

  test("cancels, and deletes several by their ids", async () => {
    const ids = [];
    for (let at = 0; at < 2; at += 1) {
      ids.push((await submit({ openQasm: endless.data })).body.svcJobId);
      const cancelled = await call("PUT", `/quantum-jobs/cancel/${ids[at]}`);
      expect([cancelled.status, cancelled.body.status]).toEqual([202, "CANCELLING"]);
      await service.ended(ids[at]);
    }
    const deleted = await call("DELETE", `/quantum-jobs/${ids.join(",")},nothing`);
    expect(deleted.body.successfulIds).toEqual(ids);
    expect(Object.keys(deleted.body.failedIds)).toEqual(["nothing"]);
  });

  test("takes OpenQASM 2 for what it is", async () => {
    const openQasm = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[1];\ncreg c[1];\nx q[0];\nmeasure q -> c;';
    const { svcJobId } = (await submit({ openQasm })).body;
    await service.ended(svcJobId);
    expect((await call("GET", `/quantum-jobs/result/${svcJobId}`)).body.measurementCounts).toEqual({
      1: 100,
    });
  });

  test.each([
    [{ openQasm: undefined }, 400, "VALIDATION_ERROR"],
    [{ bitcode: "QkM=" }, 400, "VALIDATION_ERROR"],
    [{ openQasm: undefined, bitcode: "QkM=" }, 400, "VALIDATION_ERROR"],
    [{ svcDeviceId: "svc_nothing" }, 404, "NOT_FOUND"],
    [{ svcDeviceId: 1 }, 400, "VALIDATION_ERROR"],
    [{ svcDeviceId: "svc_svc_sim_statevector-v1" }, 410, "DEVICE_RETIRED"],
  ])("a job with %j is refused with %i", async (changes, status, code) => {
    const answer = await submit(changes);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  test("bitcode is refused under the name that the caller sent it by", async () => {
    const { body } = await submit({ openQasm: undefined, bitcode: "QkM=" });
    expect(body.error.details).toEqual([{ path: "bitcode", message: expect.stringContaining("openQasm") }]);
  });

  test("the key goes in the header api-key, and in no other", async () => {
    expect((await call("GET", "/quantum-jobs", undefined, "")).body.error.code).toBe(
      "NO_VALID_AUTHENTICATION",
    );
    const answer = await fetch(`${service.service.legacyUrl}/quantum-jobs`, {
      headers: { "x-api-key": service.service.apiKey },
    });
    expect(answer.status).toBe(401);
  });
});
