import { type Client, KetbookError } from "../../client/index.ts";
import type {
  JobRequest,
  ObservableExpectation,
  Program,
  RecordedProgram,
  RuntimeJob,
} from "../../contract/index.ts";
import type { DeviceNames } from "../devices/resolve-device.ts";
import type { WaitOptions } from "../jobs/wait.ts";
import type { Batch } from "./allocate.ts";
import type { Design, Tally } from "./assess.ts";

/** Tag of the jobs of an estimate: its name. */
const ESTIMATE_TAG = "ketbook-estimate";
/** Tag of the round that a job is, from 0. */
const ROUND_TAG = "ketbook-estimate-round";
/** First words of the first program of each job, a comment with what the job is. */
const HEADER = "// ketbook-estimate ";

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

/** Description of a job in its first program. */
interface JobHeader {
  readonly round: number;
  readonly repeats: readonly number[];
  /** Of the first round: what is estimated, and how. */
  readonly plan?: unknown;
}

/** A round of an estimate that was submitted. */
export interface SubmittedRound {
  readonly job: RuntimeJob;
  readonly batch: Batch;
  readonly plan?: unknown;
  /** Its programs, the first one without the header. */
  readonly programs: readonly RecordedProgram[];
}

const plainJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Returns the programs of a batch, the first one with the header. */
export function batchPrograms(
  texts: readonly Program[],
  { repeats }: Batch,
  header: Omit<JobHeader, "repeats">,
): Program[] {
  const copies = texts.length / repeats.length;
  const [first, ...rest] = repeats.flatMap((count, program) =>
    new Array(count).fill(texts.slice(program * copies, (program + 1) * copies)).flat(),
  ) as [Program, ...Program[]];
  return [{ ...first, data: `${HEADER}${plainJson({ ...header, repeats })}\n${first.data}` }, ...rest];
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

  /** Finds the rounds that were submitted, in order. */
  async find(): Promise<SubmittedRound[]> {
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
        const [first, ...rest] = [await client.jobs.program(job.jobQrn)].flat() as RecordedProgram[];
        const { repeats, plan } = readHeader(first, round, job);
        const data = String(first!.data);
        const programs = [{ ...first!, data: data.slice(data.indexOf("\n") + 1) }, ...rest];
        return { job, plan, programs, batch: { repeats, shots: job.shots ?? 0 } };
      }),
    );
  }

  /** Submits a round. The same round submitted again is the same job. */
  submit(round: number, request: JobRequest): Promise<RuntimeJob> {
    const tags = { ...request.tags, [ESTIMATE_TAG]: this.#id, [ROUND_TAG]: round };
    const idempotencyKey = `estimate-${this.#id}-${round}-${this.#failed}`;
    return this.#service.client.jobs.create({ ...request, tags }, { idempotencyKey });
  }
}

function readHeader(program: RecordedProgram | undefined, round: number, job: RuntimeJob): JobHeader {
  const [line = ""] = String(program?.data ?? "").split("\n", 1);
  try {
    const header = JSON.parse(line.slice(HEADER.length)) as JobHeader;
    const isList = Array.isArray(header.repeats) && header.repeats.every(count => Number.isInteger(count));
    if (line.startsWith(HEADER) && header.round === round && isList) return header;
  } catch {}
  throw new KetbookError(
    `${job.jobQrn} is not a job of this estimate: its first program does not say that it is round ${round}.`,
  );
}

/** Undoes that the bits of a program were flipped before they were measured. */
export const flipped = (outcome: string, isFlipped: boolean): string =>
  isFlipped ? outcome.replace(/[01]/g, bit => (bit === "0" ? "1" : "0")) : outcome;

/** Adds the outcomes of a round to those of each program: those of the register that is measured, the last one. */
export function addOutcomes(
  tallies: readonly Tally[],
  { repeats }: Batch,
  { copies, flips }: Pick<Design, "copies" | "flips">,
  results: readonly ProgramOutcomes[],
): Tally[] {
  let place = 0;
  return tallies.map((known, program) => {
    const tally = new Map(known);
    for (let i = 0; i < repeats[program]! * copies; i++) {
      const counts = results[place++]?.counts;
      if (!counts || Object.keys(counts).length === 0)
        throw new KetbookError(`estimate: the service has no counts of program ${place - 1} of a round.`);
      for (const [outcome, shots] of Object.entries(counts)) {
        const bits = flipped(outcome.trim().split(" ")[0]!, flips && i % 2 === 1);
        tally.set(bits, (tally.get(bits) ?? 0) + shots);
      }
    }
    return tally;
  });
}
