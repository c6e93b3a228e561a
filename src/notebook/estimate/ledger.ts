import { type Client, KetbookError } from "../../client/index.ts";
import type {
  JobRequest,
  ObservableExpectation,
  Program,
  RecordedProgram,
  RuntimeJob,
} from "../../contract/index.ts";
import type { DeviceNames } from "../devices/resolve-device.ts";
import { CostLimitError, quoteRun } from "../jobs/quote.ts";
import type { WaitOptions } from "../jobs/wait.ts";
import { type Batch, programsOf } from "./allocate.ts";
import type { Tally } from "./assess.ts";

/** Tag of the jobs of an estimate: its name. */
const ESTIMATE_TAG = "ketbook-estimate";
/** Tag of the round that a job is, from 0. */
const ROUND_TAG = "ketbook-estimate-round";
/** First words of the first program of each job, a comment with what the job is. */
const HEADER = "// ketbook-estimate ";
/** Part by which a job that is billed by its time may cost more than its quote. */
const RESERVE = 0.1;
/** Part of the limit that a pilot round may cost, so that another one follows. */
const PILOT_COST = 0.5;

/** The result of a program, as far as an estimate reads it. */
export interface ProgramOutcomes {
  readonly counts: { readonly [outcome: string]: number };
  readonly simulatedExpectations: readonly ObservableExpectation[];
}

/** The service that an estimate runs on. */
export interface EstimateService {
  readonly client: Client;
  readonly names: DeviceNames;
  /** Waits for the results of a job. */
  results(job: RuntimeJob, options?: WaitOptions): Promise<readonly ProgramOutcomes[]>;
}

/** A round of an estimate: a job, and the programs in it. */
export interface Round {
  readonly job: RuntimeJob;
  readonly batch: Batch;
}

/** Description of a job in its first program. */
export interface JobHeader {
  readonly round: number;
  readonly repeats: readonly number[];
  /** Of the first round: what is estimated, and how. */
  readonly plan?: unknown;
}

const plainJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Returns the programs of a batch, the first one with the header. */
export function batchPrograms(
  texts: readonly Program[],
  batch: Batch,
  header: Omit<JobHeader, "repeats">,
): Program[] {
  const programs = texts.flatMap((text, i) => new Array<Program>(batch.repeats[i]!).fill(text));
  const [first, ...rest] = programs as [Program, ...Program[]];
  const line = `${HEADER}${plainJson({ ...header, repeats: batch.repeats })}\n`;
  return [{ ...first, data: line + first.data }, ...rest];
}

/** Jobs of one estimate: found again by their tags, so none is bought twice. */
export class Ledger {
  readonly #service: EstimateService;
  readonly #id: string;
  #failed = 0;

  constructor(service: EstimateService, id: string) {
    this.#service = service;
    this.#id = id;
  }

