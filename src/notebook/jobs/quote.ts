import { type CallOptions, type Client, KetbookError } from "../../client/index.ts";
import {
  isKnownTopology,
  type JobRequest,
  type NoQuote,
  type Quote,
  type RecordedProgram,
  type RuntimeDevice,
  takesShots,
} from "../../contract/index.ts";
import { type ExpectedShot, formatCredits, formatNumber, quoteCard } from "../../display/index.ts";
import { type EstimateLimits, expectedSeconds, type SourceProgram } from "../../simulation/index.ts";
import { compileForDevice, expectedRunOf, type TranspileOptions } from "../programs/device-program.ts";
import { sourceOf, unlessProblem } from "../programs/program-figures.ts";
import type { Session } from "../session.ts";
import { type DisplayableValue, recordClass } from "../values/displayable-value.ts";
import { given } from "../values/options.ts";

const quoteOf = recordClass<Quote | NoQuote>(quoteCard);

const ESTIMATE_LIMITS: EstimateLimits = { maxLength: 200_000, maxOperations: 1_000_000 };

/**
 * Asks for the cost of a run, all programs together. A quote of one program is multiplied by their number. Where a QPU bills
 * time, that of the programs counts if there are calibrations.
 */
export async function quoteRun(
  { devices, jobs }: Client,
  deviceQrn: string,
  { program, shots, runtimeOptions }: Omit<JobRequest, "deviceQrn">,
  options?: CallOptions,
  calibrations?: Session["calibrations"],
): Promise<(Quote | NoQuote) & DisplayableValue> {
  const all = [program].flat() as SourceProgram[];
  const programs = all.length;
  const device = await devices.get(deviceQrn, options);
  const { deviceType, modality, pricing, minShots, maxShots } = device;
  if (!takesShots(device, shots))
    throw new KetbookError(
      `${deviceQrn} takes ${formatNumber(minShots)} to ${formatNumber(maxShots)} shots, not ${formatNumber(shots)}.`,
    );
  let seconds: number | undefined;
  if (pricing?.perMinute && deviceType === "SIMULATOR" && modality === "statevector")
    seconds = expectedSeconds({ programs: all, shots, options: runtimeOptions }, ESTIMATE_LIMITS);
  else if (pricing?.perMinute && calibrations)
    seconds = await secondsOfShots(device, calibrations, all, { shots, options: runtimeOptions });
  const request = {
    deviceQrn,
    shots: Math.max(1, shots),
    ...(programs > 1 && { programs }),
    ...(seconds !== undefined && { seconds }),
  };
  const quote = await jobs.quote(request, options);
  return quoteOf(quote.pricingAvailable && programs > 1 ? quoteOfAll(quote, programs) : quote);
}

/** Returns the seconds that all shots are expected to take on a QPU; `undefined` where that is not known. */
async function secondsOfShots(
  device: RuntimeDevice,
  calibrations: Session["calibrations"],
  programs: readonly RecordedProgram[],
  { shots, options }: { shots: number; options?: JobRequest["runtimeOptions"] },
): Promise<number | undefined> {
  if (programs.some(({ data }) => String(data).length > MAX_QUOTED_LENGTH / programs.length))
    return undefined;
  const expected = await expectedShots(device, calibrations, programs, options).catch(() => []);
  const nanoseconds = expected.reduce((sum, shot) => sum + (shot?.duration ?? Number.NaN), 0);
  // No job may take longer than a day.
  return nanoseconds > 0 ? Math.min((nanoseconds * shots) / 1e9, 86_400) : undefined;
}

function quoteOfAll(quote: Quote, programs: number): Quote {
  if (quote.programs === programs) return quote;
  const { task = null, shots = null, time = null } = quote.breakdown ?? {};
  const times = <N extends number | null>(credits: N) =>
    (credits === null ? null : Math.round(credits * programs * 1e6) / 1e6) as N;
  return {
    ...quote,
    programs,
    estimatedCost: times(quote.estimatedCost),
    breakdown: quote.breakdown && { task: times(task), shots: times(shots), time: times(time) },
  };
}

/** A run was not submitted, since its quote is above what it may cost, or there is none. Nothing was charged. */
export class CostLimitError extends KetbookError {
  /** @internal */ override name = "CostLimitError";
  /** Credits that the run may cost. */
  readonly maxCost: number;
  /** Credits that the whole run was quoted at; null when the service has no quote. */
  readonly estimatedCost: number | null;

  /** @internal */
  constructor(quote: Quote | NoQuote, maxCost: number) {
    const limit = `maxCost(${formatNumber(maxCost)})`;
    super(
      quote.pricingAvailable
        ? `Not submitted: the quote is ${formatCredits(quote.estimatedCost)}, above ${limit}. Use fewer shots or programs, or a device that costs less.`
        : `Not submitted: ${limit} requires a quote, but none is available (${quote.reason}).`,
    );
    this.maxCost = maxCost;
    this.estimatedCost = quote.pricingAvailable ? quote.estimatedCost : null;
  }
}

/** Characters of all programs up to which they are transpiled for a quote: those of some seconds. */
const MAX_QUOTED_LENGTH = 20_000;
/** Qubits of a device, and characters of a program, up to which it is transpiled only to be shown. */
const MAX_QUBITS = 200;
const MAX_LENGTH = 50_000;

/** Computes what is to be expected of programs on a device; `undefined` where that is not known, as for a simulator. */
export async function expectedShots(
  { qrn, deviceType, topology }: RuntimeDevice,
  calibrations: Session["calibrations"],
  programs: readonly RecordedProgram[],
  options: { [option: string]: unknown } = {},
): Promise<(ExpectedShot | undefined)[]> {
  if (deviceType !== "QPU" || topology === null || !isKnownTopology(topology)) return [];
  const calibration = await calibrations.latest(qrn).catch(() => undefined);
  if (!calibration || Object.keys(calibration.qubits).length > MAX_QUBITS) return [];
  const { optimizationLevel, initialLayout, verbatim } = options as TranspileOptions;
  const chosen = given({ optimizationLevel, initialLayout, verbatim });
  return programs.map(program => {
    const source = sourceOf(program);
    if (!source || source.data.length > MAX_LENGTH) return undefined;
    return unlessProblem(() => {
      const { circuit } = compileForDevice(source, topology, calibration, chosen);
      return expectedRunOf(circuit, calibration);
    });
  });
}
