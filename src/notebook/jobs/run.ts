import { type CallOptions, KetbookError } from "../../client/index.ts";
import {
  describeValue,
  isRecord,
  type JobRequest,
  type NoQuote,
  type Quote,
  type RecordedProgram,
  type Tags,
} from "../../contract/index.ts";
import { type ExpectedShot, type QuoteState, type RenderedView, runCard } from "../../display/index.ts";
import { isObservable, type Observable } from "../../results/index.ts";
import { type Device, PendingDevice } from "../devices/device.ts";
import type { DeviceName } from "../devices/resolve-device.ts";
import { drawProgram } from "../programs/circuit.ts";
import { type Inputs, inputBinder } from "../programs/inputs.ts";

import type { Result, Results } from "../results/result.ts";
import type { Session } from "../session.ts";
import type { DisplayableValue } from "../values/displayable-value.ts";
import { LazyPromise, LazyValue } from "../values/lazy-value.ts";
import { Job, PendingJob } from "./job.ts";
import { CostLimitError, expectedShots, quoteRun } from "./quote.ts";
import {
  checkDevice,
  checkLocally,
  checkMaxCost,
  DEFAULT_SHOTS,
  isName,
  type RunGroup,
  type RunRequest,
  type RunSettings,
  toProgram,
} from "./run-arguments.ts";
import { checkRecordedOptions, checkRuntimeOptions, type RuntimeOptions } from "./runtime-options.ts";
import type { WaitOptions } from "./wait.ts";

const nameOf = (device: RunSettings["device"]) =>
  device instanceof PendingDevice ? undefined : typeof device === "object" ? device.qrn : device;

/**
 * A run that is not submitted yet. `await` submits it, waits and returns the result; awaiting it again returns the same result.
 * Each method returns a new run and leaves this one as it is.
 */
export class Run<R extends Result | Results = Result> extends LazyPromise<R> {
  readonly #session: Session;
  readonly #settings: RunSettings;
  #job: PendingJob | undefined;
  #quote: QuoteState = { state: "pending" };
  #device: string | undefined;
  #expected: ExpectedShot | undefined;
  #call: CallOptions = { idempotencyKey: crypto.randomUUID() };

  /** @internal */
  constructor(session: Session, prepared: RunSettings) {
    super();
    this.#session = session;
    this.#settings = prepared;
  }

  #with(change: Partial<RunSettings>): Run<R> {
    return new Run<R>(this.#session, { ...this.#settings, ...change });
  }

  /**
   * Chooses the device: one of `devices()`, its resource name such as `svc:svc:sim:statevector`, or a short name
   * that only one device has, such as `statevector`.
   */
  on(device: Device | PendingDevice | DeviceName): Run<R> {
    return this.#with({ device: checkDevice(device) });
  }

  /** Sets the number of shots; 0 computes exact probabilities. Default: 1000. */
  shots(shots: number): Run<R> {
    if (Number.isSafeInteger(shots) && shots >= 0) return this.#with({ shots });
    throw new KetbookError(`shots(${describeValue(shots)}): shots must be a whole number, 0 or more.`);
  }

  /** Names the job. */
  named(name: string): Run<R> {
    return this.#with({ name });
  }

  /** Tags the job, besides the tags that it has. */
  tagged(tags: Tags): Run<R> {
    if (isRecord(tags)) return this.#with({ tags: { ...this.#settings.tags, ...tags } });
    throw new KetbookError(`tagged(${describeValue(tags)}): give tags by key, such as { course: "qc-1" }.`);
  }

  /**
   * Sets options of the device, besides those already set.
   *
   * @throws KetbookError for a misspelled name, and for a value that an option can't have.
   */
  options(options: RuntimeOptions): Run<R> {
    checkRuntimeOptions(options);
    return this.recorded(options);
  }

  /** @internal Sets options as a job's record has them. */
  recorded(options: object): Run<R> {
    checkRecordedOptions(options);
    return this.#with({ runtimeOptions: { ...this.#settings.runtimeOptions, ...options } });
  }

  /**
   * Has a simulator compute expectation values from the final states themselves, before the measurements that end the
   * program, which then needs no measurements: `run(ansatz).observables("ZZ", "0.5*XX - YY")`. They are in
   * `result.observables`; a second call adds to the first.
   *
   * @param observables - Sums of Pauli strings, with a letter for each qubit, the last declared on the left, or with the
   *   numbers of the qubits: `"ZZ"`, `"X0 X2"`, `{ XX: 0.5, YY: 0.5 }`.
   * At most 1,000.
   *
   * @throws KetbookError for anything but such a sum.
   */
  observables(...observables: Observable[]): Run<R> {
    const wrong = observables.find(observable => !isObservable(observable));
    if (wrong !== undefined)
      throw new KetbookError(
        `observables: ${describeValue(wrong)} is not a sum of Pauli strings. Give each as an argument, such as observables("ZZ", { XX: 0.5 }).`,
      );
    const known = this.#settings.runtimeOptions?.observables as Observable[] | undefined;
    return this.recorded({ observables: [...(known ?? []), ...observables] });
  }

