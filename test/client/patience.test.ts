import { expect, test } from "vitest";
import { ConflictError, NotFoundError, ServiceError, TimeoutError } from "../../src/client/errors/index.ts";
import { cancelJob, fetchResult } from "../../src/client/patience.ts";
import { answering, fastTiming, type Reply, timesFaster } from "./answering.ts";

const result = { status: "COMPLETED", resultData: { measurementCounts: { "0": 1 } } };
const ok = (data: unknown): Reply => ({ body: { success: true, data } });
const tooEarly = (status: number, code: string): Reply => ({
  status,
  body: { error: { code, message: "Not now." } },
});

/** A service whose job is in these statuses, one a look, and can be cancelled from a certain request on. */
const cancellable = (statuses: string[], from: number, refusal = tooEarly(409, "JOB_CANCEL_CONFLICT")) => {
  let asked = 0;
  return answering(({ method }) => {
    if (method === "GET") return ok({ jobQrn: "q", status: statuses.shift() ?? "RUNNING" });
    asked += 1;
    return asked < from ? refusal : { status: 202, body: { success: true, data: { status: "CANCELLING" } } };
  });
};

test.each([
  [409, "JOB_CANCEL_CONFLICT"],
  [409, "JobCancelConflict"],
  [400, "job_not_cancellable"],
  [422, "TOO_EARLY"],
])("cancels a job that could not be cancelled while it was initializing: %i %s", async (status, code) => {
  await using service = await cancellable(["INITIALIZING", "INITIALIZING"], 3, tooEarly(status, code));
  const cancelled = await cancelJob(service.client.jobs, "q", { timing: fastTiming });
  expect(cancelled).toMatchObject({ jobQrn: "q", status: "CANCELLING" });
  expect(service.calls()).toBe(5);
});

test("says that a job which has ended meanwhile was not cancelled", async () => {
  await using service = await cancellable(["INITIALIZING", "COMPLETED"], 9);
  const error = await cancelJob(service.client.jobs, "q", { timing: fastTiming }).catch(reason => reason);
  expect(error).toBeInstanceOf(ConflictError);
  expect(error).toMatchObject({ code: "JOB_CANCEL_CONFLICT", jobQrn: "q" });
});

test("takes it that a job which is being cancelled already is cancelled", async () => {
  await using service = await cancellable(["CANCELLING"], 9);
  expect(await cancelJob(service.client.jobs, "q", { timing: fastTiming })).toMatchObject({
    status: "CANCELLING",
  });
});

test("gives up cancelling after its time, and when its signal aborts", async () => {
  await using service = await cancellable(Array(999).fill("INITIALIZING"), 999);
  const started = fastTiming.now();
  await expect(cancelJob(service.client.jobs, "q", { timeout: 10_000, timing: fastTiming })).rejects.toThrow(
    "Not now.",
  );
  expect(fastTiming.now() - started).toBeGreaterThan(4000);
  const signal = AbortSignal.timeout(30);
  await expect(cancelJob(service.client.jobs, "q", { signal, timing: fastTiming })).rejects.toThrow(
    /aborted/,
  );
});

test.each<[string, Reply]>([
  ["404 RESULT_NOT_FOUND", { status: 404, body: { error: { code: "RESULT_NOT_FOUND" } } }],
  ["404 in words of its own", { status: 404, body: { message: "No results yet" } }],
  ["200 with success: false", { body: { success: false, message: "not ready" } }],
  ["200 with nothing", { body: { success: true, data: null } }],
  ["503", { status: 503, body: "" }],
  ["429", { status: 429, body: "" }],
  ["429 with an hour to wait", { status: 429, body: "", headers: { "retry-after": "3600" } }],
  ["half of its JSON", { body: '{"success":' }],
])("waits for a result while the service answers %s", async (_, early) => {
  await using service = await answering(({ url }, call) => {
    if (url?.endsWith("/jobs/q")) return ok({ jobQrn: "q", status: "COMPLETED" });
    return call < 4 ? early : ok(result);
  });
  const heard: number[] = [];
  const onBytes = (received: number) => heard.push(received);
  expect(await fetchResult(service.client.jobs, "q", { onBytes, timing: fastTiming })).toMatchObject(result);
  expect(heard.at(-1)).toBe(JSON.stringify({ success: true, data: result }).length);
});

