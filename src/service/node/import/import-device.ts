import { z } from "zod";
import { LIMITS, parseDeviceQrn } from "../../../contract/index.ts";
import { pricingSchema, topologySchema } from "../../../contract/schemas/index.ts";
import { type CatalogueEntry, readEntries } from "../../index.ts";
import { braketProperties, readBraket } from "./braket.ts";
import { calibrationProblems, type DeviceDraft, DeviceFileError, numQubitsOf } from "./device-draft.ts";
import { qiskitConfiguration, qiskitProperties, readQiskit } from "./qiskit.ts";

/** A file that describes a device, or a part of it. */
export interface DeviceFile {
  readonly name: string;
  readonly content: unknown;
}

export interface ImportOptions {
  /** Name of the device. Default: what the files say. */
  name?: string;
  /** Resource name. Default: `<vendor>:emulated:qpu:<name>`. */
  qrn?: string;
  /** Prices in credits, in place of those of the files. */
  perTask?: number;
  perShot?: number;
  perMinute?: number;
  /** Whether its figures drift from day to day. Default: false. */
  drift?: boolean;
  /** Milliseconds since 1970. */
  now: number;
}

/** Microseconds between two shots, and milliseconds of a job, as is assumed. */
const EXECUTION = { perTask: 1000, perShot: 250 };
const MAX_SHOTS = 100_000;
const MAX_PROBLEMS = 10;

/**
 * Makes an entry of the catalogue from the files of a device: a configuration and properties of Qiskit, properties of
 * Braket, or a custom description. Throws a `DeviceFileError` that says what is wrong.
 */
export function importDevice(files: readonly DeviceFile[], options: ImportOptions): CatalogueEntry {
  const draft = readDraft(files, options.name);
  const { topology, calibration, pricingModel, pricing } = draft;
  const { perTask = 0, perShot = 0, perMinute = 0 } = { ...pricing, ...options };
  const problems = calibrationProblems(topology, calibration);
  if (problems.length > 0) {
    const more = problems.length - MAX_PROBLEMS;
    const shown = problems.slice(0, MAX_PROBLEMS).join("\n");
    throw new DeviceFileError(`${shown}${more > 0 ? `\n… and ${more} more.` : ""}`);
  }
  const slug = (options.name ?? draft.name).toLowerCase().replaceAll(/[^a-z0-9_.-]+/g, "-");
  const qrn = options.qrn ?? `${draft.vendor}:emulated:qpu:${slug}`;
  if (parseDeviceQrn(qrn)?.type !== "qpu")
    throw new DeviceFileError(
      `${qrn.slice(0, 200)} is not a QPU name of the form <vendor>:<provider>:qpu:<name>.`,
    );
  const { provider, name: ownName } = parseDeviceQrn(qrn)!;
  const title = `${ownName[0]!.toUpperCase()}${ownName.slice(1)} (emulated)`;
  const time = new Date(options.now).toISOString();
  const numberQubits = numQubitsOf(topology);
  const gates = [
    ...new Set(Object.values(calibration.qubits).flatMap(qubit => Object.keys(qubit.gateError))),
  ];
  const native = [...gates, ...Object.keys(calibration.edges.gateError)].join(", ");
  const entry: CatalogueEntry = {
    qrn,
    name: title,
    description: `An emulation of a QPU of ${numberQubits} qubits, imported into this data folder. Native gates: ${native}.`,
    notes: `Emulated: no job reaches a real QPU. Programs run here, under relaxation, gate and readout errors of these figures. ${draft.notes.join(" ")}`,
    status: "ONLINE",
    statusMsg: null,
    nextAvailable: null,
    paradigm: "gate_model",
    modality: draft.modality,
    numberQubits,
    topology,
    runInputTypes: ["qasm3", "qasm2"],
    noiseModels: [],
    minShots: Math.min(draft.minShots ?? 1, MAX_SHOTS),
    maxShots: Math.min(draft.maxShots ?? MAX_SHOTS, LIMITS.maxShots),
    batchJobSupport: true,
    pricingModel,
    pricing: { perTask, perShot, perMinute },
    minimumSeconds: 0,
    quoteSeconds: 0,
    directAccess: true,
    verified: false,
    private: false,
    createdAt: time,
    updatedAt: time,
    engine: "emulator",
    execution: { ...EXECUTION, timing: "classroom", load: 0, maintenance: null },
    calibration: {
      deviceQrn: qrn,
      provider,
      fetchedAt: time,
      ...calibration,
      lastCalibrated: calibration.lastCalibrated ?? time,
    },
    drift: options.drift ?? false,
  };
  try {
    readEntries([entry]);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const issues = error.issues.slice(0, MAX_PROBLEMS);
    throw new DeviceFileError(`The device can't be what the files say:\n${z.prettifyError({ issues })}`);
  }
  return entry;
}

