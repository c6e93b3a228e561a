import { type Client, KetbookError, NotFoundError, rethrowAsKetbookError } from "../../client/index.ts";
import {
  isKnownTopology,
  LIMITS,
  type Program,
  type RecordedProgram,
  type RuntimeJob,
} from "../../contract/index.ts";
import type { Observable } from "../../results/index.ts";
import {
  compile,
  deviceFigures,
  type SourceProgram,
  scheduleCircuit,
  targetOf,
} from "../../simulation/index.ts";
import type { DeviceNames } from "../devices/resolve-device.ts";
import { quoteRun } from "../jobs/quote.ts";
import type { WaitOptions } from "../jobs/wait.ts";
import type { Inputs } from "../programs/inputs.ts";
import { naming, unlessProblem } from "../programs/program-figures.ts";
import type { Result } from "../results/result.ts";
import { type Design, programsOf } from "./assess.ts";
import { MOST_OVERHEAD, mostQuoted } from "./budget.ts";
import { total } from "./extrapolate.ts";
import { type Effort, type WrittenDesign, writeDesign } from "./programs.ts";
import type { BatchLimits, Goal } from "./rounds.ts";

export type ProgramOutcomes = Pick<Result, "counts" | "simulatedExpectations">;

export interface EstimateService {
  readonly client: Client;
  readonly names: DeviceNames;
  results(job: RuntimeJob, options?: WaitOptions): Promise<readonly ProgramOutcomes[]>;
}

export type DeviceChoice = Parameters<DeviceNames["resolve"]>[0];

/** Ways to remove errors of a device from means. */
export type Mitigation = "readout" | "zne";

/** Settings of an estimate, kept in the first job, from which it is resumed. */
export interface EstimateSettings extends Goal {
  /** Programs with their inputs bound: one for each point. */
  readonly programs: readonly RecordedProgram[];
  readonly inputs: readonly Inputs[];
  readonly observables: readonly Observable[];
  /** Undefined: what the device allows. */
  readonly mitigation?: readonly Mitigation[] | undefined;
  readonly maxCost?: number | undefined;
  readonly runtimeOptions: { readonly [option: string]: unknown };
  readonly name?: string | undefined;
}

export type KeptPlan = PreparedEstimate["plan"];

/** Programs of a batch at most, and characters of their texts. */
const MAX_PROGRAMS = 400;
const MAX_LENGTH = 6_000_000;
/** Shots of all copies of a program that a limit of credits must suffice for, or there are fewer programs. */
const LEAST_SHOTS = 300;

export type PreparedEstimate = Omit<Awaited<ReturnType<typeof prepare>>, "isMitigable" | "leftOut">;

type Calibration = Awaited<ReturnType<Client["devices"]["calibrations"]>>;

/** Designs the programs of an estimate for its device, within its limit of credits. Nothing is submitted. */
export async function prepare({ client }: EstimateService, settings: EstimateSettings, deviceQrn: string) {
  const device = await client.devices.get(deviceQrn);
  const isExact = device.deviceType === "SIMULATOR";
  const calibration = isExact ? undefined : await client.devices.calibrations(deviceQrn).catch(missing);
  const { topology } = device;
  const target =
    !isExact && topology && isKnownTopology(topology) ? targetOf(topology, calibration) : undefined;
  const asked = settings.mitigation;
  if (asked && asked.length > 0 && !target)
    throw new KetbookError(
      isExact
        ? `estimate: ${device.name} is a simulator, which has no device errors to mitigate. Leave mitigate(…) out.`
        : `estimate: ${device.name} does not say how its qubits are connected, which mitigate(…) needs to know: leave it out, as in .mitigate().`,
    );
  const { programs, observables, runtimeOptions, ...others } = settings;
  const { maxCost } = settings;
  const seed = Number(runtimeOptions.seed ?? Math.floor(Math.random() * Number.MAX_SAFE_INTEGER));
  const write = (effort: Effort) =>
    naming("estimate", () =>
      rethrowAsKetbookError("estimate", () => writeDesign(programs, observables, target, effort, seed)),
    );
  let [effort, ...smaller] = offersOf(asked, target !== undefined) as [Effort, ...Effort[]];
  let written = write(effort);
  if (!asked && effort.factors > 1 && written.twoQubitGates === 0) {
    // There is nothing to fold, so nothing is extrapolated.
    [effort, ...smaller] = smaller.filter(({ factors }) => factors === 1) as [Effort, ...Effort[]];
    effort = { ...effort, leftOut: [] };
    written = write(effort);
  }
  if (maxCost !== undefined)
    for (const next of smaller) {
      const least = device.minShots ?? 1;
      const isDear = async (shots: number, part = 1) => {
        const quote = await quoteRun(client, deviceQrn, { program: [...written.texts], shots });
        return quote.pricingAvailable && quote.estimatedCost > part * mostQuoted(quote, maxCost);
      };
      const isForCopies = next.factors > 1 && next.factors === effort.factors;
      const isTooDear = await isDear(Math.max(least, Math.ceil(LEAST_SHOTS / effort.copies)));
      if (!isTooDear && !(isForCopies && (await isDear(least, MOST_OVERHEAD)))) break;
      [effort, written] = [next, write(next)];
    }
  if (written.texts.length > LIMITS.maxPrograms)
    throw new KetbookError(
      `estimate: ${written.texts.length} programs are too many: a job has at most ${LIMITS.maxPrograms}. Estimate fewer points, or fewer terms.`,
    );
  const losses = calibration && effort.factors > 1 ? lossesOf(written, calibration) : undefined;
  // A calibration without errors of gates tells nothing.
  const rate = losses?.gates ? losses.gates + losses.relaxation : undefined;
  const { twoQubitGates: _, texts, ...design } = { ...written, rate };
  const { terms: __, groups: ___, ...kept } = design;
  return {
    plan: {
      asked: askedBy(settings, deviceQrn),
      settings: { observables, runtimeOptions, ...others },
      /** True where a simulator computes the means in the final states. */
      isExact,
      design: kept,
      notes: isExact ? [] : notesOf(effort, losses, maxCost),
    },
    device,
    design: design as Design,
    /** The copies of each program of the design, or for a simulator that computes the means the programs themselves. */
    texts: isExact ? programs.map(plainProgram) : texts,
    isMitigable: target !== undefined,
    leftOut: effort.leftOut ?? [],
  };
}