test("gives up after a minute on a result that the service has not", async () => {
  const missing = { status: 404, body: { error: { code: "RESULT_NOT_FOUND" }, message: "None." } };
  await using service = await answering(() => missing);
  const started = fastTiming.now();
  const error = await fetchResult(service.client.jobs, "q", { timing: fastTiming }).catch(reason => reason);
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error.jobQrn).toBe("q");
  expect(fastTiming.now() - started).toBeGreaterThan(60_000);
});

const notYet: Reply = { body: { success: false, message: "Not ready." } };

test("a result may come late though the service's clock says that its job ended long ago", async () => {
  const timeStamps = { endedAt: new Date(Date.now() - 120_000).toISOString() };
  await using service = await answering(({ url }, call) => {
    if (url?.endsWith("/jobs/q")) return ok({ jobQrn: "q", status: "COMPLETED", timeStamps });
    return call < 6 ? notYet : ok(result);
  });
  expect(await fetchResult(service.client.jobs, "q", { timing: fastTiming })).toMatchObject(result);
});

test("a limit of its own lets a result come later than a minute, and its error says what was last seen", async () => {
  await using service = await answering(({ url }) =>
    url?.endsWith("/jobs/q") ? ok({ jobQrn: "q", status: "COMPLETED" }) : notYet,
  );
  const timing = timesFaster(10_000);
  const started = timing.now();
  const failed = fetchResult(service.client.jobs, "q", { timeout: 200, timing });
  await expect(failed).rejects.toThrow(
    "could not be fetched within 200 ms: Not ready. It stays at the service.",
  );
  expect(timing.now() - started).toBeGreaterThan(1_000_000);
});

test("jobs whose deletion was answered, but the answer lost, are not said to have failed", async () => {
  const failedIds = { gone: "No such job.", kept: "Not yours." };
  await using service = await answering(({ method, url }, call) => {
    if (method === "DELETE")
      return call === 1 ? "hang up" : ok({ successfulIds: ["late"], failedIds, stillRunning: [] });
    return url?.endsWith("/gone") ? { status: 404, body: {} } : ok({ jobQrn: "kept", status: "RUNNING" });
  });
  expect(await service.client.jobs.deleteMany(["gone", "kept", "late"])).toEqual({
    successfulIds: ["late", "gone"],
    failedIds: { kept: "Not yours." },
    stillRunning: [],
  });
  expect((await service.client.jobs.deleteMany(["gone", "kept"])).failedIds).toEqual(failedIds);
});

test("does not wait for the result of a job that is not there", async () => {
  await using service = await answering(() => ({ status: 404, body: { error: { code: "NOT_FOUND" } } }));
  await expect(fetchResult(service.client.jobs, "q", { timing: fastTiming })).rejects.toThrow(NotFoundError);
  expect(service.calls()).toBe(2);
});

test("an outage longer than the retries of a call does not lose a result", async () => {
  await using service = await answering((_, call) => (call < 30 ? "hang up" : ok(result)));
  expect(await fetchResult(service.client.jobs, "q", { timing: fastTiming })).toMatchObject(result);
});

test("a result that cannot be fetched in its time is a TimeoutError that names the job", async () => {
  await using service = await answering(() => "hang up");
  const error = await fetchResult(service.client.jobs, "q", { timeout: 60, timing: fastTiming }).catch(
    reason => reason,
  );
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error.message).toMatch(
    /^The result of q could not be fetched within 60 ms.* It stays at the service\.$/,
  );
  expect(error.jobQrn).toBe("q");
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(fetchResult(service.client.jobs, "q", { signal, timeout: 60 })).rejects.toThrow("enough");
});

test("a redirect of a result is said at once", async () => {
  const moved = { status: 302, body: "", headers: { location: "https://new.example.org" } };
  await using service = await answering(() => moved);
  await expect(fetchResult(service.client.jobs, "q", { timing: fastTiming })).rejects.toThrow(ServiceError);
  expect(service.calls()).toBe(1);
});
