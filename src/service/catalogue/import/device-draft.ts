import type { DeviceCalibration } from "../../../contract/calibration.ts";
import type { DevicePricing } from "../../../contract/device.ts";
import type { KnownTopology } from "../../../contract/topology.ts";

/** Device data read from files. */
export interface DeviceDraft {
  /** Name of the machine, in lower case. */
  name: string;
  vendor: string;
  modality: string | null;
  topology: KnownTopology;
  calibration: Pick<DeviceCalibration, "lastCalibrated" | "qubits" | "edges">;
  /** Prices in credits. Default: free. */
  pricing?: { [price in keyof DevicePricing]: number };
  pricingModel: "fixed" | "dynamic";
  minShots?: number;
  maxShots?: number;
  /** Remarks on the sources of the values. */
  notes: string[];
}

/** Error in the files of a device. */
export class DeviceFileError extends Error {
  override name = "DeviceFileError";
}

const FACTORS: ReadonlyMap<string, number> = new Map([
  ["s", 1e9],
  ["ms", 1e6],
  ["us", 1e3],
  ["µs", 1e3],
  ["μs", 1e3],
  ["ns", 1],
  ["ghz", 1],
  ["mhz", 1e-3],
  ["hz", 1e-9],
]);

/** Converts a time to nanoseconds, or a frequency to gigahertz; throws a `DeviceFileError` for another unit. */
export function convert(value: number, unit: string, path: string): number {
  const factor = FACTORS.get(unit.toLowerCase());
  if (factor === undefined)
    throw new DeviceFileError(`${path}: the unit ${JSON.stringify(unit.slice(0, 50))} is not known.`);
  return factor * value;
}

/** Rounds what converting has left behind. */
export const round = (value: number): number => Number(value.toPrecision(6));

/** Adds the figure of a pair to those of a gate. */
export function addFigure(
  figures: DeviceCalibration["edges"]["gateError"],
  gate: string,
  [source, target]: readonly [number, number],
  value: number,
): void {
  if (!Object.hasOwn(figures, gate)) figures[gate] = [];
  figures[gate]!.push({ source, target, value });
}
