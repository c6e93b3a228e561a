import type { RecordedProgram } from "../../contract/program.ts";
import { compile, type InputValue, simulationSeconds } from "../../simulation/index.ts";
import type { Ketbook } from "../ketbook.ts";

/** Characters of all programs up to which they are compiled only to be quoted. */
const MAX_LENGTH = 200_000;
const COMPILE_LIMITS = { maxOperations: 1_000_000, maxTokens: 200_000 };
/** Seconds for what no model has: threads that start, a busy machine, writing results. */
const MARGIN_SECONDS = 0.2;
/** Times the model's figure that a run takes on a slow or busy machine. */
const MARGIN = 6;

/** A run to estimate. */
interface EstimatedRun {
  programs: readonly RecordedProgram[];
  shots: number;
  runtimeOptions?: { readonly [option: string]: unknown } | undefined;
}

/**
 * Returns the seconds, rather too many than too few, that a run takes on a simulator that charges for its time; undefined
 * for another device, and where only a run can tell.
 */
export async function expectedSeconds(
  { client }: Ketbook,
  qrn: string,
  { programs, shots, runtimeOptions }: EstimatedRun,
): Promise<number | undefined> {
  const length = programs.reduce(
    (sum, { data }) => sum + (typeof data === "string" ? data.length : Infinity),
    0,
  );
  if (length > MAX_LENGTH) return undefined;
  const { deviceType, modality, pricing } = await client.devices.get(qrn);
  if (deviceType !== "SIMULATOR" || modality !== "statevector" || !pricing?.perMinute) return undefined;
  const { inputs, observables, statevector } = Object(runtimeOptions) as { [option: string]: unknown };
  if (Array.isArray(observables) && observables.length > 0) return undefined;
  const values = Object(inputs) as { [name: string]: InputValue };
  const request = { shots, statevector: statevector === true || shots === 0 };
  try {
    const seconds = programs.map(({ format, data, files }) => {
      const source = { format: format as "qasm3", data: data as string, files };
      return simulationSeconds(compile(source, { ...COMPILE_LIMITS, inputs: values }), request);
    });
    const sum = seconds.reduce((total, each) => total + each, 0);
    return Number.isFinite(sum) ? MARGIN * sum + MARGIN_SECONDS : undefined;
  } catch {
    return undefined;
  }
}
