import { inspect } from "#host";
import type { CallOptions, Client } from "../client/index.ts";
import type {
  CreditBalance,
  CreditPricing,
  GroupFilter,
  JobGroupRequest,
  RecordedProgram,
} from "../contract/index.ts";
import type { Observable } from "../results/index.ts";
import { type SpendingList, type SpendingOptions, spending } from "./account/spending.ts";
import { credits, pricingOf, type Usage, type UsageDays, type UsageSeries, usage } from "./account/usage.ts";
import {
  type ConnectionRecord,
  connectionText,
  describeConnection,
  type KetbookOptions,
} from "./connection/connection.ts";
import type { Host } from "./connection/host.ts";
import { type Device, Devices, type DevicesFilter, PendingDevice } from "./devices/device.ts";
import type { DeviceName } from "./devices/resolve-device.ts";
import { type Estimate, estimate } from "./estimate/estimate.ts";
import type { Estimation } from "./estimate/estimation.ts";
import type { EstimateService } from "./estimate/prepare.ts";
import { workOut } from "./estimate/work.ts";
import { createGroup, Group, Groups, PendingGroup } from "./groups/group.ts";
import { Job, PendingJob } from "./jobs/job.ts";
import { Jobs, type JobsFilter } from "./jobs/jobs.ts";
import { type Run, run } from "./jobs/run.ts";
import { sweep } from "./jobs/sweep.ts";
import type { Inputs, InputValue } from "./programs/inputs.ts";
import type { Result, Results } from "./results/result.ts";
import { Session } from "./session.ts";
import type { DisplayableValue } from "./values/displayable-value.ts";
import { LazyValue } from "./values/lazy-value.ts";
import { requireName } from "./values/options.ts";

/**
 * One service, spoken to with one key. Whatever it makes (devices, runs, jobs, groups, lists) belongs to it and to no
 * other, so several accounts work side by side.
 *
 * Nothing is looked for or sent before the first answer is needed.
 *
 * @example
 * ```ts
 * import { Ketbook } from "ketbook";
 * const lab = new Ketbook({ url: "https://quantum.example/api/v1", apiKey: "…", timeout: 20_000 });
 * const mine = new Ketbook();
 * const simulators = await mine.devices({ deviceType: "SIMULATOR" });
 * ```
 */
export class Ketbook {
  /** The typed client of the service: one member a resource, one method an operation. */
  readonly client: Client;
  /** @internal */
  readonly session: Session;

  /** @throws KetbookError if `url` is not an address, or has no key. */
  constructor(options?: KetbookOptions);
  /** @internal */
  constructor(options: KetbookOptions | undefined, host: Host);
  /** @internal */
  constructor(session: Session);
  constructor(given?: KetbookOptions | Session, host?: Host) {
    this.session = given instanceof Session ? given : new Session(given, host);
    this.client = this.session.client;
    bindMethods(this);
  }

  /** Looks up a device by its resource name, or by a short one that only one device has, such as `perth`. */
  device(name: DeviceName, options?: CallOptions): PendingDevice {
    return new PendingDevice(this.session, name, options);
  }

  /** Asks for the devices of the service. Retired ones are left out unless `retired: true` asks for them. */
  devices(filter: DevicesFilter = {}, options?: CallOptions): Devices {
    return Devices.of(this.session, filter, options);
  }

  /** Prepares a run of a program: `await run(bell).on("svc:svc:sim:statevector").shots(1000)`. */
  run(program: string | RecordedProgram): Run<Result>;
  /** Prepares a batch: up to 2000 programs in one job, whose results come in the same order. */
  run(programs: readonly (string | RecordedProgram)[]): Run<Results>;
  /** Prepares a run of one program, or of a batch. */
  run(given: string | RecordedProgram | readonly (string | RecordedProgram)[]): Run<Result | Results>;
  run(given: string | RecordedProgram | readonly (string | RecordedProgram)[]): Run<Result | Results> {
    return run(this.session, given);
  }

  /**
   * Prepares a batch of one program with `input` variables, one run for each set of values:
   * `sweep(ansatz, [{ theta: 0 }, { theta: 0.1 }])`; or for each point of a grid: `sweep(ansatz, { theta: [0, 0.1] })`.
   * The values of an input may be an array, a typed array or any other iterable.
   *
   * @throws KetbookError for a set of values with an unknown or missing input.
   */
  sweep(
    program: string | RecordedProgram,
    values: Iterable<Inputs> | { readonly [input: string]: InputValue | Iterable<InputValue> },
  ): Run<Results> {
    return sweep(this.session, program, values);
  }

