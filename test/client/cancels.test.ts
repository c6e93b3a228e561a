import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { type Client, openClient } from "../../src/client/client.ts";
import { RequestError } from "../../src/client/errors/index.ts";
import { cancelJob } from "../../src/client/patience.ts";
import { systemTiming } from "../../src/client/timing.ts";
import { answering, fastTiming, keepsKeys, listening, send } from "./answering.ts";
import { losses } from "./losses.ts";

/** Ways of cancelling: the request's path, and the call. */
const cancels: Record<
  string,
  { path: string; call(client: Client, timeout: number): Promise<{ status: string }> }
> = {
  "jobs.cancel": {
    path: "/jobs/q/cancel",
    call: ({ jobs }, timeout) => jobs.cancel("q", { timeout }),
  },
  cancelJob: {
    path: "/jobs/q/cancel",
    call: ({ jobs }, timeout) => cancelJob(jobs, "q", { timeout, timing: fastTiming }),
  },
  "groups.cancel": {
    path: "/jobs/group/q/cancel",
    call: ({ groups }, timeout) => groups.cancel("q", { timeout }),
  },
};

interface ServiceOptions {
  loss: keyof typeof losses;
  /** Cancels whose answers are lost. */
  lost: number;
  keeps: boolean;
  /** Whether a cancel whose answer is lost is carried out. */
  acts?: boolean;
  /** Looks that show the state of before the cancel. */
  shownAfter?: number;
}

/** A service of one job and one group, which refuses to cancel what is cancelled. */
async function cancellingService({ loss, lost, keeps, acts = true, shownAfter = 0 }: ServiceOptions) {
  const headers = keeps ? keepsKeys : {};
  const requests: string[] = [];
  let done = 0;
  let looks = 0;
  const state = () => (done > 0 && looks > shownAfter ? "CANCELLED" : "RUNNING");
  const recordOf = (path: string) => ({
    [path.includes("/group/") ? "groupJobQrn" : "jobQrn"]: "q",
    status: state(),
    message: "Cancelled.",
  });
  const service = await listening((incoming: IncomingMessage, response: ServerResponse) => {
    const path = (incoming.url ?? "").replace("/api/v1", "");
    requests.push(`${incoming.method} ${path}`);
    if (incoming.method === "GET") {
      looks += 1;
      return send(response, { headers, body: { success: true, data: recordOf(path) } });
    }
    const isLost = requests.filter(request => request.startsWith("POST")).length <= lost;
    const isRefused = done > 0;
    if (!isRefused && (acts || !isLost)) done += 1;
    if (isLost) return losses[loss](incoming, response);
    if (isRefused) return send(response, { status: 409, headers, body: { error: { code: "HAS_ENDED" } } });
    looks = Number.POSITIVE_INFINITY;
    send(response, { status: 202, headers, body: { success: true, data: recordOf(path) } });
  });
  const client = openClient({ url: `${service.origin}/api/v1`, apiKey: "" }, {}, fastTiming);
  return { ...service, client, requests, done: () => done };
}

/** Time for a cancel: what waits for an answer that never comes uses all of it, anything else what the machine needs. */
const timeFor = (loss: keyof typeof losses) => (loss === "silence" ? 1000 : 20_000);

const kinds = Object.keys(losses) as (keyof typeof losses)[];

describe.each([
  ["keeps idempotency keys", true],
  ["ignores idempotency keys", false],
])("by a service that %s", (_, keeps) => {
  describe.each(Object.entries(cancels))("%s", (name, { path, call }) => {
    test.concurrent.each(kinds)(
      "is done once, and not repeated, after its answer is lost: %s",
      async loss => {
        await using service = await cancellingService({ loss, lost: 1, keeps });
        const outcome = await call(service.client, timeFor(loss)).catch((error: RequestError) => error);
        expect(service.done()).toBe(1);
        if (loss === "silence") {
          expect((outcome as RequestError).message).toMatch(
            /was not answered within \d+ ms\. It may have been carried out all the same: check/,
          );
          expect(service.requests).toEqual([`POST ${path}`]);
          return;
        }
        expect(outcome).toMatchObject({ status: "CANCELLED" });
        expect(service.requests).toEqual([`POST ${path}`, `GET ${path.replace("/cancel", "")}`]);
      },
    );

    test.concurrent.each(kinds)("is done once though the state is shown late: %s", async loss => {
      await using service = await cancellingService({ loss, lost: 1, keeps, shownAfter: 1 });
      const outcome = await call(service.client, timeFor(loss)).catch((error: RequestError) => error);
      expect(service.done()).toBe(1);
      if (outcome instanceof RequestError)
        expect(outcome.message).toContain("It may have been carried out all the same: check");
      else expect(outcome).toMatchObject({ status: "CANCELLED" });
    });

    test.concurrent.each(kinds)(
      "says that it may have been done when every answer is lost: %s",
      async loss => {
        await using service = await cancellingService({ loss, lost: 99, keeps, acts: false });
        const error = (await call(service.client, timeFor(loss)).catch(reason => reason)) as RequestError;
        expect(error).toBeInstanceOf(RequestError);
        expect(error.message).toContain("It may have been carried out all the same: check");
        expect(error.jobQrn).toBe(name === "groups.cancel" ? null : "q");
        expect(service.done()).toBe(0);
      },
    );
  });
});

test("a silent service is asked once until the timeout, however many calls overlap", async () => {
  await using service = await answering(() => "say nothing", { timing: systemTiming });
  const cancels = Array.from({ length: 5 }, async (_, place) => {
    await systemTiming.sleep(100 * place);
    return await service.client.jobs.cancel("q", { timeout: 900 });
  });
  for (const outcome of await Promise.allSettled(cancels))
    expect((outcome as PromiseRejectedResult).reason.message).toMatch(
      /was not answered within 900 ms\. It may have been carried out/,
    );
  expect(service.calls()).toBe(5);
});

test("cancelJob tries again while the service is away, until its time is over", async () => {
  await using service = await answering((_, call) =>
    call <= 12
      ? "hang up"
      : { body: { success: true, data: { jobQrn: "q", status: "CANCELLING", message: "" } } },
  );
  const cancelled = await cancelJob(service.client.jobs, "q", { timing: fastTiming });
  expect([cancelled.status, service.calls()]).toEqual(["CANCELLING", 13]);
  await using away = await answering(() => "hang up");
  await expect(cancelJob(away.client.jobs, "q", { timeout: 20_000, timing: fastTiming })).rejects.toThrow(
    RequestError,
  );
});
