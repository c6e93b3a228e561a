import {
  type CallOptions,
  type CancelOptions,
  cancelJob,
  hasEnded,
  KetbookError,
  type RawResults,
} from "../../client/index.ts";
import {
  anyValue,
  flag,
  type RawResult,
  type RecordedProgram,
  type RecordedTags,
  type RuntimeJob,
  type Tags,
} from "../../contract/index.ts";
import { jobCard, type RenderedView } from "../../display/index.ts";
import { VERSION } from "../../version.ts";
import type { Device } from "../devices/device.ts";
import type { QasmProgram } from "../programs/program.ts";
import { ProgramList } from "../programs/program-list.ts";
import { owners } from "../results/provenance.ts";
import { Result, Results } from "../results/result.ts";
import { type ResultContext, receivedRecords } from "../results/result-record.ts";
import type { Session } from "../session.ts";
import { DisplayableValue } from "../values/displayable-value.ts";
import { forwardMembers, LazyValue } from "../values/lazy-value.ts";
import { checkHelperOptions } from "../values/options.ts";
import { JobError } from "./failure.ts";
import {
  checkDevice,
  checkLocally,
  DEFAULT_SHOTS,
  type RunRequest,
  type RunSettings,
  toProgram,
} from "./run-arguments.ts";
import {
  downloadResult,
  startWait,
  type WaitLimits,
  type WaitOptions,
  waitForAnswer,
  waitForEnd,
} from "./wait.ts";

const withoutNull = (tags: RecordedTags) =>
  Object.fromEntries(Object.entries(tags).filter(([, value]) => value !== null)) as Tags;

const listOf = <T>(one: T | T[]): T[] => (Array.isArray(one) ? one : [one]);
const isEmpty = ({ probabilities, solutions }: Result) =>
  !solutions && Object.keys(probabilities).length === 0;

/** Options for rerunning a job. */
export interface RerunOptions extends CallOptions {
  /** The device. Default: the same one. */
  on?: Device | string;
  /** Runs only those programs of a batch again that have no result. Default: false. */
  failed?: boolean;
}

/** A job on the service. It shows itself as a card; what it says is from the latest look. */
export class Job extends DisplayableValue {
  /** @internal The instance that the job belongs to. */
  readonly session: Session;
  #record: RuntimeJob;
  readonly #request: RunRequest | undefined;
  #programs: readonly RecordedProgram[] | undefined;

  /** @internal */
  constructor(session: Session, record: RuntimeJob, request?: RunRequest) {
    super();
    this.session = session;
    this.#record = record;
    this.#request = request;
    this.#programs =
      request && listOf<RecordedProgram>(request.program as RecordedProgram | RecordedProgram[]);
  }

  /** @internal */
  static async submit(
    session: Session,
    device: RunSettings["device"],
    request: RunRequest,
    { idempotencyKey, ...call }: CallOptions,
  ): Promise<Job> {
    const deviceQrn = await session.names.resolve(device, call);
    const record = await session.client.jobs.create({ ...request, deviceQrn }, { ...call, idempotencyKey });
    return new Job(session, record, request);
  }

