import { z } from "zod";
import { readTextFile } from "#host";
import {
  DEVICE_STATUSES,
  EXPERIMENT_TYPES,
  LIMITS,
  OWN_VENDOR,
  PROGRAM_FORMATS,
  parseDeviceQrn,
  TIMINGS,
  type Timing,
} from "../../contract/index.ts";
import { calibrationSchema, pricingSchema, topologySchema } from "../../contract/schemas/index.ts";
import type { UniformNoise } from "../../simulation/index.ts";

import { ENGINES, type Engine } from "../workers/messages.ts";
import { hasCalibration } from "./calibrations.ts";
import standard from "./devices.json" with { type: "json" };
import emulated from "./emulated.json" with { type: "json" };
import standardNoise from "./noise-models.json" with { type: "json" };
import topologies from "./topologies.json" with { type: "json" };

const executionSchema = z.strictObject({
  /** Milliseconds that a job takes beside its shots. */
  perTask: z.number().min(0).max(3_600_000),
  /** Microseconds that a shot takes beside its schedule, for reset. */
  perShot: z.number().min(0).max(1e6),
  timing: z.enum(TIMINGS).default("classroom"),
  /** The part of the time for which jobs of simulated other users keep the device busy. */
  load: z.number().min(0).max(0.95).default(0),
  /** The weekday, 0 for Sunday, and the hour, in UTC, at which maintenance begins each week; null: never. */
  maintenance: z
    .strictObject({ weekday: z.int().min(0).max(6), hour: z.int().min(0).max(23) })
    .nullable()
    .default(null),
});

const probability = z.number().min(0).max(1);
const time = z.number().positive();

/** One channel; times are in nanoseconds. */
const channel = z.discriminatedUnion("channel", [
  z.strictObject({ channel: z.literal("depolarizing"), probability }),
  z.strictObject({ channel: z.literal("amplitude_damping"), gamma: probability }),
  z.strictObject({ channel: z.literal("phase_damping"), lambda: probability }),
  z
    .strictObject({ channel: z.literal("thermal_relaxation"), T1: time, T2: time, time: z.number().min(0) })
    .refine(({ T1, T2 }) => T2 <= 2 * T1, { path: ["T2"], error: "must be at most twice T1" }),
]);

const noiseModelSchema = z.strictObject({
  name: z.string().min(1),
  description: z.string(),
  oneQubit: z.array(channel),
  twoQubit: z.array(channel),
  readout: z.strictObject({ zeroGivenOne: probability, oneGivenZero: probability }),
});

interface NamedNoise extends UniformNoise {
  readonly name: string;
  readonly description: string;
}

const STANDARD_NOISE: unknown = standardNoise.noiseModels;

/** Whether an engine simulates a noise model of the device's. */
export const isNoisy = (engine: Engine | undefined): boolean => engine === "noisy" || engine === "density";

const qrn = z.string().refine(text => ["sim", "qpu"].includes(parseDeviceQrn(text)?.type ?? ""), {
  error: "must have the form <vendor>:<provider>:sim:<name> or <vendor>:<provider>:qpu:<name>",
});

