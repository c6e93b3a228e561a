import type { DeviceCalibration } from "../../contract/calibration.ts";
import { deviceFigures } from "../../simulation/schedule/device-figures.ts";
import type { DeviceNoiseOptions } from "../../simulation/schedule/noise-options.ts";
import { type Catalogue, type CatalogueDevice, isNoisy } from "../catalogue/catalogue.ts";
import type { RunTask, Simulator } from "./messages.ts";

/** Options of a run that say which noise acts on it. */
export interface NoiseOptions {
  /** The name of one of the device's noise models. */
  noiseModel?: string | null;
  /** Which noise of an emulated QPU acts. */
  noise?: DeviceNoiseOptions;
}

/** Returns the noise of an emulated QPU, from its calibration, or that of a model of the device's, by default its first. */
export function noiseOf(
  device: CatalogueDevice,
  calibration: DeviceCalibration | undefined,
  { noiseModel, noise = {} }: NoiseOptions,
): RunTask["noise"] {
  if (isNoisy(device.engine)) {
    const [first] = device.noise.values();
    return { uniform: (noiseModel && device.noise.get(noiseModel)) || first! };
  }
  return calibration ? { figures: deviceFigures(calibration), options: noise } : null;
}

/** Lists the simulators without noise that take jobs. */
export function idealSimulators(catalogue: Catalogue): Simulator[] {
  return [...catalogue.values()].flatMap(({ qrn, engine, numberQubits, status }) =>
    engine && !isNoisy(engine) && engine !== "emulator" && status === "ONLINE"
      ? [{ qrn, engine, numberQubits }]
      : [],
  );
}
