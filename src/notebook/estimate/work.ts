import { sha256Hex } from "#host";
import { KetbookError } from "../../client/index.ts";
import type { JobRequest, Program, RecordedProgram, RuntimeJob } from "../../contract/index.ts";
import { derivedSeed } from "../../simulation/index.ts";
import { quoteRun } from "../jobs/quote.ts";
import type { WaitOptions } from "../jobs/wait.ts";
import type { Inputs } from "../programs/inputs.ts";
import { expectationRows, observableName } from "../results/expectation-list.ts";
import { type Assessment, assess, type Design, type EstimatedValue, type Tally, Z95 } from "./assess.ts";
import { budgetOf } from "./budget.ts";
import { Estimation } from "./estimation.ts";
import { widestSpread } from "./plans.ts";
import {
  askedBy,
  type DeviceChoice,
  type EstimateService,
  type EstimateSettings,
  type KeptPlan,
  limitsOf,
  missing,
  type PreparedEstimate,
  type ProgramOutcomes,
  plainProgram,
  prepare,
} from "./prepare.ts";
import { type Batch, type EstimatedRound, mostShots, nextBatch } from "./rounds.ts";
import { groupTerms, readTerms } from "./terms.ts";

const SEEDS = 40;

/** Name of an estimate in the header of a request: its digest for characters that headers can't hold. */
const headerName = (id: string) => (/^[\t\x20-\x7e\x80-\xff]*$/.test(id) ? `-${id}` : `:${sha256Hex(id)}`);

/** Reads the rounds that were submitted, and submits others until the goal is met. Without settings, it is one to be found. */
export async function workOut(
  service: EstimateService,
  { id, settings, device }: { id: string; settings?: EstimateSettings; device?: DeviceChoice },
  wait: WaitOptions = {},
): Promise<Estimation> {
  const { found, failed } = await findRounds(service, id);
  const [first] = found;
  let prepared: PreparedEstimate;
  const asked = settings && { settings, qrn: await service.names.resolve(device) };
  if (first) {
    prepared = await restore(service, first);
    const { plan, device } = prepared;
    if (asked && plan.asked && plan.asked !== askedBy(asked.settings, asked.qrn))
      throw new KetbookError(
        `estimate: ${JSON.stringify(id)} is the name of an estimate of ${plan.settings.observables.map(observableName).join(", ").slice(0, 200)} on ${device.name}, with another program, observable, input, device or setting. Choose another name, or read that one by estimation(${JSON.stringify(id)}).`,
      );
  } else if (asked) prepared = await prepare(service, asked.settings, asked.qrn);
  else
    throw new KetbookError(
      `estimation(${JSON.stringify(id)}): the service has no jobs of that estimate. Check the name on its card. Unsubmitted estimates are not kept.`,
    );
  const { plan, design, texts } = prepared;
  const { maxCost, runtimeOptions, name, inputs, observables, ...goal } = plan.settings;
  const deviceQrn = prepared.device.qrn;
  const limits = limitsOf(prepared);
  const quote = (programs: number, shots: number) =>
    quoteRun(service.client, deviceQrn, { program: new Array(programs).fill(texts[0]), shots });
  const budget = maxCost === undefined ? undefined : budgetOf(quote, limits, maxCost);
  const lacking = goal.within ? ((Z95 * widestSpread(design)) / goal.within) ** 2 : Number.POSITIVE_INFINITY;
  const onlyShots = Math.ceil(Math.min(mostShots(goal), lacking) / texts.length);
  const seedOf = (round: number) => derivedSeed(Number(runtimeOptions.seed), round, SEEDS);
  const request = (round: number, batch: Batch): JobRequest => ({
    deviceQrn,
    shots: batch.shots,
    name: name ?? `estimate ${id}, round ${round + 1}`,
    program: batchPrograms(texts, batch, { round, ...(round === 0 && { plan }) }),
    runtimeOptions: {
      ...runtimeOptions,
      ...(plan.isExact && { observables }),
      ...(design.copies > 1 && { verbatim: true }),
      ...(runtimeOptions.seed !== undefined && { seed: seedOf(round) }),
    },
    tags: { [ESTIMATE_TAG]: id, [ROUND_TAG]: round },
  });
  const plannedBatch = (round: number, maxPrograms = limits.maxPrograms): Batch | undefined => {
    if (!plan.isExact) return nextBatch(design, assessment, goal, { ...limits, maxPrograms }, round);
    return round === 0 ? { repeats: texts.map(() => 1), programs: texts.length, shots: 0 } : undefined;
  };
  const rounds: EstimatedRound[] = [];
  let tallies: Tally[] = Array.from({ length: texts.length / design.copies }, () => new Map());
  let assessment: Assessment | undefined;
  for (let round = 0; ; round++) {
    const known = found[round];
    let batch = known ? known.batch : plannedBatch(round);
    if (batch && !known && budget)
      batch = await budget.afford(batch, onlyShots, maxPrograms => plannedBatch(round, maxPrograms));
    if (!batch) break;
    // The same round submitted again is the same job, so none is bought twice.
    const idempotencyKey = `estimate${headerName(id)}-${round}-${failed}`;
    const job = known?.job ?? (await service.client.jobs.create(request(round, batch), { idempotencyKey }));
    const results = await service.results(job, wait);
    const { cost } = job.cost === null ? await service.client.jobs.get(job.jobQrn) : job;
    await budget?.pay(cost ?? 0, known?.batch);
    if (!plan.isExact) {
      tallies = addOutcomes(tallies, batch, design, results);
      assessment = assess(design, tallies, inputs);
    }
    const values = assessment
      ? assessment.sums.map(({ bound: _, doubt: __, variances: ___, ...value }): EstimatedValue => value)
      : computedValues(results, inputs);
    if (values.length < inputs.length * observables.length)
      throw new KetbookError(
        `estimate: ${prepared.device.name} computes no expectation values. Choose another simulator, such as "statevector", or a QPU.`,
      );
    const { programs } = batch;
    const shots = plan.isExact ? values[0]!.shots : programs * batch.shots;
    rounds.push({ round: round + 1, jobQrn: job.jobQrn, programs, shots, cost, values });
  }
  const deviceName = prepared.device.name || deviceQrn;
  return new Estimation({ id, deviceName, plan, design, rounds, assessment });
}

