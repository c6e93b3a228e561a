import type { DeviceCalibration, EdgeFigure, QubitCalibration } from "../../contract/index.ts";
import { calibrationSchema } from "../../contract/schemas/index.ts";
import { philox } from "../../simulation/noise/index.ts";
import type { CatalogueDevice } from "./catalogue.ts";

/** Days over which a drifting figure forgets what it was. */
const MEMORY_DAYS = 6;
/** Days that are looked back at; what lies before them weighs less than 0.1 %. */
const LOOK_BACK_DAYS = 42;

/** Random numbers of a device's drift: each of a figure, of a qubit or pair, and of a day. */
type DriftProcess = ReturnType<typeof driftProcess>;

/** Returns the seed of a device's random values: FNV-1a of its name. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return hash;
}

/** Returns the drift of a device: the same for the same device. */
function driftProcess(deviceQrn: string, hasEpisodes: boolean) {
  const random = philox(hashOf(deviceQrn));
  const uniform = (place: number, day: number, stream: number) => random.uniform(place, day >>> 0, stream);
  const gaussian = (figure: number, place: number, day: number) => {
    const [u, v] = [uniform(place, day, 5 * figure), uniform(place, day, 5 * figure + 1)];
    return Math.sqrt(-2 * Math.log1p(-u)) * Math.cos(2 * Math.PI * v);
  };
  const kept = Math.exp(-1 / MEMORY_DAYS);
  const scale = Math.sqrt(1 - kept ** 2);
  return {
    /** Returns a slow drift with mean 0 and standard deviation 1, which forgets what it was within a week. */
    drift(figure: number, place: number, day: number): number {
      let sum = 0;
      for (let back = LOOK_BACK_DAYS; back >= 0; back--)
        sum = kept * sum + scale * gaussian(figure, place, day - back);
      return sum;
    },
    /**
     * Returns the strength, 0 to 1, of the latest episode that lasts at a day, or 0: episodes begin with a probability a
     * day and last for 1 to `maxDays` days.
     */
    episode(figure: number, place: number, day: number, probability: number, maxDays: number): number {
      for (let back = 0; hasEpisodes && back < maxDays; back++) {
        if (uniform(place, day - back, 5 * figure + 2) >= probability) continue;
        const length = 1 + Math.floor(maxDays * uniform(place, day - back, 5 * figure + 3));
        if (back < length) return 0.05 + 0.95 * uniform(place, day - back, 5 * figure + 4);
      }
      return 0;
    },
  };
}

const DAY_MS = 86_400_000;
/** The hour of the day, in UTC, at which devices are calibrated. */
const CALIBRATION_HOUR = 6;

/** Figures that drift on their own. */
const T1 = 0;
const T2 = 1;
const FREQUENCY = 2;
const READOUT = 3;
const ONE_QUBIT = 4;
const TWO_QUBIT = 5;
/** A two-level defect near the frequency of a qubit, which shortens its T1 while it is there. */
const DEFECT = 6;
/** A qubit that went wrong, until it is repaired. */
const FAULT = 7;

/** Relative standard deviations of drifting values. */
const SPREAD = { T1: 0.14, T2: 0.12, readout: 0.12, oneQubit: 0.1, twoQubit: 0.1 } as const;
const FREQUENCY_SPREAD_GHZ = 5e-6;
const DEFECTS = { probability: 0.03, maxDays: 6, depth: 0.6 } as const;
const FAULTS = { probability: 0.0015, maxDays: 3, factor: 5 } as const;
/** The part of a gate's error that relaxation accounts for at most. */
const MAX_RELAXATION_SHARE = 0.8;

/** Returns the day, counted from 1970, of the calibration that is the latest at a time in milliseconds since 1970. */
export const calibrationDay = (time: number): number => Math.floor(time / DAY_MS - CALIBRATION_HOUR / 24);

/** Returns the time of a day's calibration in milliseconds since 1970. */
export const calibrationTime = (day: number): number => (day + CALIBRATION_HOUR / 24) * DAY_MS;

