import type { CancelOptions } from "../../client/patience.ts";
import type { Result } from "../results/result.ts";
import type { Results } from "../results/results.ts";
import { forwardMembers, LazyValue } from "../values/lazy-value.ts";
import type { Job, RerunOptions } from "./job.ts";
import { startWait, type WaitLimits, type WaitOptions, waitForAnswer } from "./wait.ts";

/** A job that is being submitted or looked up. `await` it for the job, or ask it straight for what you need. */
export interface PendingJob
  extends Pick<Job, "refresh" | "program" | "programs" | "compiled" | "ascii" | "delete"> {}

export class PendingJob extends LazyValue<Job> {
  /** Everything that the service said of the job. */
  declare readonly record: Promise<Job["record"]>;
  /** Resource name of the job. */
  declare readonly qrn: Promise<string>;
  /** Status of the job. */
  declare readonly status: Promise<Job["status"]>;
  /** Credits that the job did cost; null until it has ended. */
  declare readonly cost: Promise<number | null>;

  /** Waits until the job has ended, showing its progress. */
  async wait(options?: WaitOptions): Promise<Job> {
    return this.#within(options, (job, limits) => job.waitWithin(limits));
  }

  /** Waits for the job, and fetches its result. */
  async result(options?: WaitOptions): Promise<Result> {
    return this.#within(options, (job, limits) => job.resultWithin(limits));
  }

  /** Waits for the job, and fetches its results: one a program, in order. */
  async results(options?: WaitOptions): Promise<Results> {
    return this.#within(options, (job, limits) => job.resultsWithin(limits));
  }

  /** Waits for the job itself through any outage first; a job that comes after an abort is cancelled if that was asked for. */
  async #within<T>(
    options: WaitOptions | undefined,
    then: (job: Job, limits: WaitLimits) => Promise<T>,
  ): Promise<T> {
    const limits = startWait(options);
    const job = await waitForAnswer(this, limits).catch(error => {
      if (limits.isStopped && limits.cancelOnAbort && this.isStarted)
        this.start()
          .then(late => late.cancel())
          .catch(() => undefined);
      throw error;
    });
    return then(job, limits);
  }

  /** Submits the job's programs again, as a new job; with `failed: true` only those that have no result. */
  rerun(options?: RerunOptions): PendingJob {
    return new PendingJob("Rerun", async () => (await this).rerun(options));
  }

  /** Asks the job to stop. It stops a moment later. */
  async cancel(options?: CancelOptions): Promise<Job> {
    const limits = startWait({ timeout: options?.timeout, signal: options?.signal });
    const job = await waitForAnswer(this, limits);
    return job.cancel(options);
  }
}

forwardMembers<Job>(PendingJob.prototype, {
  properties: ["record", "qrn", "status", "cost"],
  methods: ["refresh", "program", "programs", "compiled", "ascii", "delete"],
});