function readDraft(files: readonly DeviceFile[], name: string | undefined): DeviceDraft {
  const has = ({ content }: DeviceFile, member: string) =>
    typeof content === "object" && content !== null && Object.hasOwn(content, member);
  const configuration = files.find(file => has(file, "basis_gates"));
  const properties = files.find(
    file => has(file, "last_update_date") || (has(file, "gates") && !has(file, "basis_gates")),
  );
  const [only] = files;
  if (configuration || (properties && files.length === 2)) {
    if (!configuration || !properties || files.length !== 2)
      throw new DeviceFileError(
        "A Qiskit backend is imported from two files: its configuration (conf_*.json) and its properties (props_*.json).",
      );
    return readQiskit(parse(configuration, qiskitConfiguration), parse(properties, qiskitProperties));
  }
  if (files.length !== 1 || !only)
    throw new DeviceFileError("Give one file, or the configuration and the properties of a Qiskit backend.");
  if (has(only, "braketSchemaHeader")) {
    const named = name ?? only.name.replace(/^.*[/\\]/, "").replace(/\.json$|_device_properties.*$/gi, "");
    return readBraket(parse(only, braketProperties), named.toLowerCase());
  }
  if (has(only, "topology")) return readOwnDevice(parse(only, ownDevice));
  throw new DeviceFileError(
    `${only.name} is none of the files that can be read: conf_*.json and props_*.json of a Qiskit backend, device properties of Braket, or { "name", "topology", "calibration" }.`,
  );
}

function parse<T>({ name, content }: DeviceFile, schema: z.ZodType<T>): T {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  const issues = read.error.issues.slice(0, MAX_PROBLEMS);
  throw new DeviceFileError(`${name} is not as it should be:\n${z.prettifyError({ issues })}`);
}

const figures = z.record(z.string(), z.number());
const optional = z.number().nullable().default(null);
const pairs = z.record(
  z.string(),
  z.array(z.strictObject({ source: z.int().min(0), target: z.int().min(0), value: z.number() })),
);

/** Describes a custom device: its topology, calibration and prices. */
const ownDevice = z.strictObject({
  name: z.string().min(1).max(100),
  vendor: z.string().min(1).max(50).default("svc"),
  modality: z.string().max(100).nullable().default(null),
  topology: topologySchema,
  calibration: z.strictObject({
    lastCalibrated: z.iso.datetime().nullable().default(null),
    qubits: z.record(
      z.string(),
      z.strictObject({
        T1: optional,
        T2: optional,
        frequency: optional,
        readoutError: optional,
        prob0Given1: optional,
        prob1Given0: optional,
        readoutLength: optional,
        gateError: figures.default({}),
        gateLength: figures.default({}),
      }),
    ),
    edges: z.strictObject({ gateError: pairs, gateLength: pairs.default({}) }),
  }),
  pricing: pricingSchema.default({ perTask: 0, perShot: 0, perMinute: 0 }),
  minShots: z.int().min(1).default(1),
  maxShots: z.int().min(1).default(MAX_SHOTS),
  description: z.string().max(4000).optional(),
});

const readOwnDevice = ({ description, ...device }: z.output<typeof ownDevice>): DeviceDraft => ({
  ...device,
  name: device.name.toLowerCase(),
  pricingModel: "fixed",
  notes: description ? [description] : [],
});