/** Returns the digest of a request, which tells apart two estimates of the same name. */
export function askedBy({ name: _, ...settings }: EstimateSettings, deviceQrn: string): string {
  let [one, other] = [0x811c9dc5, 0x1b873593];
  for (const character of JSON.stringify([deviceQrn, Object.entries(settings).sort()])) {
    const code = character.codePointAt(0)!;
    [one, other] = [Math.imul(one ^ code, 0x01000193), Math.imul(other ^ code, 0x85ebca6b)];
  }
  return [one, other].map(half => (half >>> 0).toString(16)).join("-");
}

/** Lists what can be done, the most first: less of the mitigation that was asked for, or of all if none was. */
function offersOf(asked: readonly Mitigation[] | undefined, isMitigable: boolean): Effort[] {
  const ways = asked ?? (isMitigable ? ["readout", "zne"] : []);
  const readout = ways.includes("readout");
  const plain = "the extrapolation to no noise";
  const offers: Effort[] = [
    { readout, factors: 3, copies: 4 },
    { readout, factors: 3, copies: 2, leftOut: ["2 of 4 copies"] },
    { readout, factors: 2, copies: 2, leftOut: ["the largest noise factor", "2 of 4 copies"] },
    { readout, factors: 1, copies: 2, leftOut: [plain] },
    { readout: false, factors: 1, copies: 1, leftOut: [plain, "the correction of the readout"] },
  ];
  if (ways.includes("zne")) return asked ? offers.slice(0, 3) : offers;
  return [{ ...offers[readout ? 3 : 4]!, leftOut: [] }];
}

/** Returns undefined for an error of a service that lacks what was asked for, and throws others. */
export function missing(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error;
}

export const plainProgram = ({ format, data, files }: RecordedProgram): Program => ({
  format,
  data: String(data),
  ...(files && { files }),
});

function notesOf(
  { readout, factors, leftOut = [] }: Effort,
  losses: ReturnType<typeof lossesOf>,
  maxCost: number | undefined,
): string[] {
  return [
    leftOut.length > 0 && `To stay within maxCost(${maxCost}), this was left out: ${leftOut.join(", ")}.`,
    factors === 1 &&
      "The interval is that of the noisy device's mean: errors of its gates are not removed, nor bounded.",
    !readout && "Readout errors are not corrected.",
    losses !== undefined &&
      losses.relaxation > losses.gates &&
      "Relaxation (T1) outweighs the errors of two-qubit gates. It does not decay as folded gates do, so extrapolated values may be biased.",
  ].filter(note => note !== false);
}

/** Returns the rates at which means decay in the longest program: by its two-qubit gates, and by relaxation (T1). */
export function lossesOf(design: WrittenDesign, calibration: Calibration) {
  const plain = Array.from(
    { length: design.points },
    (_, point) => design.texts[programsOf(design, point, 0)[0]! * design.copies]!,
  );
  const longest = plain.reduce((a, b) => (b.data.length > a.data.length ? b : a));
  const figures = deviceFigures(calibration);
  const schedule = unlessProblem(() => scheduleCircuit(compile(longest as SourceProgram), figures));
  if (!schedule) return undefined;
  const gates = schedule.operations.filter(({ kind }) => kind === "gate");
  const used = [...new Set(gates.flatMap(({ qubits }) => qubits))];
  const errors = gates.map(({ qubits: [a, b] }) => {
    const pair = figures.pairs.find(pair => [pair.a, pair.b].every(end => end === a || end === b));
    return pair?.otherwise.error ?? 0;
  });
  // A gate of which a part r of all states is lost leaves 1 − 4r/3 of a mean.
  return {
    gates: (4 / 3) * total(errors),
    relaxation: total(used.map(qubit => schedule.duration / figures.qubits[qubit]!.T1)),
  };
}

export function limitsOf({ device, texts, design }: PreparedEstimate): BatchLimits {
  const { minShots, maxShots } = device;
  const longest = Math.max(1, ...texts.map(({ data }) => data.length));
  const most = Math.min(LIMITS.maxPrograms, Math.max(MAX_PROGRAMS, 2 * texts.length));
  return {
    minShots: Math.max(1, minShots ?? 1),
    maxShots: Math.min(maxShots ?? LIMITS.maxShots, LIMITS.maxShots),
    maxPrograms: Math.max(texts.length, Math.min(most, Math.floor(MAX_LENGTH / longest))),
    copies: design.copies,
  };
}