  /** Finds the jobs that were submitted, one a round, with what their first program says, and its programs. */
  async find(): Promise<(Round & { header: JobHeader; programs: readonly RecordedProgram[] })[]> {
    const { client } = this.#service;
    const byRound = new Map<number, RuntimeJob>();
    this.#failed = 0;
    for await (const job of client.jobs.list({ tags: { [ESTIMATE_TAG]: this.#id }, limit: 100 })) {
      if (job.tags[ESTIMATE_TAG] !== this.#id) continue;
      if (job.status === "FAILED" || job.status === "CANCELLED") this.#failed += 1;
      else byRound.set(Number(job.tags[ROUND_TAG]), job);
    }
    const jobs = [...byRound].sort(([a], [b]) => a - b);
    return Promise.all(
      jobs.map(async ([round, job]) => {
        const programs = [await client.jobs.program(job.jobQrn)].flat() as RecordedProgram[];
        const header = readHeader(programs[0], job);
        if (header.round !== round) throw unreadable(job, "says that it is another round");
        return { job, header, programs, batch: { repeats: header.repeats, shots: job.shots ?? 0 } };
      }),
    );
  }

  /** Submits a round. The same round submitted again is the same job. */
  submit(round: number, request: JobRequest): Promise<RuntimeJob> {
    const tags = { ...request.tags, [ESTIMATE_TAG]: this.#id, [ROUND_TAG]: round };
    const idempotencyKey = `estimate-${this.#id}-${round}-${this.#failed}`;
    return this.#service.client.jobs.create({ ...request, tags }, { idempotencyKey });
  }

  /**
   * Cuts a batch down to what may be spent. Undefined when nothing is left for it.
   *
   * @throws CostLimitError when the first round costs too much, or there is no quote for it.
   */
  async afford(
    batch: Batch,
    { deviceQrn, texts, minShots, mostShots, maxCost, paid }: Spending,
  ): Promise<Batch | undefined> {
    if (maxCost === undefined) return batch;
    const spent = paid.reduce((sum, { cost }) => sum + cost, 0);
    const quote = async (shots: number) => {
      const program = new Array<Program>(programsOf(batch)).fill(texts[0]!);
      return quoteRun(this.#service.client, deviceQrn, { program, shots });
    };
    const whole = await quote(batch.shots);
    if (!whole.pricingAvailable) {
      if (paid.length === 0) throw new CostLimitError(whole, maxCost);
      return undefined;
    }
    const isTimed = whole.breakdown === null || whole.breakdown.time !== 0;
    const excess = Math.max(1, ...paid.map(({ cost, quoted }) => (quoted > 0 ? cost / quoted : 1)));
    const left = (maxCost - spent) / (isTimed ? (1 + RESERVE) * excess : 1);
    const least = await quote(minShots);
    if (!least.pricingAvailable || least.estimatedCost > left) {
      if (paid.length === 0) throw new CostLimitError(least, maxCost);
      return undefined;
    }
    const isOnly = paid.length === 0 && 2 * least.estimatedCost > left;
    const budget = paid.length === 0 && !isOnly ? left * PILOT_COST : left;
    const slope = (whole.estimatedCost - least.estimatedCost) / Math.max(1, batch.shots - minShots);
    const most = isOnly ? mostShots : batch.shots;
    const fitting = slope > 0 ? minShots + Math.floor((budget - least.estimatedCost) / slope) : most;
    const shots = Math.max(minShots, Math.min(most, fitting));
    const cut = await quote(shots);
    return { ...batch, shots: cut.pricingAvailable && cut.estimatedCost <= left ? shots : minShots };
  }

  /** Returns what a batch is quoted at; null where there is no quote. */
  async quoted(batch: Batch, deviceQrn: string, texts: readonly Program[]): Promise<number | null> {
    const program = new Array<Program>(programsOf(batch)).fill(texts[0]!);
    const quote = await quoteRun(this.#service.client, deviceQrn, { program, shots: batch.shots });
    return quote.pricingAvailable ? quote.estimatedCost : null;
  }
}

/** What was paid, and may be. */
export interface Spending {
  readonly deviceQrn: string;
  readonly texts: readonly Program[];
  readonly minShots: number;
  /** Shots of each program that are of use if there is but one round. */
  readonly mostShots: number;
  readonly maxCost: number | undefined;
  readonly paid: readonly { readonly cost: number; readonly quoted: number }[];
}

const unreadable = (job: RuntimeJob, what: string) =>
  new KetbookError(`${job.jobQrn} is not a job of this estimate: its first program ${what}.`);

function readHeader(program: RecordedProgram | undefined, job: RuntimeJob): JobHeader {
  const [line = ""] = String(program?.data ?? "").split("\n", 1);
  try {
    const header = JSON.parse(line.slice(HEADER.length)) as JobHeader;
    const isList = Array.isArray(header.repeats) && header.repeats.every(count => Number.isInteger(count));
    if (line.startsWith(HEADER) && Number.isInteger(header.round) && isList) return header;
  } catch {}
  throw unreadable(job, "does not say which");
}

/** Adds the outcomes of a round to those of each program: those of the register that is measured, the last one. */
export function addOutcomes(
  tallies: readonly Map<string, number>[],
  { repeats }: Batch,
  results: readonly ProgramOutcomes[],
): Tally[] {
  let place = 0;
  repeats.forEach((count, program) => {
    for (let i = 0; i < count; i++) {
      const counts = results[place++]?.counts;
      if (!counts || Object.keys(counts).length === 0)
        throw new KetbookError(`estimate: the service has no counts of program ${place - 1} of a round.`);
      for (const [outcome, shots] of Object.entries(counts)) {
        const bits = outcome.trim().split(" ")[0]!;
        tallies[program]!.set(bits, (tallies[program]!.get(bits) ?? 0) + shots);
      }
    }
  });
  return [...tallies];
}
