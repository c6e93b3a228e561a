import type { DeviceCalibration } from "../../contract/calibration.ts";
import { noiseFromCalibration } from "../../simulation/noise-model.ts";
import { type Catalogue, type CatalogueDevice, isNoisy } from "../catalogue/catalogue.ts";
import type { RunTask, Simulator } from "./messages.ts";

/** The noise of an emulated QPU, from its calibration, or that of a model of the device's, by default its first. */
export function noiseOf(
  device: CatalogueDevice,
  calibration: DeviceCalibration | undefined,
  model?: string | null,
): RunTask["noise"] {
  if (isNoisy(device.engine)) {
    const [first] = device.noise.values();
    return { uniform: (model && device.noise.get(model)) || first! };
  }
  return calibration ? { calibrated: noiseFromCalibration(calibration) } : null;
}

/** Lists the simulators without noise that take jobs. */
export function idealSimulators(catalogue: Catalogue): Simulator[] {
  return [...catalogue.values()].flatMap(({ qrn, engine, numberQubits, status }) =>
    engine && !isNoisy(engine) && engine !== "emulator" && status === "ONLINE"
      ? [{ qrn, engine, numberQubits }]
      : [],
  );
}