  /**
   * Prepares an estimate of observables in the final states of programs: a value with its error, within a budget.
   *
   * @throws KetbookError for anything but a program or a sum of Pauli strings.
   */
  estimate(
    given: string | RecordedProgram | readonly (string | RecordedProgram)[],
    observables: Observable | readonly Observable[],
  ): Estimate {
    return estimate(this.#estimates, given, observables);
  }

  /** Finds an estimate again by its name, and takes it up where it was left: nothing is submitted twice. */
  estimation(id: string): LazyValue<Estimation> {
    return new LazyValue("Estimation", () => workOut(this.#estimates, { id: requireName("estimation", id) }));
  }

  get #estimates(): EstimateService {
    const { client, names } = this.session;
    return { client, names, results: (record, options) => new Job(this.session, record).results(options) };
  }

  /** Looks up a job by its resource name. */
  job(qrn: string, options?: CallOptions): PendingJob {
    const name = requireName("job", qrn);
    return new PendingJob(
      `Job ${name}`,
      async () => new Job(this.session, await this.client.jobs.get(name, options)),
    );
  }

  /** Asks for your jobs, the newest first: 50 of them when awaited, all of them with `for await`. */
  jobs(filter: JobsFilter = {}, options?: CallOptions): Jobs {
    return Jobs.of(this.session, filter, options);
  }

  /** Looks up a group by its resource name. */
  group(qrn: string, options?: CallOptions): PendingGroup {
    const name = requireName("group", qrn);
    return new PendingGroup(
      `Group ${name}`,
      async () => new Group(this.session, await this.client.groups.get(name, options)),
    );
  }

  /** Makes a group; close it yourself, or declare it with `await using`. */
  createGroup(options?: JobGroupRequest, call?: CallOptions): PendingGroup;
  /** Makes a group, hands it to a function, and closes it when the function has ended. */
  createGroup<T>(options: JobGroupRequest, body: (group: Group) => T | Promise<T>): Promise<T>;
  createGroup<T>(options: JobGroupRequest = {}, body?: ((group: Group) => T | Promise<T>) | CallOptions) {
    return createGroup(this.session, options, body);
  }

  /**
   * Asks for your groups, the newest first: 50 of them when awaited, all of them with `for await`. `run` is the idempotency
   * key of a submission, such as that of a `LostSubmissionError`.
   */
  groups(filter: GroupFilter & { run?: string } = {}, options?: CallOptions): Groups {
    return Groups.of(this.session, filter, options);
  }

  /** Asks what your organization may spend. */
  credits(options?: CallOptions): LazyValue<CreditBalance & DisplayableValue> {
    return new LazyValue("Credits", () => credits(this.client, options));
  }

  /** Asks what credits cost. */
  pricing(options?: CallOptions): LazyValue<CreditPricing & DisplayableValue> {
    return new LazyValue("Pricing", async () => pricingOf(await this.client.account.pricing(options)));
  }

  /** Sums up what your jobs cost: `spending({ by: "device", since: "2026-11-01" })`. */
  spending(options?: SpendingOptions, call?: CallOptions): LazyValue<SpendingList> {
    return spending(this.session, options, call);
  }

  /** Asks how much of each simulator's daily quota is used up; `usage().days(30)` counts their jobs day by day. */
  usage(options?: CallOptions): Usage;
  /** Asks how many jobs of one simulator completed, day by day. */
  usage(simulator: Device | string, options?: CallOptions): UsageDays<UsageSeries>;
  usage(of?: Device | string | CallOptions, options?: CallOptions): Usage | UsageDays<UsageSeries> {
    return usage(this.session, of, options);
  }

  /** Address of the service, and the default device of runs; never the key. */
  toJSON(): ConnectionRecord {
    return describeConnection(() => this.session.connection);
  }

  /** Address of the service, and the default device of runs, in one line. */
  toString(): string {
    return connectionText(this.toJSON());
  }

  /** @internal */
  [inspect.custom](): string {
    return this.toString();
  }
}

/** Lets the methods of an instance be called detached, as in `const { run } = connect(…)`. */
function bindMethods(instance: Ketbook): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(Ketbook.prototype)))
    if (name !== "constructor" && typeof value === "function")
      Object.defineProperty(instance, name, { value: value.bind(instance) });
}
