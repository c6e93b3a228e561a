import {
  type CalibrationBarsOptions,
  type CalibrationMapOptions,
  type Chart,
  calibrationBars,
  calibrationMap,
} from "../../charts/index.ts";
import type { DeviceCalibration } from "../../contract/calibration.ts";
import type { RuntimeDevice } from "../../contract/device.ts";
import { assignRecord } from "../values/record.ts";
import { Shown } from "../values/shown.ts";

/** How well a device works, qubit by qubit and pair by pair. It shows itself as a map. */
export interface Calibration extends DeviceCalibration {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor copies every field of the record
export class Calibration extends Shown {
  readonly #device: RuntimeDevice;
  readonly #record: DeviceCalibration;
  #chart: Chart | undefined;

  /** @internal */
  constructor(record: DeviceCalibration, device: RuntimeDevice) {
    super();
    assignRecord(this, record);
    this.#record = record;
    this.#device = device;
  }

  /** Draws the coupling graph: the error of each pair as colour and width, readout errors on the qubits. */
  map(options?: CalibrationMapOptions): Chart<CalibrationMapOptions> {
    return calibrationMap(this.#device, this.#record, options);
  }

  /** Draws T1, T2, readout error and one-qubit error of each qubit as strips. */
  bars(options?: CalibrationBarsOptions): Chart<CalibrationBarsOptions> {
    return calibrationBars(this.#device, this.#record, options);
  }

  /** The calibration as the service gave it. */
  toJSON(): DeviceCalibration {
    return this.#record;
  }

  /** @internal */
  protected override face(): Chart {
    this.#chart ??= this.map();
    return this.#chart;
  }
}
