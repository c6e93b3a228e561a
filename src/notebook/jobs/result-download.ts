import type { Client } from "../../client/client.ts";
import { TimeoutError } from "../../client/errors.ts";
import type { RawResults } from "../../client/jobs.ts";
import { lastSeen } from "../../client/outage.ts";
import { fetchResult } from "../../client/result.ts";
import type { RuntimeJob } from "../../contract/job.ts";
import type { RawResult } from "../../contract/result.ts";
import { formatBytes } from "../../display/index.ts";
import { type LoadingEntry, showProgress } from "../values/progress.ts";
import type { WaitLimits } from "./wait-limits.ts";

/** Fetches the result of a job that is over, saying how much of it is there when that takes a while. */
export async function downloadResult(
  { jobs }: Client,
  { jobQrn, name }: RuntimeJob,
  limits: WaitLimits,
): Promise<RawResult | RawResults> {
  const loading: LoadingEntry = { title: `Result of ${name ?? jobQrn}`, started: performance.now() };
  const onBytes = (received: number, total: number | undefined) => {
    loading.detail = formatBytes(received);
    if (total) loading.fraction = received / total;
  };
  let failure: unknown;
  const onFailure = (error: unknown) => {
    loading.detail = `waiting for the service${lastSeen(error)}`;
    failure = error;
  };
  const hide = showProgress(loading);
  try {
    const { signal, timeout } = limits;
    return await fetchResult(jobs, jobQrn, { onBytes, onFailure, signal, ...(timeout && { timeout }) });
  } catch (error) {
    if (!limits.isOver) throw error;
    const message = `The result of ${jobQrn} was not there within ${limits.timeout} ms${lastSeen(failure)}. It stays at the service.`;
    throw new TimeoutError(message, { jobQrn, cause: failure ?? error });
  } finally {
    hide();
  }
}