/**
 * Returns the calibration of a device on a day, counted from 1970: its snapshot, from which figures drift slowly; T1
 * falls while a defect is near, T2 and the errors of gates and readouts with it; and now and then a qubit is faulty.
 * Means of a whole device drift without defects and faults. It is the same for the same snapshot and day.
 */
export function driftedCalibration(snapshot: DeviceCalibration, day: number): DeviceCalibration {
  const isMean = isUniform(snapshot);
  const process = driftProcess(snapshot.deviceQrn, !isMean);
  const placeOf = isMean ? () => 0 : (qubit: number) => qubit;
  const qubits = new Map(
    Object.entries(snapshot.qubits).map(([qubit, figures]) => [
      Number(qubit),
      { base: figures, now: driftedQubit(figures, process, placeOf(Number(qubit)), day) },
    ]),
  );
  const lengths = snapshot.edges.gateLength;
  const gateError = Object.fromEntries(
    Object.entries(snapshot.edges.gateError).map(([gate, figures]) => [
      gate,
      figures.map(({ source, target, value }): EdgeFigure => {
        const length = lengths[gate]?.find(one => one.source === source && one.target === target)?.value ?? 0;
        const pair = [placeOf(source), placeOf(target)].sort((a, b) => a - b) as [number, number];
        const factor = factorOf(process.drift(TWO_QUBIT, pair[0] * 4096 + pair[1], day), SPREAD.twoQubit);
        const ends = [qubits.get(source)!, qubits.get(target)!];
        return {
          source,
          target,
          value: driftedError(value, { factor, length, ends, limit: 0.75, share: 1 / 5 }),
        };
      }),
    ]),
  );
  const time = new Date(calibrationTime(day)).toISOString();
  return {
    ...snapshot,
    lastCalibrated: time,
    fetchedAt: time,
    qubits: Object.fromEntries([...qubits].map(([qubit, { now }]) => [qubit, now.figures])),
    edges: { ...snapshot.edges, gateError },
  };
}

interface DriftedQubit {
  readonly figures: QubitCalibration;
  /** Factor by which errors of a faulty qubit are larger; else 1. */
  readonly fault: number;
}

function driftedQubit(
  base: QubitCalibration,
  process: DriftProcess,
  place: number,
  day: number,
): DriftedQubit {
  const fault =
    process.episode(FAULT, place, day, FAULTS.probability, FAULTS.maxDays) > 0 ? FAULTS.factor : 1;
  const defect = process.episode(DEFECT, place, day, DEFECTS.probability, DEFECTS.maxDays);
  const relaxation = factorOf(process.drift(T1, place, day), SPREAD.T1) * (1 - DEFECTS.depth * defect);
  const now: QubitCalibration = { ...base };
  if (base.T1 !== null) now.T1 = rounded((base.T1 * relaxation) / fault, 4);
  if (base.T2 !== null) {
    const dephasing = factorOf(process.drift(T2, place, day), SPREAD.T2);
    const coherence = ((base.T2 * dephasing) / fault) * Math.sqrt(relaxation);
    now.T2 = rounded(Math.min(coherence, 2 * (now.T1 ?? Number.POSITIVE_INFINITY)), 4);
  }
  if (base.frequency !== null)
    now.frequency = rounded(base.frequency + FREQUENCY_SPREAD_GHZ * process.drift(FREQUENCY, place, day), 7);
  const readout = factorOf(process.drift(READOUT, place, day), SPREAD.readout) * Math.sqrt(fault);
  for (const name of ["readoutError", "prob0Given1", "prob1Given0"] as const)
    if (base[name] !== null) now[name] = rounded(Math.min(base[name] * readout, 0.5), 3);
  const figures = { base, now: { figures: now, fault } };
  const factor = factorOf(process.drift(ONE_QUBIT, place, day), SPREAD.oneQubit);
  now.gateError = Object.fromEntries(
    Object.entries(base.gateError).map(([gate, error]) => [
      gate,
      driftedError(error, {
        factor,
        length: base.gateLength[gate] ?? 0,
        ends: [figures],
        limit: 0.5,
        share: 1 / 6,
      }),
    ]),
  );
  return { figures: now, fault };
}

