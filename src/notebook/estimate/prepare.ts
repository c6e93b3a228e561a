import { KetbookError, NotFoundError, rethrowAsKetbookError } from "../../client/index.ts";
import {
  isKnownTopology,
  LIMITS,
  type Program,
  type RecordedProgram,
  type RuntimeDevice,
} from "../../contract/index.ts";
import {
  compile,
  deviceFigures,
  SimulationError,
  type SourceProgram,
  scheduleCircuit,
  targetOf,
} from "../../simulation/index.ts";
import { quoteRun } from "../jobs/quote.ts";
import type { BatchLimits } from "./allocate.ts";
import type { Design } from "./assess.ts";
import { mostQuoted } from "./budget.ts";
import type { EstimateService } from "./ledger.ts";
import { type Effort, type WrittenDesign, writeDesign } from "./programs.ts";
import type { EstimateSettings, KeptPlan, Mitigation } from "./settings.ts";

/** Programs of a batch at most, and characters of their texts. */
const MAX_PROGRAMS = 400;
const MAX_LENGTH = 6_000_000;
/** Shots of all copies of a program that a limit of credits must suffice for, or there are fewer programs. */
const LEAST_SHOTS = 300;

/** An estimate on a device, ready for its first round. */
export interface PreparedEstimate {
  readonly plan: KeptPlan;
  readonly device: RuntimeDevice;
  readonly design: Design;
  /** The copies of each program of the design, or for a simulator that computes the means the programs themselves. */
  readonly texts: readonly Program[];
  /** Whether errors of the device can be mitigated: it is known how its qubits are connected. */
  readonly isMitigable: boolean;
  /** Parts left out to stay within the limit of credits. */
  readonly leftOut: readonly string[];
}

type Calibration = Awaited<ReturnType<EstimateService["client"]["devices"]["calibrations"]>>;

/** Designs the programs of an estimate for its device. Nothing is submitted. */
export async function prepare(
  { client }: EstimateService,
  settings: EstimateSettings,
  deviceQrn: string,
): Promise<PreparedEstimate> {
  const device = await client.devices.get(deviceQrn);
  const isExact = device.deviceType === "SIMULATOR";
  const calibration = isExact ? undefined : await calibrationOf(client, deviceQrn);
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
    rethrowAsKetbookError("estimate", () => writeDesign({ programs, observables, target, effort, seed }));
  const [most, ...smaller] = effortsOf(asked, target !== undefined) as [Effort, ...Effort[]];
  let [effort, written] = [most, write(most)];
  if (maxCost !== undefined)
    for (const next of smaller) {
      const shots = Math.max(device.minShots ?? 1, Math.ceil(LEAST_SHOTS / effort.copies));
      const quote = await quoteRun(client, deviceQrn, { program: [...written.texts], shots });
      if (!quote.pricingAvailable || quote.estimatedCost <= mostQuoted(quote, maxCost)) break;
      [effort, written] = [next, write(next)];
    }
  const leftOut = omissions(most, effort);
  if (written.texts.length > LIMITS.maxPrograms)
    throw new KetbookError(
      `estimate: ${written.texts.length} programs are too many: a job has at most ${LIMITS.maxPrograms}. Estimate fewer points, or fewer terms.`,
    );
  const { terms: _, groups: __, texts, ...design } = written;
  return {
    plan: {
      settings: { observables, runtimeOptions, ...others },
      isExact,
      design,
      notes: isExact ? [] : notesOf(written, effort, calibration, leftOut, maxCost),
    },
    device,
    design: written,
    texts: isExact ? programs.map(plainProgram) : texts,
    isMitigable: target !== undefined,
    leftOut,
  };
}

/** Lists what can be done, the most first: less of the mitigation that was asked for, or of all if none was. */
function effortsOf(asked: readonly Mitigation[] | undefined, isMitigable: boolean): Effort[] {
  const ways = asked ?? (isMitigable ? ["readout", "zne"] : []);
  const [readout, zne] = [ways.includes("readout"), ways.includes("zne")];
  const efforts: Effort[] = [];
  if (zne)
    efforts.push(
      { readout, factors: 3, copies: 4 },
      { readout, factors: 3, copies: 2 },
      { readout, factors: 2, copies: 2 },
    );
  if (readout && !(asked && zne)) efforts.push({ readout, factors: 1, copies: 2 });
  if (!asked || ways.length === 0) efforts.push({ readout: false, factors: 1, copies: 1 });
  return efforts;
}

/** Names what less effort leaves out. */
function omissions(most: Effort, { readout, factors, copies }: Effort): string[] {
  const isExtrapolated = factors > 1;
  return [
    ...(most.factors > 1 && !isExtrapolated ? ["the extrapolation to no noise"] : []),
    ...(isExtrapolated && factors < most.factors ? ["the largest noise factor"] : []),
    ...(isExtrapolated && copies < most.copies ? [`${most.copies - copies} of ${most.copies} copies`] : []),
    ...(most.readout && !readout ? ["the correction of the readout"] : []),
  ];
}

/** Asks for the calibration of a device; undefined where it has none. */
const calibrationOf = ({ devices }: EstimateService["client"], qrn: string) =>
  devices.calibrations(qrn).catch(error => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });

/** Returns a program as it is submitted. */
export const plainProgram = ({ format, data, files }: RecordedProgram): Program => ({
  format,
  data: String(data),
  ...(files && { files }),
});

/** Returns caveats about the device. */
function notesOf(
  written: WrittenDesign,
  { readout, factors }: Effort,
  calibration: Calibration | undefined,
  leftOut: readonly string[],
  maxCost: number | undefined,
): string[] {
  const notes: string[] = [];
  if (leftOut.length > 0)
    notes.push(`To stay within maxCost(${maxCost}), this was left out: ${leftOut.join(", ")}.`);
  if (factors === 1)
    notes.push(
      "The interval is that of the noisy device's mean: errors of its gates are not removed, nor bounded.",
    );
  if (!readout) notes.push("Readout errors are not corrected.");
  if (factors > 1 && calibration && relaxes(written, calibration))
    notes.push(
      "Relaxation (T1) outweighs the errors of two-qubit gates. It does not decay as folded gates do, so extrapolated values may be biased.",
    );
  return notes;
}

/** Whether relaxation outweighs the errors of two-qubit gates in the first program. */
function relaxes({ texts, programs, copies }: WrittenDesign, calibration: Calibration): boolean {
  const figures = deviceFigures(calibration);
  const text = texts[copies * programs.findIndex(({ kind }) => kind === "measure")];
  if (!text) return false;
  try {
    const { operations, duration } = scheduleCircuit(compile(text as SourceProgram), figures);
    const gates = operations.filter(({ kind }) => kind === "gate");
    const used = new Set(gates.flatMap(({ qubits }) => qubits));
    const relaxation = [...used].reduce((sum, qubit) => sum + duration / figures.qubits[qubit]!.T1, 0);
    const errors = gates.reduce((sum, { qubits: [a, b] }) => {
      const pair = figures.pairs.find(
        pair => (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a),
      );
      return sum + (b === undefined || !pair ? 0 : pair.otherwise.error);
    }, 0);
    return relaxation > errors;
  } catch (error) {
    if (error instanceof SimulationError) return false;
    throw error;
  }
}

/** Returns the limits of a batch on a device. */
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
