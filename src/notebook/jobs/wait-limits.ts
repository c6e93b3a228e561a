import { deadlineAfter } from "../../client/timing.ts";
import type { RuntimeJob } from "../../contract/job.ts";
import { abortSignal, aFunction, flag, must, type OptionCheck } from "../../contract/options.ts";
import { runningKernel } from "../../kernels/running-kernel.ts";
import { checkHelperOptions } from "../values/options.ts";

/** Options for waiting for a job. */
export interface WaitOptions {
  /** Milliseconds after which to give up waiting; the job continues. Default: no limit. */
  timeout?: number;
  /** Ends the waiting when it aborts; the job continues, unless `cancelOnAbort` is set. */
  signal?: AbortSignal;
  /** Cancels the job when `signal` aborts, or the notebook's cell is interrupted. Default: false. */
  cancelOnAbort?: boolean;
  /** Called with the job's latest record after each look. */
  onUpdate?: (job: RuntimeJob) => void;
}

/** Limits of a wait. */
export interface WaitLimits extends Omit<WaitOptions, "signal"> {
  /** Aborts when the caller's signal does, when the cell is interrupted, and when the time is over. */
  readonly signal: AbortSignal;
  /** Whether the caller, or an interrupt, ended the wait. */
  readonly isStopped: boolean;
  /** Whether the time ended it. */
  readonly isOver: boolean;
}

const checks: Record<keyof WaitOptions, OptionCheck> = {
  timeout: must("milliseconds, 0 or more", value => typeof value === "number" && value >= 0),
  signal: abortSignal,
  cancelOnAbort: flag,
  onUpdate: aFunction,
};

/**
 * Starts the clock of a wait.
 *
 * @throws KetbookError for an option that there is not, or that can't have its value.
 */
export function startWait(options: WaitOptions = {}): WaitLimits {
  checkHelperOptions("wait", options, checks);
  const { signal, ...others } = options;
  const stops = [signal, runningKernel()?.interruption()].filter(one => one !== undefined);
  const deadline = deadlineAfter(options.timeout);
  const isStopped = () => stops.some(({ aborted }) => aborted);
  return {
    ...others,
    signal: AbortSignal.any(deadline ? [...stops, deadline] : stops),
    get isStopped() {
      return isStopped();
    },
    get isOver() {
      return deadline?.aborted === true && !isStopped();
    },
  };
}