  /** The record with the options of the request: a service that repeats none is still held to them. */
  get #requested(): RuntimeJob {
    const { shots = null, runtimeOptions } = this.#request ?? {};
    const options = { ...runtimeOptions, ...this.#record.runtimeOptions };
    return { ...this.#record, shots: this.#record.shots ?? shots, runtimeOptions: options };
  }

  /** Everything that the service said of the job when last fetched. */
  get record(): Readonly<RuntimeJob> {
    return this.#record;
  }

  /** Resource name of the job: what `job(qrn)` takes. */
  get qrn(): string {
    return this.#record.jobQrn;
  }

  /** Status when last fetched. */
  get status(): RuntimeJob["status"] {
    return this.#record.status;
  }

  /** Credits that the job cost; null until it has ended. */
  get cost(): number | null {
    return this.#record.cost;
  }

  /** Refreshes the job. */
  async refresh(options?: CallOptions): Promise<this> {
    this.#record = await this.session.client.jobs.get(this.qrn, options);
    return this;
  }

  /**
   * Waits until the job has ended, showing its progress. Outages of the service and of the network are waited out.
   *
   * @throws JobError when it ended otherwise than COMPLETED, with the reason.
   * @throws TimeoutError when `timeout` ran out first; the job continues.
   */
  async wait(options?: WaitOptions): Promise<this> {
    const [ended] = await waitForEnd(this.session.client, [this.#record], startWait(options));
    this.#record = ended!;
    if (this.status !== "COMPLETED") throw new JobError(this.#record, this.#programs);
    return this;
  }

  /**
   * Waits for the job as `wait` does, and fetches its result.
   *
   * @throws KetbookError when the job is a batch: those have `results()`.
   */
  async result(options?: WaitOptions): Promise<Result> {
    const found = await this.#fetchResult(startWait(options));
    if (!Array.isArray(found)) return new Result(found, this.#requested, this.#contextOf(0));
    throw new KetbookError(`${this.qrn} is a batch of ${found.length} programs: ask for its results().`);
  }

  /** Waits for the job as `wait` does, and fetches its results: one a program, in order. */
  async results(options?: WaitOptions): Promise<Results> {
    const found = await this.#fetchResult(startWait(options));
    const job = this.#requested;
    return Results.from(
      receivedRecords(found),
      (record, program) => new Result(record, job, this.#contextOf(program)),
    ) as Results;
  }

  #contextOf(index: number): ResultContext {
    const program = this.#programs?.[index];
    const context = {
      ...(index > 0 && { index }),
      ...(program !== undefined && { program }),
      libraryVersion: VERSION,
    };
    owners.set(context, this.session);
    return context;
  }

  async #fetchResult(limits: WaitLimits): Promise<RawResult | RawResults> {
    await this.wait(limits);
    const [found] = await Promise.all([
      downloadResult(this.session.client, this.#record, limits),
      this.programs({ signal: limits.signal }).catch(() => undefined),
    ]);
    return found;
  }

  /** Fetches the program as it was submitted; of a batch, the first. */
  async program(options?: CallOptions): Promise<QasmProgram> {
    return (await this.programs(options)).first("program of this job");
  }

  /** Fetches every program as it was submitted, in order. */
  async programs(options?: CallOptions): Promise<ProgramList> {
    this.#programs ??= listOf(await this.session.client.jobs.program(this.qrn, options));
    return ProgramList.ofRecords(this.#programs);
  }

  /** Fetches the program as the device ran it; of a batch, the first. */
  async compiled(options?: CallOptions): Promise<QasmProgram> {
    const compiled = listOf(await this.session.client.jobs.compiledProgram(this.qrn, options));
    return ProgramList.ofRecords(compiled).first("compiled program of this job");
  }

  /** Fetches the job's circuits, drawn in plain text. */
  async ascii(options?: CallOptions): Promise<string> {
    const { circuits } = await this.session.client.jobs.ascii(this.qrn, options);
    return circuits.map(circuit => circuit.ascii).join("\n\n");
  }

  /**
   * Submits the job's programs again with the same shots, options, name and tags, as a new job: on the same device, or
   * on another one.
   *
   * @throws KetbookError when only what failed is to be run again, and nothing did.
   */
  rerun(options: RerunOptions = {}): PendingJob {
    const { on, failed = false, ...call } = options;
    checkHelperOptions("rerun", { on, failed }, { on: anyValue, failed: flag });
    const idempotencyKey = call.idempotencyKey ?? crypto.randomUUID();
    return new PendingJob(`Rerun of ${this.qrn}`, async () => {
      await this.programs(call);
      const programs = failed ? await this.#failedPrograms(call) : this.#programs!;
      if (programs.length === 0) throw new KetbookError(`rerun: every program of ${this.qrn} has a result.`);
      const { name, tags, shots, runtimeOptions, deviceQrn, batchJobQrn } = this.#record;
      const isBatch = batchJobQrn !== null || programs.length > 1;
      const request = {
        program: isBatch ? programs.map(toProgram) : toProgram(programs[0]!),
        shots: shots ?? DEFAULT_SHOTS,
        runtimeOptions,
        tags: withoutNull(tags),
        ...(name !== null && { name }),
      };
      checkLocally(this.session, request);
      return Job.submit(this.session, checkDevice(on ?? deviceQrn), request, { ...call, idempotencyKey });
    });
  }

  /** The programs that have no result: all of them while the job has not COMPLETED. */
  async #failedPrograms(options: CallOptions): Promise<readonly RecordedProgram[]> {
    await this.refresh(options);
    if (this.status !== "COMPLETED") return this.#programs!;
    const results = await this.results({ signal: options.signal });
    return this.#programs!.filter((_, index) => !results[index] || isEmpty(results[index]));
  }

  /**
   * Asks the job to stop, and asks again while the service can't take that yet. It stops a moment later: `wait()` then
   * says that it was cancelled.
   *
   * @throws ConflictError when it has ended already.
   */
  async cancel(options?: CancelOptions): Promise<this> {
    await cancelJob(this.session.client.jobs, this.qrn, options);
    return this.refresh({ signal: options?.signal });
  }

  /** Takes the job out of every list. A job that runs continues, and is charged. */
  async delete(options?: CallOptions): Promise<void> {
    await this.session.client.jobs.delete(this.qrn, options);
  }

  /** The job as the service described it when last fetched. */
  toJSON(): RuntimeJob {
    return this.#record;
  }

  /** @internal */
  protected override render(): RenderedView {
    return jobCard(this.#record, { now: Date.now() });
  }

  /** @internal Follows the job while its card is in a notebook. */
  async settled(redraw?: () => void): Promise<void> {
    if (!redraw || hasEnded(this.#record)) return;
    const onUpdate = (record: RuntimeJob) => {
      const { status, queuePosition } = this.#record;
      this.#record = record;
      if (record.status !== status || record.queuePosition !== queuePosition) redraw();
    };
    await this.session.client.watch(this.#record, { onUpdate }).catch(() => undefined);
  }
}

/** A job that is being submitted or looked up. `await` it for the job, or call its methods directly. */
export interface PendingJob
  extends Pick<Job, "refresh" | "program" | "programs" | "compiled" | "ascii" | "delete"> {}

export class PendingJob extends LazyValue<Job> {
  /** Everything that the service said of the job. */
  declare readonly record: Promise<Job["record"]>;
  /** Resource name of the job. */
  declare readonly qrn: Promise<string>;
  /** Status of the job. */
  declare readonly status: Promise<Job["status"]>;
  /** Credits that the job cost; null until it has ended. */
  declare readonly cost: Promise<number | null>;

  /** Waits until the job has ended, showing its progress. */
  async wait(options?: WaitOptions): Promise<Job> {
    return this.#within(options, (job, limits) => job.wait(limits));
  }

  /** Waits for the job, and fetches its result. */
  async result(options?: WaitOptions): Promise<Result> {
    return this.#within(options, (job, limits) => job.result(limits));
  }

  /** Waits for the job, and fetches its results: one a program, in order. */
  async results(options?: WaitOptions): Promise<Results> {
    return this.#within(options, (job, limits) => job.results(limits));
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
    const { timeout, signal } = options ?? {};
    return this.#within({ timeout, signal }, job => job.cancel(options));
  }
}

forwardMembers(PendingJob.prototype, Job.prototype, [
  ...(["record", "qrn", "status", "cost"] as const),
  ...(["refresh", "program", "programs", "compiled", "ascii", "delete"] as const),
]);
