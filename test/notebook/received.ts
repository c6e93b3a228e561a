import type { RuntimeJob } from "../../src/contract/job.ts";
import { Result, Results } from "../../src/notebook/results/result.ts";
import { receivedRecords } from "../../src/notebook/results/result-record.ts";
import { answering } from "../client/answering.ts";

const times = { createdAt: "2026-10-02T08:00:00.120Z", endedAt: null, executionDuration: null };
export const jobOn = (deviceQrn: string, more: object = {}) =>
  Result.from({ resultData: {}, job: { deviceQrn, ...more } }).jobRecord;
export const gateModel = jobOn("aws:rigetti:qpu:cepheus", { experimentType: "gate_model", shots: 4 });

/** Reads what a service answers to a result look-up, over HTTP. */
export async function received(data: unknown, job: RuntimeJob = gateModel): Promise<Results> {
  await using service = await answering(() => ({ body: { success: true, data } }));
  const found = await service.client.jobs.result("q");
  return Results.from(receivedRecords(found), record => new Result(record, job)) as Results;
}

export const record = (resultData: unknown, cost: unknown = "130.0") => ({
  status: "COMPLETED",
  cost,
  timeStamps: times,
  resultData,
});
export const one = async (resultData: unknown, job?: RuntimeJob) =>
  (await received(record(resultData), job))[0]!;
