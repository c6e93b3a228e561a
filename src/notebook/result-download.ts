import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../client/client.ts";
import { ApiError } from "../client/errors.ts";
import type { RuntimeJob } from "../contract/job.ts";
import type { RawResult } from "../contract/result.ts";
import { formatBytes } from "../display/index.ts";
import { type Loading, showProgress } from "./progress.ts";
import type { WaitOptions } from "./wait.ts";

const tries = 5;

/** A service may say that a job is over a moment before it has the result. */
const isEarly = (error: unknown) => error instanceof ApiError && (error.status === 404 || error.status < 300);

/** Fetches the result of a job that is over, saying how much of it is there when that takes a while. */
export async function downloadResult(
  { jobs }: Client,
  { jobQrn, name }: RuntimeJob,
  { signal }: WaitOptions,
): Promise<RawResult | unknown[]> {
  const loading: Loading = { title: `Result of ${name ?? jobQrn}`, started: performance.now() };
  const onBytes = (received: number, total: number | undefined) => {
    loading.detail = formatBytes(received);
    if (total) loading.fraction = received / total;
  };
  const hide = showProgress(loading);
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await jobs.result(jobQrn, { onBytes, ...(signal && { signal }) });
      } catch (error) {
        if (!isEarly(error) || attempt === tries) throw error;
        await sleep(100 * 2 ** attempt);
      }
    }
  } finally {
    hide();
  }
}
