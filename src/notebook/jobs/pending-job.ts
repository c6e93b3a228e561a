import type { CancelOptions } from "../../client/cancel.ts";
import type { CallOptions } from "../../client/options.ts";
import type { RuntimeJob } from "../../contract/job.ts";
import type { QasmProgram } from "../programs/program.ts";
import type { ProgramList } from "../programs/program-list.ts";
import type { Result } from "../results/result.ts";
import type { Results } from "../results/results.ts";
import { LazyValue } from "../values/lazy-value.ts";
import type { Job, RerunOptions } from "./job.ts";
import { waitForAnswer } from "./wait.ts";
import { startWait, type WaitLimits, type WaitOptions } from "./wait-limits.ts";

/** A job that is being submitted or looked up. `await` it for the job, or ask it straight for what you need. */
export class PendingJob extends LazyValue<Job> {
  /** Everything that the service said of the job. */
  get record(): Promise<Readonly<RuntimeJob>> {
    return this.then(job => job.record);
  }

  /** Resource name of the job. */
  get qrn(): Promise<string> {
    return this.then(job => job.qrn);
  }

  /** Status when the job was submitted or looked up. */
  get status(): Promise<RuntimeJob["status"]> {
    return this.then(job => job.status);
  }

  /** Credits that the job did cost; null until it has ended. */
  get cost(): Promise<number | null> {
    return this.then(job => job.cost);
  }

  /** Looks at the job again. */
  async refresh(options?: CallOptions): Promise<Job> {
    return (await this).refresh(options);
  }

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

  /** Fetches the program as it was submitted; of a batch, the first. */
  async program(options?: CallOptions): Promise<QasmProgram> {
    return (await this).program(options);
  }

  /** Fetches every program as it was submitted, in order. */
  async programs(options?: CallOptions): Promise<ProgramList> {
    return (await this).programs(options);
  }

  /** Fetches the program as the device ran it; of a batch, the first. */
  async compiled(options?: CallOptions): Promise<QasmProgram> {
    return (await this).compiled(options);
  }

  /** Fetches the job's circuits, drawn in plain text. */
  async ascii(options?: CallOptions): Promise<string> {
    return (await this).ascii(options);
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

  /** Takes the job out of every list. A job that runs continues, and is charged. */
  async delete(options?: CallOptions): Promise<void> {
    return (await this).delete(options);
  }
}
