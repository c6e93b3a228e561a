import { KetbookError, NotFoundError, rethrowAsKetbookError } from "../../client/index.ts";
import {
  isKnownTopology,
  LIMITS,
  type Program,
  type RecordedProgram,
  type RuntimeDevice,
  type RuntimeJob,
} from "../../contract/index.ts";
import { simulatedExpectation } from "../../results/index.ts";
import {
  compile,
  derivedSeed,
  deviceFigures,
  SimulationError,
  scheduleCircuit,
  targetOf,
} from "../../simulation/index.ts";
import type { WaitOptions } from "../jobs/wait.ts";
import { observableName } from "../results/expectation-list.ts";
import { type Batch, type BatchLimits, programsOf, shotsOf } from "./allocate.ts";
import { assess, type Design, type Tally } from "./assess.ts";
import { type EstimatedRound, type EstimatedValue, Estimation } from "./estimation.ts";
import { groupTerms } from "./groups.ts";
import { addOutcomes, batchPrograms, type EstimateService, Ledger } from "./ledger.ts";
import { type WrittenDesign, writeDesign } from "./programs.ts";
import { intervalOf, nextBatch } from "./rounds.ts";
import type { EstimateSettings, KeptPlan } from "./settings.ts";
import { readTerms } from "./terms.ts";

/** Programs of a batch at most, and characters of their texts. */
const MAX_PROGRAMS = 400;
const MAX_LENGTH = 6_000_000;
/** Stream of the seeds of rounds. */
const SEEDS = 40;

/** An estimate on a device, ready for its first round. */
export interface PreparedEstimate {
  readonly plan: KeptPlan;
  readonly device: RuntimeDevice;
  readonly design: Design;
  readonly texts: readonly Program[];
  /** Whether it is known where the device has each qubit. */
  readonly isPlaced: boolean;
}

/** Designs the programs of an estimate for its device. Nothing is submitted. */
export async function prepare(
  { client }: EstimateService,
  settings: EstimateSettings,
  deviceQrn: string,
): Promise<PreparedEstimate> {
  const device = await client.devices.get(deviceQrn);
  const isSimulator = device.deviceType === "SIMULATOR";
  const calibration = isSimulator ? undefined : await calibrationOf(client, deviceQrn);
  const { topology } = device;
  const target =
    !isSimulator && topology && isKnownTopology(topology) ? targetOf(topology, calibration) : undefined;
  const asked = settings.mitigation;
  if (asked && asked.length > 0 && !target)
    throw new KetbookError(
      isSimulator
        ? `estimate: ${device.name} is a simulator, which has no device errors to mitigate. Leave mitigate(…) out.`
        : `estimate: ${device.name} does not say how its qubits are connected, which mitigate(…) needs to know: leave it out, as in .mitigate().`,
    );
  const mitigation = asked ?? (target ? (["readout", "zne"] as const) : []);
  const written = rethrowAsKetbookError("estimate", () =>
    writeDesign({
      programs: settings.programs,
      observables: settings.observables,
      target,
      readout: mitigation.includes("readout"),
      zne: mitigation.includes("zne"),
    }),
  );
  if (written.programs.length > LIMITS.maxPrograms)
    throw new KetbookError(
      `estimate: ${written.programs.length} programs are too many: a job has at most ${LIMITS.maxPrograms}. Estimate fewer points, or fewer terms.`,
    );
  const notes = isSimulator ? [] : notesOf(written, mitigation, calibration);
  const { programs: _, ...kept } = settings;
  const { programs, factors, qubits, readouts, points, width } = written;
  return {
    plan: {
      settings: kept,
      isExact: isSimulator,
      design: { programs, factors, qubits, readouts, points, width },
      notes,
    },
    device,
    design: written,
    texts: isSimulator ? settings.programs.map(plainProgram) : written.texts,
    isPlaced: target !== undefined,
  };
}

/** Asks for the calibration of a device; undefined where it has none. */
const calibrationOf = ({ devices }: EstimateService["client"], qrn: string) =>
  devices.calibrations(qrn).catch(error => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });

const plainProgram = ({ format, data, files }: RecordedProgram): Program => ({
  format,
  data: String(data),
  ...(files && { files }),
});

