import { KetbookError, NotFoundError } from "../../client/index.ts";
import { derivedSeed } from "../../simulation/index.ts";
import { quoteRun } from "../jobs/quote.ts";
import type { WaitOptions } from "../jobs/wait.ts";
import { type Batch, total } from "./allocate.ts";
import { type Assessment, assess, type Tally } from "./assess.ts";
import { Budget } from "./budget.ts";
import { Estimation } from "./estimation.ts";
import { groupTerms } from "./groups.ts";
import { addOutcomes, batchPrograms, type EstimateService, Ledger, type SubmittedRound } from "./ledger.ts";
import { limitsOf, type PreparedEstimate, plainProgram, prepare } from "./prepare.ts";
import { nextBatch } from "./rounds.ts";
import type { EstimateSettings, KeptPlan } from "./settings.ts";
import { readTerms } from "./terms.ts";
import { computedValues, type EstimatedRound, measuredValues } from "./values.ts";

/** Stream of the seeds of rounds. */
const SEEDS = 40;

/** An estimate to work out: a new one, or one to be found by its name. */
export interface EstimateWork {
  readonly id: string;
  readonly settings?: EstimateSettings | undefined;
  readonly device?: Parameters<EstimateService["names"]["resolve"]>[0];
}

/** Works an estimate out: rounds that were submitted are read, and others follow until its goal is met. */
export async function workOut(
  service: EstimateService,
  { id, settings, device }: EstimateWork,
  wait: WaitOptions = {},
): Promise<Estimation> {
  const ledger = new Ledger(service, id);
  const found = await ledger.find();
  const [first] = found;
  let prepared: PreparedEstimate;
  if (first) prepared = await restore(service, first);
  else if (settings) prepared = await prepare(service, settings, await service.names.resolve(device));
  else
    throw new KetbookError(
      `estimation(${JSON.stringify(id)}): the service has no jobs of that estimate. Its name is on its card, and nothing is kept of one that submitted nothing.`,
    );
  const { plan, design, texts } = prepared;
  const { maxCost, runtimeOptions, name, ...goal } = plan.settings;
  const deviceQrn = prepared.device.qrn;
  const limits = limitsOf(prepared);
  const quote = (programs: number, shots: number) =>
    quoteRun(service.client, deviceQrn, { program: new Array(programs).fill(texts[0]), shots });
  const budget = maxCost === undefined ? undefined : new Budget(quote, limits, maxCost);
  const onlyShots = Math.ceil((goal.shots ?? 1e5) / texts.length);
  const request = (round: number, batch: Batch) => ({
    deviceQrn,
    shots: batch.shots,
    name: name ?? `estimate ${id}, round ${round + 1}`,
    program: batchPrograms(texts, batch, { round, ...(round === 0 && { plan }) }),
    runtimeOptions: {
      ...runtimeOptions,
      ...(plan.isExact && { observables: plan.settings.observables }),
      ...(design.copies > 1 && { verbatim: true }),
      ...(runtimeOptions.seed !== undefined && {
        seed: derivedSeed(Number(runtimeOptions.seed), round, SEEDS),
      }),
    },
  });
  const plannedBatch = (round: number, maxPrograms = limits.maxPrograms): Batch | undefined => {
    if (!plan.isExact) return nextBatch(design, assessment, goal, { ...limits, maxPrograms }, round);
    return round === 0 ? { repeats: texts.map(() => 1), shots: 0 } : undefined;
  };
  const rounds: EstimatedRound[] = [];
  let tallies: Tally[] = design.programs.map(() => new Map());
  let assessment: Assessment | undefined;
  for (let round = 0; ; round++) {
    const known = found[round];
    let batch = known ? known.batch : plannedBatch(round);
    if (batch && !known && budget)
      batch = await budget.afford(batch, onlyShots, maxPrograms => plannedBatch(round, maxPrograms));
    if (!batch) break;
    const job = known?.job ?? (await ledger.submit(round, request(round, batch)));
    const results = await service.results(job, wait);
    const { cost } = job.cost === null ? await service.client.jobs.get(job.jobQrn) : job;
    await budget?.pay(cost ?? 0, known?.batch);
    if (!plan.isExact) {
      tallies = addOutcomes(tallies, batch, design, results);
      assessment = assess(design, tallies);
    }
    const values = assessment ? measuredValues(assessment, design, plan) : computedValues(results, plan);
    if (!values)
      throw new KetbookError(
        `estimate: ${prepared.device.name} computes no expectation values. Choose another simulator, such as "statevector", or a QPU.`,
      );
    const programs = total(batch.repeats) * (plan.isExact ? 1 : design.copies);
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
  const plan = kept as KeptPlan;
  const terms = readTerms(plan.settings.observables, plan.design.width);
  return {
    plan,
    device: await client.devices.get(job.deviceQrn).catch(error => {
      if (error instanceof NotFoundError) throw new KetbookError(`estimation: ${job.deviceQrn} is gone.`);
      throw error;
    }),
    design: { ...plan.design, terms, groups: groupTerms(terms) },
    texts: programs.map(plainProgram),
    isMitigable: plan.design.copies > 1,
    leftOut: [],
  };
}