/** Inputs of a gate's error: its qubits, then and now. */
interface ErrorDrift {
  readonly factor: number;
  /** In nanoseconds. */
  readonly length: number;
  readonly ends: readonly { base: QubitCalibration; now: DriftedQubit }[];
  readonly limit: number;
  /** The average infidelity of relaxation, as a part of `length / T1 + 2 * length / T2` of each qubit. */
  readonly share: number;
}

/** Returns the error of a gate: what relaxation takes follows T1 and T2, and the rest drifts on its own. */
function driftedError(error: number, { factor, length, ends, limit, share }: ErrorDrift): number {
  if (error <= 0 || error >= limit) return error;
  const relaxed = (of: readonly QubitCalibration[]) =>
    of.reduce((sum, { T1: t1, T2: t2 }) => sum + (t1 ? 1 / t1 : 0) + (t2 ? 2 / t2 : 0), 0) *
    ((share * length) / 1000);
  const before = relaxed(ends.map(({ base }) => base));
  const part = Math.min(before, MAX_RELAXATION_SHARE * error);
  const growth = before > 0 ? relaxed(ends.map(({ now }) => now.figures)) / before : 1;
  const fault = Math.max(...ends.map(({ now }) => now.fault));
  return rounded(Math.min((error - part) * factor * fault + part * growth, limit), 3);
}

/** Returns a factor with mean 1 of a relative standard deviation. */
const factorOf = (drift: number, spread: number): number => Math.exp(spread * drift - spread ** 2 / 2);

const rounded = (value: number, digits: number): number => Number(value.toPrecision(digits));

/** Whether a snapshot has the same figures for every qubit, as that of a device whose maker publishes means. */
function isUniform({ qubits }: DeviceCalibration): boolean {
  const [first, ...others] = Object.values(qubits).map(figures => JSON.stringify(figures));
  return others.length > 0 && others.every(figures => figures === first);
}

/** Calibrations of the standard catalogue's devices, each read from its file when it is first asked for. */
const files: Readonly<Record<string, () => Promise<{ default: unknown }>>> = {
  "ibm:emulated:qpu:perth": () => import("./calibrations/perth.json", { with: { type: "json" } }),
  "ibm:emulated:qpu:auckland": () => import("./calibrations/auckland.json", { with: { type: "json" } }),
  "ibm:emulated:qpu:brisbane": () => import("./calibrations/brisbane.json", { with: { type: "json" } }),
  "aws:emulated:qpu:garnet": () => import("./calibrations/garnet.json", { with: { type: "json" } }),
  "ionq:emulated:qpu:forte": () => import("./calibrations/forte.json", { with: { type: "json" } }),
};

export function hasCalibration(deviceQrn: string): boolean {
  return Object.hasOwn(files, deviceQrn);
}

/** Reads the snapshot of a device, as its maker published it; `undefined` when there is none. */
export async function readSnapshot(deviceQrn: string): Promise<DeviceCalibration | undefined> {
  const file = hasCalibration(deviceQrn) ? files[deviceQrn] : undefined;
  return file && calibrationSchema.parse((await file()).default);
}

type Calibrated = Pick<CatalogueDevice, "qrn"> & Partial<Pick<CatalogueDevice, "calibration" | "drift">>;

/** The calibration that was read last of each device, with its day and what it has drifted from. */
const latest = new Map<
  string,
  { day: number; own: DeviceCalibration | undefined; calibration: DeviceCalibration }
>();

/**
 * Reads the calibration of a device that was the latest at a time, in milliseconds since 1970: the snapshot, as it has
 * drifted since. There is a new one each day, unless the device has one of its own that does not drift. Returns
 * `undefined` when there is none of the device.
 */
export async function readCalibration(
  { qrn, calibration: own, drift = true }: Calibrated,
  time: number,
): Promise<DeviceCalibration | undefined> {
  if (own && !drift) return own;
  const day = calibrationDay(time);
  const known = latest.get(qrn);
  if (known?.day === day && known.own === own) return known.calibration;
  const snapshot = own ?? (await readSnapshot(qrn));
  if (!snapshot) return undefined;
  const calibration = driftedCalibration(snapshot, day);
  latest.set(qrn, { day, own, calibration });
  return calibration;
}
