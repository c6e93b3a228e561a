import type { Client } from "../../client/client.ts";
import { fetchResult } from "../../client/result.ts";
import type { RuntimeJob } from "../../contract/job.ts";
import type { RawResult } from "../../contract/result.ts";
import { formatBytes } from "../../display/index.ts";
import { type Loading, showProgress } from "../values/progress.ts";
import { stopSignals, type WaitOptions } from "./wait.ts";

/** Fetches the result of a job that is over, saying how much of it is there when that takes a while. */
export async function downloadResult(
  { jobs }: Client,
  { jobQrn, name }: RuntimeJob,
  options: WaitOptions,
): Promise<RawResult | RawResult[]> {
  const loading: Loading = { title: `Result of ${name ?? jobQrn}`, started: performance.now() };
  const onBytes = (received: number, total: number | undefined) => {
    loading.detail = formatBytes(received);
    if (total) loading.fraction = received / total;
  };
  const hide = showProgress(loading);
  const { timeout } = options;
  const signal = AbortSignal.any(stopSignals(options));
  try {
    return await fetchResult(jobs, jobQrn, { onBytes, signal, ...(timeout !== undefined && { timeout }) });
  } finally {
    hide();
  }
}