/** Returns what someone should know of the device before believing the result. */
function notesOf(
  { texts, programs }: WrittenDesign,
  mitigation: readonly string[],
  calibration: Parameters<typeof deviceFigures>[0] | undefined,
): string[] {
  const notes: string[] = [];
  if (!mitigation.includes("zne"))
    notes.push(
      "The interval is that of the noisy device's mean: errors of its gates are not removed, nor bounded.",
    );
  if (!mitigation.includes("readout")) notes.push("Readout errors are not corrected.");
  const first = programs.findIndex(({ kind }) => kind === "measure");
  try {
    if (!calibration || !mitigation.includes("zne") || first < 0) return notes;
    const { operations, duration } = scheduleCircuit(
      compile(texts[first] as never),
      deviceFigures(calibration),
    );
    const figures = deviceFigures(calibration);
    const used = new Set(operations.flatMap(({ kind, qubits }) => (kind === "gate" ? qubits : [])));
    const relaxation = [...used].reduce((sum, qubit) => sum + duration / figures.qubits[qubit]!.T1, 0);
    const gates = operations.reduce((sum, { kind, qubits: [a, b] }) => {
      const pair =
        kind === "gate" &&
        b !== undefined &&
        figures.pairs.find(p => (p.a === a && p.b === b) || (p.a === b && p.b === a));
      return sum + (pair ? pair.otherwise.error : 0);
    }, 0);
    if (relaxation > gates)
      notes.push(
        "Relaxation (T1) outweighs the errors of two-qubit gates. It does not decay as folded gates do, so extrapolated values may be biased.",
      );
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error;
  }
  return notes;
}

/** Returns the limits of a batch on a device. */
export function limitsOf(
  { minShots, maxShots }: RuntimeDevice,
  { texts }: Pick<PreparedEstimate, "texts">,
): BatchLimits {
  const longest = Math.max(1, ...texts.map(({ data }) => data.length));
  const most = Math.min(LIMITS.maxPrograms, Math.max(MAX_PROGRAMS, 2 * texts.length));
  return {
    minShots: Math.max(1, minShots ?? 1),
    maxShots: Math.min(maxShots ?? LIMITS.maxShots, LIMITS.maxShots),
    maxPrograms: Math.max(texts.length, Math.min(most, Math.floor(MAX_LENGTH / longest))),
  };
}

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
  if (first) prepared = await restore(service, first.header.plan as KeptPlan, first.programs, first.job);
  else if (settings) prepared = await prepare(service, settings, await service.names.resolve(device));
  else
    throw new KetbookError(
      `estimation(${JSON.stringify(id)}): the service has no jobs of that estimate. Its name is on its card, and nothing is kept of one that submitted nothing.`,
    );
  const { plan, design, texts } = prepared;
  const { goal, maxCost, runtimeOptions, name } = { goal: plan.settings, ...plan.settings };
  const { qrn } = prepared.device;
  const limits = limitsOf(prepared.device, prepared);
  const request = (round: number, batch: Batch) => ({
    deviceQrn: qrn,
    shots: batch.shots,
    name: name ?? `estimate ${id}, round ${round}`,
    program: batchPrograms(texts, batch, { round, ...(round === 0 && { plan }) }),
    runtimeOptions: {
      ...runtimeOptions,
      ...(plan.isExact ? { observables: plan.settings.observables } : {}),
      ...(design.readouts > 0 || design.factors.length > 1 ? { verbatim: true } : {}),
      ...(runtimeOptions.seed === undefined
        ? {}
        : { seed: derivedSeed(Number(runtimeOptions.seed), round, SEEDS) }),
    },
  });
  const rounds: EstimatedRound[] = [];
  const paid: { cost: number; quoted: number }[] = [];
  let tallies: Tally[] = texts.map(() => new Map<string, number>());
  for (let round = 0; ; round++) {
    const known = found[round];
    let batch = known?.batch;
    if (!batch && plan.isExact) batch = round === 0 ? { repeats: texts.map(() => 1), shots: 0 } : undefined;
    else batch ??= nextBatch(design, tallies, goal, limits, round);
    let quoted: number | null = null;
    if (batch && !known && maxCost !== undefined) {
      const mostShots = Math.min(limits.maxShots, Math.ceil((goal.shots ?? 1e5) / texts.length));
      const spending = { deviceQrn: qrn, texts, minShots: limits.minShots, mostShots, maxCost, paid };
      batch = await ledger.afford(batch, spending);
    }
    if (!batch) break;
    if (maxCost !== undefined) quoted = await ledger.quoted(batch, qrn, texts);
    const job = known?.job ?? (await ledger.submit(round, request(round, batch)));
    const results = await service.results(job, wait);
    const { cost } = job.cost === null ? await service.client.jobs.get(job.jobQrn) : job;
    paid.push({ cost: cost ?? 0, quoted: quoted ?? 0 });
    const spent = { round, jobQrn: job.jobQrn, cost, programs: programsOf(batch) };
    if (plan.isExact) {
      const values = exactValues(results, prepared);
      if (!values)
        throw new KetbookError(
          `estimate: ${prepared.device.name} computes no expectation values. Choose another simulator, such as "statevector", or a QPU.`,
        );
      rounds.push({ ...spent, shots: values[0]!.shots, values });
      break;
    }
    tallies = addOutcomes(tallies as Map<string, number>[], batch, results);
    rounds.push({ ...spent, shots: shotsOf(batch), values: valuesOf(design, tallies, plan) });
  }
  return new Estimation({
    id,
    deviceName: prepared.device.name || qrn,
    plan,
    design,
    rounds,
    assessment: plan.isExact ? null : assess(design, tallies),
  });
}

