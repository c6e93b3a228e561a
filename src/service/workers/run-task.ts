import type { DeviceCalibration } from "../../contract/calibration.ts";
import { isKnownTopology } from "../../contract/topology.ts";
import type { NoiseRules } from "../../simulation/index.ts";
import { deviceFigures } from "../../simulation/schedule/device-figures.ts";
import type { DeviceNoiseOptions } from "../../simulation/schedule/noise-options.ts";
import { type Catalogue, type CatalogueDevice, isNoisy } from "../catalogue/catalogue.ts";
import type { RunTask, Simulator, TargetTask } from "./messages.ts";

/** Options of a run that say which noise acts on it. */
export interface NoiseOptions {
  /** The name of one of the device's noise models, or the job's own. */
  noiseModel?: string | NoiseRules | null;
  /** Active noise of an emulated QPU. */
  noise?: DeviceNoiseOptions;
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

/** Options of a run that say how its programs are transpiled. */
export type TranspileTaskOptions = Partial<
  Pick<TargetTask, "optimizationLevel" | "initialLayout" | "verbatim">
>;

/** Returns what programs are transpiled for on an emulated QPU; null for a simulator. */
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