const entry = z
  .strictObject({
    qrn,
    name: z.string().min(1),
    description: z.string().nullable(),
    notes: z.string().nullable(),
    status: z.enum(DEVICE_STATUSES),
    statusMsg: z.string().nullable(),
    nextAvailable: z.iso.datetime().nullable(),
    paradigm: z.enum(EXPERIMENT_TYPES),
    modality: z.string().nullable(),
    numberQubits: z.int().min(1),
    topology: topologySchema,
    runInputTypes: z.array(z.enum(PROGRAM_FORMATS)).min(1),
    noiseModels: z.array(z.string()),
    minShots: z.int().min(0),
    maxShots: z.int().min(1).max(LIMITS.maxShots),
    batchJobSupport: z.boolean(),
    pricingModel: z.enum(["fixed", "dynamic"]),
    pricing: pricingSchema.nullable(),
    /** Seconds that a run is charged at least. */
    minimumSeconds: z.number().min(0),
    /** Seconds that a simulator's quote assumes. */
    quoteSeconds: z.number().min(0),
    directAccess: z.boolean(),
    verified: z.boolean(),
    private: z.boolean(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    /** Engine that runs programs; a device without one accepts no jobs. */
    engine: z.enum(ENGINES).optional(),
    /** Timing of an emulated QPU. Default: the time of its schedules, without other users and outages. */
    execution: executionSchema.optional(),
    /** The figures that it is emulated by. Default: those of this package for its name. */
    calibration: calibrationSchema.optional(),
    /** T2* of its qubits, which a Ramsey experiment finds, as a share of the T2 of its calibration, which an echo finds. */
    ramseyShare: z.number().positive().max(1).default(1),
    /** Whether the values of its calibration drift from day to day. */
    drift: z.boolean().default(true),
  })
  .refine(device => device.status !== "ONLINE" || device.engine, {
    path: ["engine"],
    error: "is needed by a device that is ONLINE",
  })
  .refine(device => device.engine !== "emulator" || device.calibration || hasCalibration(device.qrn), {
    path: ["engine"],
    error: "needs a calibration, by which the device is emulated",
  });

const catalogueSchema = z
  .strictObject({
    devices: z.array(entry),
    noiseModels: z.array(noiseModelSchema).prefault(STANDARD_NOISE as []),
  })
  .superRefine(({ devices, noiseModels }, context) => {
    const known = new Set(noiseModels.map(({ name }) => name));
    devices.forEach((device, index) => {
      const refuse = (message: string) =>
        context.addIssue({ code: "custom", path: ["devices", index, "noiseModels"], message });
      if (isNoisy(device.engine) && device.noiseModels.length === 0)
        refuse("must name one at least, the first by default");
      for (const name of device.noiseModels)
        if (!known.has(name)) refuse(`names ${name}, which is none of the noiseModels`);
    });
  });

/** An entry of a catalogue, as it is written. */
export type CatalogueEntry = z.input<typeof entry>;

export interface CatalogueDevice extends z.output<typeof entry> {
  vendor: string;
  provider: string;
  deviceType: "QPU" | "SIMULATOR";
  /** Its noise models by name, the one that is taken by default first. */
  noise: ReadonlyMap<string, NamedNoise>;
}

/** Every device of a service, by its resource name. */
export type Catalogue = ReadonlyMap<string, CatalogueDevice>;

/**
 * Reads a catalogue: the file's, or the standard one, with another timing of its emulated QPUs and another vendor code in
 * place of `svc`, if given. Throws an error that names every bad field.
 */
export function loadCatalogue(file?: string, timing?: Timing, vendor?: string): Map<string, CatalogueDevice> {
  const given = file === undefined ? standardCatalogue() : readJson(file);
  const read = catalogueSchema.safeParse(renameVendor(given, vendor));
  if (!read.success) {
    throw new Error(`The catalogue ${file ?? ""} is not valid:\n${z.prettifyError(read.error)}`);
  }
  const models = new Map(read.data.noiseModels.map(model => [model.name, model]));
  const devices = read.data.devices.map(device => describe(withTiming(device, timing), models, vendor));
  const catalogue = new Map(devices.map(device => [device.qrn, device]));
  if (catalogue.size < devices.length) throw new Error(`The catalogue ${file ?? ""} names a device twice.`);
  return catalogue;
}

/** Reads entries that are added to a catalogue, with another timing if given. Throws an error that names every bad field. */
export function readEntries(entries: unknown, timing?: Timing, vendor?: string): CatalogueDevice[] {
  return z
    .array(entry)
    .parse(renameVendor(entries, vendor))
    .map(device => describe(withTiming(device, timing), new Map(), vendor));
}

const withTiming = (device: z.output<typeof entry>, timing: Timing | undefined): z.output<typeof entry> =>
  timing && device.execution ? { ...device, execution: { ...device.execution, timing } } : device;

/** Puts another vendor code in place of `svc` in the resource names of JSON. */
function renameVendor(json: unknown, vendor = OWN_VENDOR): unknown {
  if (vendor === OWN_VENDOR) return json;
  return JSON.parse(
    JSON.stringify(json).replace(/\bsvc:(?:svc:)?(?=[\w-]+:)/g, own => own.replaceAll(OWN_VENDOR, vendor)),
  );
}

/** The simulators, and the emulated QPUs with their distilled topologies. */
function standardCatalogue(): unknown {
  const byQrn = new Map<string, unknown>(Object.entries(topologies));
  const qpus = emulated.devices.map(device => ({ ...device, topology: byQrn.get(device.qrn) }));
  return { devices: [...standard.devices, ...qpus] };
}

function describe(
  device: z.output<typeof entry>,
  models: ReadonlyMap<string, NamedNoise>,
  own = OWN_VENDOR,
): CatalogueDevice {
  const { vendor = "", provider: named = "", type } = parseDeviceQrn(device.qrn) ?? {};
  // Clients of a service of another name have a list of the providers that there are.
  const provider = named === "emulated" && own !== OWN_VENDOR ? vendor : named;
  const noise = new Map(device.noiseModels.map(name => [name, models.get(name)!]));
  const explained = Array.from(noise.values(), model => `${model.name}: ${model.description}`);
  const notes = [device.notes ?? [], explained].flat().join("\n") || null;
  return { ...device, notes, vendor, provider, deviceType: type === "qpu" ? "QPU" : "SIMULATOR", noise };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readTextFile(file));
  } catch (error) {
    throw new Error(`The catalogue ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
