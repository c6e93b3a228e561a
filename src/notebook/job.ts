import { KetbookError } from "../client/errors.ts";
import { hasEnded } from "../client/watch.ts";
import type { RuntimeJob } from "../contract/job.ts";
import type { RawResult } from "../contract/result.ts";
import { type Form, jobCard } from "../display/index.ts";
import { currentClient } from "./connection.ts";
import { JobError } from "./failure.ts";
import { Lazy } from "./lazy.ts";
import { QasmProgram } from "./program.ts";
import { Result } from "./result.ts";
import { downloadResult } from "./result-download.ts";
import { Results } from "./results.ts";
import { Shown } from "./shown.ts";
import { type WaitOptions, waitForEnd } from "./wait.ts";

/** A job on the service. It shows itself as a card; what it says is from the latest look. */
export class Job extends Shown {
  #record: RuntimeJob;
  readonly #sources: readonly string[];

  /** @internal */
  constructor(record: RuntimeJob, sources: readonly string[] = []) {
    super();
    this.#record = record;
    this.#sources = sources;
  }

  /** Everything that the service said of the job at the latest look. */
  get record(): Readonly<RuntimeJob> {
    return this.#record;
  }

  /** Resource name of the job: what `job(qrn)` takes. */
  get qrn(): string {
    return this.#record.jobQrn;
  }

  /** Status at the latest look. */
  get status(): string {
    return this.#record.status;
  }

  /** Credits that the job did cost; null until it has ended. */
  get cost(): number | null {
    return this.#record.cost;
  }

  /** Looks at the job again. */
  async refresh(): Promise<this> {
    const client = await currentClient();
    this.#record = await client.jobs.get(this.qrn);
    return this;
  }

  /**
   * Waits until the job has ended, showing its progress.
   *
   * @throws JobError when it ended otherwise than COMPLETED, with the reason.
   * @throws TimeoutError when `timeout` ran out first; the job goes on.
   */
  async wait(options?: WaitOptions): Promise<this> {
    const [ended] = await waitForEnd([this.#record], options);
    this.#record = ended!;
    if (this.status !== "COMPLETED") throw new JobError(this.#record, this.#sources);
    return this;
  }

  /**
   * Waits for the job as `wait` does, and fetches its result.
   *
   * @throws KetbookError when the job is a batch: those have `results()`.
   */
  async result(options?: WaitOptions): Promise<Result> {
    const found = await this.#fetchResult(options);
    if (!Array.isArray(found)) return new Result(found, this.#record);
    throw new KetbookError(`${this.qrn} is a batch of ${found.length} programs: ask for its results().`);
  }

  /** Waits for the job as `wait` does, and fetches its results: one a program, in order. */
  async results(options?: WaitOptions): Promise<Results> {
    const found = await this.#fetchResult(options);
    return Results.from([found].flat(), record => new Result(record, this.#record)) as Results;
  }

  async #fetchResult(options?: WaitOptions): Promise<RawResult | unknown[]> {
    await this.wait(options);
    return downloadResult(this.qrn, this.#record.name ?? this.qrn);
  }

  /** Fetches the program as it was submitted; of a batch, the first. */
  async program(): Promise<QasmProgram> {
    const client = await currentClient();
    const [first] = [await client.jobs.program(this.qrn)].flat();
    return new QasmProgram(first!.data);
  }

  /** Fetches the program as the device ran it; of a batch, the first. */
  async compiled(): Promise<QasmProgram> {
    const client = await currentClient();
    const [first] = [await client.jobs.compiledProgram(this.qrn)].flat();
    return new QasmProgram(first!.data);
  }

  /** Fetches the job's circuits, drawn in plain text. */
  async ascii(): Promise<string> {
    const client = await currentClient();
    const { circuits } = await client.jobs.ascii(this.qrn);
    return circuits.map(circuit => circuit.ascii).join("\n\n");
  }

  /** Asks the job to stop. It stops a moment later: `wait()` then says that it was cancelled. */
  async cancel(): Promise<this> {
    const client = await currentClient();
    await client.jobs.cancel(this.qrn);
    return this.refresh();
  }

  /** Takes the job out of every list. A job that runs goes on, and is charged. */
  async delete(): Promise<void> {
    const client = await currentClient();
    await client.jobs.delete(this.qrn);
  }

  /** @internal */
  protected override face(): Form {
    return jobCard(this.#record, { now: Date.now() });
  }

  /** @internal Follows the job while its card stands in a notebook. */
  async settled(redraw?: () => void): Promise<void> {
    if (!redraw || hasEnded(this.#record)) return;
    const { watch } = await currentClient();
    const onUpdate = (record: RuntimeJob) => {
      const { status, queuePosition } = this.#record;
      this.#record = record;
      if (record.status !== status || record.queuePosition !== queuePosition) redraw();
    };
    await watch(this.#record, { onUpdate }).catch(() => undefined);
  }
}

/** A job that is being submitted or looked up. `await` it for the job, or ask it straight for what you need. */
export class PendingJob extends Lazy<Job> {
  /** Waits until the job has ended, showing its progress. */
  async wait(options?: WaitOptions): Promise<Job> {
    return (await this).wait(options);
  }

  /** Waits for the job, and fetches its result. */
  async result(options?: WaitOptions): Promise<Result> {
    return (await this).result(options);
  }

  /** Waits for the job, and fetches its results: one a program, in order. */
  async results(options?: WaitOptions): Promise<Results> {
    return (await this).results(options);
  }

  /** Fetches the program as it was submitted; of a batch, the first. */
  async program(): Promise<QasmProgram> {
    return (await this).program();
  }

  /** Asks the job to stop. It stops a moment later. */
  async cancel(): Promise<Job> {
    return (await this).cancel();
  }

  /** Takes the job out of every list. A job that runs goes on, and is charged. */
  async delete(): Promise<void> {
    return (await this).delete();
  }
}

/** Looks up a job by its resource name. */
export function job(qrn: string): PendingJob {
  return new PendingJob(`Job ${qrn}`, async () => new Job(await (await currentClient()).jobs.get(qrn)));
}