/** Takes an estimate up that was begun: its programs are those of its first job. */
async function restore(
  { client }: EstimateService,
  { job, plan: kept, programs }: SubmittedRound,
): Promise<PreparedEstimate> {
  const plan = kept!;
  const device = await client.devices.get(job.deviceQrn).catch(missing);
  if (!device) throw new KetbookError(`estimation: ${job.deviceQrn} is gone.`);
  const terms = readTerms(plan.settings.observables, plan.design.width);
  return {
    plan,
    device,
    design: { ...plan.design, terms, groups: groupTerms(terms) },
    texts: programs.map(plainProgram),
  };
}

const ESTIMATE_TAG = "ketbook-estimate";
const ROUND_TAG = "ketbook-estimate-round";
/** First words of the first program of each job, a comment with what the job is. */
const HEADER = "// ketbook-estimate ";

interface JobHeader {
  readonly round: number;
  readonly repeats: readonly number[];
  /** Of the first round: what is estimated, and how. */
  readonly plan?: KeptPlan | undefined;
}

/** A round of an estimate that was submitted; its first program is without the header. */
type SubmittedRound = Awaited<ReturnType<typeof findRounds>>["found"][number];

const plainJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

function batchPrograms(
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

/** Finds the rounds of an estimate that were submitted, in order, and how many jobs failed. */
async function findRounds({ client }: EstimateService, id: string) {
  const byRound = new Map<number, RuntimeJob>();
  let failed = 0;
  for await (const job of client.jobs.list({ tags: { [ESTIMATE_TAG]: id }, limit: 100 })) {
    if (job.tags[ESTIMATE_TAG] !== id) continue;
    if (job.status === "FAILED" || job.status === "CANCELLED") failed += 1;
    else byRound.set(Number(job.tags[ROUND_TAG]), job);
  }
  const jobs = [...byRound].sort(([a], [b]) => a - b);
  const readRound = async ([round, job]: readonly [number, RuntimeJob]) => {
    const [first, ...rest] = [await client.jobs.program(job.jobQrn)].flat() as RecordedProgram[];
    const { repeats, plan } = readHeader(first, round, job);
    const data = String(first!.data);
    const programs = [{ ...first!, data: data.slice(data.indexOf("\n") + 1) }, ...rest];
    return { job, plan, programs, batch: { repeats, programs: programs.length, shots: job.shots ?? 0 } };
  };
  return { found: await Promise.all(jobs.map(readRound)), failed };
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

export const flipped = (outcome: string, isFlipped: boolean): string =>
  isFlipped ? outcome.replace(/[01]/g, bit => (bit === "0" ? "1" : "0")) : outcome;

/** Adds the outcomes of a round to those of each program: those of the register that is measured, the last one. */
function addOutcomes(
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

function computedValues(results: readonly ProgramOutcomes[], inputs: readonly Inputs[]): EstimatedValue[] {
  const rows = results.map(({ simulatedExpectations }) => ({ parameters: {}, simulatedExpectations }));
  return expectationRows(rows).map(
    ({ program: point, observable, value, low, high, standardError, shots }) => ({
      ...{ point, inputs: inputs[point] ?? {}, observable, value, low, high, standardError },
      ...{ statistical: (high - low) / 2, systematic: 0, raw: value, rawError: standardError, shots },
      verdict: "resolved",
    }),
  );
}
