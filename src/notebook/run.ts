import { KetbookError } from "../client/errors.ts";
import type { JobRequest, Tags } from "../contract/job.ts";
import type { Program } from "../contract/program.ts";
import type { NoQuote, Quote } from "../contract/quote.ts";
import { type Form, type QuoteState, quoteCard, runCard } from "../display/index.ts";
import { deviceQrn } from "./choose-device.ts";
import { drawProgram } from "./circuit.ts";
import { currentClient } from "./connection.ts";
import type { Device } from "./device.ts";
import type { Group } from "./group.ts";
import { Job, PendingJob } from "./job.ts";
import { Lazy } from "./lazy.ts";
import { QasmProgram } from "./program.ts";
import { recordClass } from "./record.ts";
import type { Result } from "./result.ts";
import type { Results } from "./results.ts";
import { Shown } from "./shown.ts";

const defaultDevice = "svc:svc:sim:statevector";
const defaultShots = 1000;

const quoteOf = recordClass<Quote | NoQuote>(quoteCard);

/** Options that the service's simulators read; others are kept with the job and ignored. */
export interface RuntimeOptions {
  /** The same program, device, seed and shots give the same counts. */
  seed?: number;
  /** Keeps the outcome of each shot, in order. */
  memory?: boolean;
  /** Keeps the amplitudes of an exact run (`shots(0)`), up to 12 qubits. */
  statevector?: boolean;
  /** One of the device's `noiseModels`. Default: the first. */
  noiseModel?: string;
  /** Precision of the amplitudes. Default: single, and double in an exact run. */
  precision?: "single" | "double";
  [option: string]: unknown;
}

interface Prepared extends Omit<JobRequest, "deviceQrn" | "program"> {
  device: Device | string;
  programs: readonly [Program, ...Program[]];
  /** Whether several programs were given, be it only one of them. */
  batch: boolean;
  /** Credits that it may cost at most. */
  limit?: number;
}

/**
 * A run that is prepared. `await` submits it, waits and gives the result; awaiting it again gives the same result.
 * Each method gives a new run and leaves this one as it is.
 */
export class Run<R extends Result | Results = Result> extends Shown implements PromiseLike<R> {
  readonly #prepared: Prepared;
  #job: PendingJob | undefined;
  #result: Promise<R> | undefined;
  #quote: QuoteState = { state: "pending" };

  /** @internal */
  constructor(prepared: Prepared) {
    super();
    this.#prepared = prepared;
  }

  #with(change: Partial<Prepared>): Run<R> {
    return new Run<R>({ ...this.#prepared, ...change });
  }

  /**
   * Chooses the device: one of `devices()`, its resource name such as `svc:svc:sim:statevector`, or a short name
   * that only one device has, such as `statevector`.
   */
  on(device: Device | string): Run<R> {
    return this.#with({ device });
  }

  /** Sets the number of repetitions: 1000 if not given; 0 computes exact probabilities. */
  shots(shots: number): Run<R> {
    if (Number.isSafeInteger(shots) && shots >= 0) return this.#with({ shots });
    throw new KetbookError(`shots(${String(shots)}): shots must be a whole number, 0 or more.`);
  }

  /** Names the job. */
  named(name: string): Run<R> {
    return this.#with({ name });
  }

  /** Tags the job, besides the tags that it has. */
  tagged(tags: Tags): Run<R> {
    return this.#with({ tags: { ...this.#prepared.tags, ...tags } });
  }

  /** Sets options of the device, besides those already set. */
  options(options: RuntimeOptions): Run<R> {
    return this.#with({ runtimeOptions: { ...this.#prepared.runtimeOptions, ...options } });
  }

  /** Puts the job into a group. */
  in(group: Group | string): Run<R> {
    return this.#with({ groupJobQrn: typeof group === "string" ? group : group.qrn });
  }

  /** Submits only when there is a quote, and it is not above so many credits. */
  upTo(credits: number): Run<R> {
    if (credits >= 0) return this.#with({ limit: credits });
    throw new KetbookError(`upTo(${String(credits)}): the limit must be a number of credits, 0 or more.`);
  }

  /** Submits the run, once, and gives the job without waiting for its end. */
  submit(): PendingJob {
    this.#job ??= new PendingJob("Submission", () => this.#submit());
    this.#job.start();
    return this.#job;
  }

  async #submit(): Promise<Job> {
    const { device, programs, batch, limit, ...request } = this.#prepared;
    if (limit !== undefined) await this.#checkQuote(limit);
    const client = await currentClient();
    const program = batch ? [...programs] : programs[0];
    const record = await client.jobs.create({ ...request, deviceQrn: await deviceQrn(device), program });
    return new Job(
      record,
      programs.map(({ data }) => data),
    );
  }

  async #checkQuote(limit: number): Promise<void> {
    const quote = await this.quote();
    if (!quote.pricingAvailable) {
      throw new KetbookError(
        `Not submitted: upTo(${limit}) needs a quote, and there is none (${quote.reason}).`,
      );
    }
    const cost = quote.estimatedCost * this.#prepared.programs.length;
    if (cost <= limit) return;
    throw new KetbookError(
      `Not submitted: the quote is ${cost} credits, above upTo(${limit}). Use fewer shots.`,
    );
  }

  /** Asks what one program of the run would cost, in credits. The answer shows itself as a card. */
  quote(): Lazy<(Quote | NoQuote) & Shown> {
    return new Lazy("Quote", async () => {
      const client = await currentClient();
      const { device, shots } = this.#prepared;
      return quoteOf(
        await client.jobs.quote({ deviceQrn: await deviceQrn(device), shots: Math.max(1, shots) }),
      );
    });
  }

  /** Lets `await` work. */
  // biome-ignore lint/suspicious/noThenProperty: being awaitable is the point
  then<A = R, B = never>(
    onFulfilled?: ((result: R) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    if (!this.#result) {
      const job = this.submit();
      this.#result = (this.#prepared.batch ? job.results() : job.result()) as Promise<R>;
      this.#result.catch(() => {
        this.#result = undefined;
      });
    }
    return this.#result.then(onFulfilled, onRejected);
  }

  /** @internal */
  protected override face(): Form {
    const { programs, device, shots, name } = this.#prepared;
    return runCard({
      ...drawProgram(programs[0]),
      device: typeof device === "string" ? device : device.qrn,
      shots,
      name: name ?? undefined,
      programs: programs.length,
      quote: this.#quote,
    });
  }

  /** @internal Resolves when what is shown has become final. */
  async settled(): Promise<void> {
    try {
      this.#quote = { state: "known", quote: await this.quote() };
    } catch (error) {
      this.#quote = { state: "failed", reason: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** Prepares a run of an OpenQASM program: `await run(bell).on("svc:svc:sim:statevector").shots(1000)`. */
export function run(program: string | Program): Run<Result>;
/** Prepares a batch: up to 2000 programs in one job, whose results come in the same order. */
export function run(programs: readonly (string | Program)[]): Run<Results>;
export function run(given: string | Program | readonly (string | Program)[]): Run<Result | Results> {
  const [first, ...rest] = [given].flat().map(one => {
    const { format, data } = typeof one === "string" ? new QasmProgram(one) : one;
    return { format, data };
  });
  if (!first) throw new KetbookError("run([]): a batch needs one program at least.");
  const batch = Array.isArray(given);
  return new Run({ programs: [first, ...rest], batch, device: defaultDevice, shots: defaultShots });
}