/** Takes an estimate up that was begun: its programs are those of its first job. */
async function restore(
  { client }: EstimateService,
  plan: KeptPlan,
  programs: readonly RecordedProgram[],
  job: RuntimeJob,
): Promise<PreparedEstimate> {
  const { settings, design } = plan;
  const terms = readTerms(settings.observables, design.width);
  const texts = programs.slice(0, plan.isExact ? undefined : design.programs.length).map(plainProgram);
  const [first, ...rest] = texts as [Program, ...Program[]];
  return {
    plan,
    device: await client.devices.get(job.deviceQrn).catch(error => {
      if (error instanceof NotFoundError) throw new KetbookError(`estimation: ${job.deviceQrn} is gone.`);
      throw error;
    }),
    design: { ...design, terms, groups: groupTerms(terms) },
    isPlaced: design.readouts > 0,
    texts: [{ ...first, data: first.data.slice(first.data.indexOf("\n") + 1) }, ...rest],
  };
}

function exactValues(
  results: Awaited<ReturnType<EstimateService["results"]>>,
  { plan }: PreparedEstimate,
): EstimatedValue[] | undefined {
  const { observables, inputs } = plan.settings;
  const values = results.flatMap(({ simulatedExpectations }, point) =>
    simulatedExpectations.map(({ observable, variance, ...mean }, sum): EstimatedValue => {
      const exact = simulatedExpectation(observable, { ...mean, variance });
      const { value, low, high, standardError, shots } = { ...exact, ...mean };
      return {
        point,
        inputs: inputs[point] ?? {},
        observable: observableName(observables[sum]!),
        value,
        low,
        high,
        standardError,
        statistical: (high - low) / 2,
        systematic: 0,
        raw: value,
        rawError: standardError,
        shots,
        verdict: "resolved",
      };
    }),
  );
  return values.length === results.length * observables.length ? values : undefined;
}

/** Returns the means that the outcomes so far tell. */
function valuesOf(design: Design, tallies: readonly Tally[], plan: KeptPlan): EstimatedValue[] {
  const { sums, terms } = assess(design, tallies);
  const shots = tallies.reduce((sum, tally) => sum + [...tally.values()].reduce((a, b) => a + b, 0), 0);
  return sums.map(sum => {
    const { weights } = design.terms.sums[sum.sum]!;
    const own = terms.filter(({ point, term }) => point === sum.point && weights.has(term));
    const share = (...kinds: readonly string[]) => {
      const size = ({ term }: { term: number }) => Math.abs(weights.get(term)!);
      const all = own.reduce((total, term) => total + size(term), 0);
      return (
        own.filter(({ kind }) => kinds.includes(kind)).reduce((total, term) => total + size(term), 0) /
        (all || 1)
      );
    };
    const { statistical, systematic, low, high } = intervalOf(sum);
    const disagreement = own
      .filter(({ kind }) => kind === "misfit")
      .reduce((total, { term, bound }) => total + Math.abs(weights.get(term)!) * bound, 0);
    const verdict =
      share("bounded") > 0.5
        ? "beyond reach"
        : disagreement > statistical
          ? "methods disagree"
          : share("bounded") > 0
            ? "partly bounded"
            : "resolved";
    return {
      point: sum.point,
      inputs: plan.settings.inputs[sum.point] ?? {},
      observable: observableName(plan.settings.observables[sum.sum]!),
      value: sum.value,
      low,
      high,
      standardError: sum.error,
      statistical,
      systematic,
      raw: sum.raw,
      rawError: sum.rawError,
      shots,
      verdict,
    };
  });
}