  /**
   * Sets the values of the program's `input` variables: `run(ansatz).inputs({ theta: 0.3 })`. They are written into
   * the submitted program, so every device accepts them.
   *
   * @throws KetbookError when a program has no such input; on submission, when one is left without a value.
   */
  inputs(inputs: Inputs): Run<R> {
    for (const program of this.#settings.programs) inputBinder(program, "inputs").check(inputs);
    return this.#with({ inputs: { ...this.#settings.inputs, ...inputs } });
  }

  /** Puts the job into a group. */
  in(group: RunGroup | string): Run<R> {
    if (typeof Object(group).close === "function" || isName(group)) return this.#with({ group });
    throw new KetbookError(
      `in(${describeValue(group)}): give a group, or its resource name such as "group:…".`,
    );
  }

  /**
   * Submits only when there is a quote for the whole run, and it is at most a number of credits; otherwise the run
   * fails with a `CostLimitError`, and nothing is submitted or charged.
   */
  maxCost(credits: number): Run<R> {
    return this.#with({ maxCost: checkMaxCost(credits) });
  }

  /**
   * Submits the run, once, and returns the job without waiting for its end. A submission that failed is tried again by the
   * next call, under the same idempotency key, so a job whose answer was lost is found and not made twice.
   */
  submit(options?: CallOptions): PendingJob {
    if (options) this.#call = { idempotencyKey: this.#call.idempotencyKey, ...options };
    this.#job ??= new PendingJob("Submission", () => this.#submit());
    this.#job.start();
    return this.#job;
  }

  /** The request that would be submitted, without its device. */
  get #request(): RunRequest {
    const { device, group, programs, batch, maxCost, inputs, ...request } = this.#settings;
    const [first, ...rest] = inputs
      ? programs.map(program => inputBinder(program, "inputs").bind(inputs))
      : programs;
    return { ...request, program: batch ? [first!, ...rest] : first! };
  }

  async #submit(): Promise<Job> {
    const { device, group, maxCost } = this.#settings;
    const { idempotencyKey, ...call } = this.#call;
    const request = this.#request;
    checkLocally(this.#session, request);
    if (maxCost !== undefined) {
      const quote = await this.quote(call);
      if (!quote.pricingAvailable || quote.estimatedCost > maxCost) throw new CostLimitError(quote, maxCost);
    }
    const groupJobQrn = typeof group === "object" ? await group.qrn : group;
    const attached = { ...request, ...(groupJobQrn !== undefined && { groupJobQrn }) };
    return Job.submit(this.#session, device, attached, this.#call);
  }

  /** Asks what the run would cost, all its programs together, in credits. The answer shows itself as a card. */
  quote(options?: CallOptions): LazyValue<(Quote | NoQuote) & DisplayableValue> {
    return new LazyValue("Quote", async () => {
      const { client, names, calibrations } = this.#session;
      const deviceQrn = await names.resolve(this.#settings.device, options);
      return quoteRun(client, deviceQrn, this.#request, options, calibrations);
    });
  }

  /**
   * Submits the run, if that was not done, waits as `await` does, and returns the result. Outages of the service and of the
   * network are waited out.
   */
  async result({
    headers,
    idempotencyKey,
    ...options
  }: WaitOptions & Pick<CallOptions, "headers" | "idempotencyKey"> = {}): Promise<R> {
    options.signal?.throwIfAborted();
    const call = { ...(headers && { headers }), ...(idempotencyKey && { idempotencyKey }) };
    const job = this.submit(Object.keys(call).length > 0 ? call : undefined);
    return (this.#settings.batch ? await job.results(options) : await job.result(options)) as R;
  }

  /** @internal */
  protected override work(): Promise<R> {
    return this.result();
  }

  /** The request that would be submitted. */
  toJSON(): Partial<JobRequest> {
    const { device, group } = this.#settings;
    const deviceQrn = nameOf(device);
    const name = group instanceof LazyValue ? undefined : typeof group === "object" ? group.qrn : group;
    return {
      ...(deviceQrn && { deviceQrn }),
      ...(typeof name === "string" && { groupJobQrn: name }),
      ...this.#request,
    };
  }

  /** @internal */
  protected override render(): RenderedView {
    const { programs, device, shots, name } = this.#settings;
    return runCard({
      ...drawProgram(programs[0]),
      device: this.#device ?? nameOf(device),
      shots,
      name: name ?? undefined,
      programs: programs.length,
      quote: this.#quote,
      expected: this.#expected,
    });
  }

  /** @internal Resolves when what is shown has become final. */
  async settled(): Promise<void> {
    try {
      this.#device = await this.#session.names.resolve(this.#settings.device);
      this.#quote = { state: "known", quote: await this.quote() };
      const [program] = [this.#request.program].flat();
      const { runtimeOptions } = this.#settings;
      const { client, calibrations } = this.#session;
      [this.#expected] = await client.devices
        .get(this.#device)
        .then(device => expectedShots(device, calibrations, [program!], runtimeOptions))
        .catch(() => []);
    } catch (error) {
      this.#quote = { state: "failed", reason: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** Prepares a run of one program, or of a batch. */
export function run(
  session: Session,
  given: string | RecordedProgram | readonly (string | RecordedProgram)[],
): Run<Result | Results> {
  const [first, ...rest] = [given].flat().map(toProgram);
  if (!first) throw new KetbookError("run([]): a batch needs at least one program.");
  return new Run(session, { programs: [first, ...rest], batch: Array.isArray(given), shots: DEFAULT_SHOTS });
}
