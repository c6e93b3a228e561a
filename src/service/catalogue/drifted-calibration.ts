import type { DeviceCalibration, EdgeFigure, QubitCalibration } from "../../contract/calibration.ts";
import { type DriftProcess, driftProcess } from "./drift-process.ts";

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

/** Relative standard deviations of what drifts. */
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
  /** By what errors are larger, as the qubit is faulty; else 1. */
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
