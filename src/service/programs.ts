import {
  type DeviceCalibration,
  isKnownTopology,
  PROGRAM_FORMATS,
  type Program,
  type ProgramAscii,
} from "../contract/index.ts";
import type { DeviceNoise, Method, NoiseRules } from "../simulation/index.ts";
import { deviceFigures } from "../simulation/noise/index.ts";
import type { Caller } from "./accounts/caller.ts";
import { readCalibration } from "./catalogue/calibrations.ts";
import { type Catalogue, type CatalogueDevice, isNoisy } from "./catalogue/catalogue.ts";
import { HttpError } from "./http-error.ts";
import { findJob } from "./jobs/record.ts";
import { compileOptionsOf, oneOrAll, readPrograms } from "./jobs/results.ts";
import type { Printer } from "./pool.ts";
import { readDocument } from "./store/documents.ts";
import type { JobRow } from "./store/schema.ts";
import type { Store } from "./store/store.ts";
import type { RunTask, Simulator, TargetTask } from "./workers/messages.ts";

interface NoiseOptions {
  /** The name of one of the device's noise models, or the job's own. */
  noiseModel?: string | NoiseRules | null;
  /** Active noise of an emulated QPU. */
  noise?: DeviceNoise;
}

/** Returns the noise of an emulated QPU, from its calibration, or that of a model of the device's, by default its first. */
export function noiseOf(
  device: CatalogueDevice,
  calibration: DeviceCalibration | undefined,
  { noiseModel, noise = {} }: NoiseOptions,
): RunTask["noise"] {
  if (isNoisy(device.engine)) {
    if (typeof noiseModel === "object" && noiseModel !== null) return { rules: noiseModel };
    const [first] = device.noise.values();
    return { uniform: (noiseModel && device.noise.get(noiseModel)) || first! };
  }
  return calibration ? { figures: deviceFigures(calibration, device.ramseyShare), options: noise } : null;
}

type TranspileTaskOptions = Partial<Pick<TargetTask, "optimizationLevel" | "initialLayout" | "verbatim">>;

/** Returns the transpiler's target on an emulated QPU; null for a simulator. */
export function targetTaskOf(
  { engine, topology }: CatalogueDevice,
  calibration: DeviceCalibration | undefined,
  { optimizationLevel, initialLayout, verbatim }: TranspileTaskOptions,
): TargetTask | null {
  if (engine !== "emulator" || !calibration || !isKnownTopology(topology)) return null;
  return { topology, calibration, optimizationLevel, initialLayout, verbatim };
}

/** Lists the simulators that take jobs. */
export function simulatorsOf(catalogue: Catalogue): Simulator[] {
  return [...catalogue.values()].flatMap(({ qrn, engine, numberQubits, status }) =>
    engine && engine !== "emulator" && status === "ONLINE" ? [{ qrn, engine, numberQubits }] : [],
  );
}

const drawable: ReadonlySet<string> = new Set(PROGRAM_FORMATS);

/** Draws the circuits of a job as plain text; throws an HttpError (409) for circuits that can't be drawn. */
export async function drawPrograms(
  store: Store,
  printer: Printer,
  caller: Caller,
  qrn: string,
): Promise<ProgramAscii> {
  const row = await findJob(store, caller, qrn);
  const programs = await readPrograms(store, row);
  const other = programs.find(program => !drawable.has(program.format));
  if (other)
    throw new HttpError("PROGRAM_FORMAT_UNSUPPORTED", `A program in ${other.format} cannot be drawn.`);
  const outcome = await printer.print(
    { target: null, programs, compileOptions: compileOptionsOf(row), compiled: null },
    caller.userId,
  );
  if (outcome.kind === "failed") {
    throw new HttpError("PROGRAM_FORMAT_UNSUPPORTED", `The program cannot be drawn: ${outcome.message}`);
  }
  return { format: "ascii", circuits: outcome.texts.map((ascii, index) => ({ index, ascii })) };
}

/** Returns the transpiler's target of a job, under the calibration of its run. */
async function targetTaskOfJob(catalogue: Catalogue, row: JobRow): Promise<TargetTask | null> {
  const device = catalogue.get(row.device_qrn);
  const { calibration } = JSON.parse(row.provenance_json ?? "{}");
  if (!device || !calibration) return null;
  const known = await readCalibration(device, Date.parse(calibration.lastCalibrated));
  return targetTaskOf(device, known, JSON.parse(row.options_json));
}

/**
 * Writes the program of a job, or the programs of a batch, as they were compiled for the device. They are compiled
 * again from what is kept, which gives the same text. Throws an HttpError (404) while the job is not COMPLETED.
 */
export async function compiledProgram(
  { store, catalogue }: { store: Store; catalogue: Catalogue },
  printer: Printer,
  caller: Caller,
  qrn: string,
): Promise<Program | Program[]> {
  const row = await findJob(store, caller, qrn);
  if (row.status !== "COMPLETED") {
    throw new HttpError("NOT_FOUND", `The job has no compiled program: it is ${row.status}.`);
  }
  const methods: Method[] = JSON.parse(
    (await readDocument(store, { jobSeq: row.seq, kind: "methods" })) ?? "[]",
  );
  const programs = await readPrograms(store, row);
  const compiled = programs.map((_, index) => {
    const { name, reason } = methods[index] ?? { name: "unknown", reason: "" };
    return { method: name, reason };
  });
  const target = await targetTaskOfJob(catalogue, row);
  const outcome = await printer.print(
    { target, programs, compileOptions: compileOptionsOf(row), compiled },
    caller.userId,
  );
  if (outcome.kind === "failed") {
    throw new HttpError("NOT_FOUND", `The job has no compiled program: ${outcome.message}`);
  }
  return oneOrAll(
    row,
    outcome.texts.map(data => ({ format: "qasm3", data })),
  );
}
