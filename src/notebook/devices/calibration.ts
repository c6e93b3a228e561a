import {
  type CalibrationBarsOptions,
  type CalibrationMapOptions,
  type Chart,
  calibrationBars,
  calibrationMap,
} from "../../charts/index.ts";
import { KetbookError } from "../../client/errors.ts";
import { rethrowAsKetbookError } from "../../client/rethrow.ts";
import type { DeviceCalibration, EdgeFigure, QubitCalibration } from "../../contract/calibration.ts";
import type { RuntimeDevice } from "../../contract/device.ts";
import { DisplayableValue } from "../values/displayable-value.ts";
import { assignRecord } from "../values/record.ts";
import { readGivenCalibration } from "./given-calibration.ts";

/** Figures of a calibration, of which any may be left out. */
export interface CalibrationRecord {
  /** Number of a qubit to its figures. */
  qubits?: { readonly [qubit: string]: Partial<QubitCalibration> };
  /** Errors and lengths of two-qubit gates, by gate: a figure a pair. */
  edges?: {
    /** Errors, 0 to 1. */
    gateError?: { readonly [gate: string]: readonly EdgeFigure[] };
    /** Lengths in nanoseconds. */
    gateLength?: { readonly [gate: string]: readonly EdgeFigure[] };
  };
  /** Resource name of the device. */
  deviceQrn?: string;
  /** Name of the provider. */
  provider?: string | null;
  /** Time of the calibration (ISO 8601). */
  lastCalibrated?: string | null;
}

/** Quality of a device's qubits and pairs; shown as a map. */
export interface Calibration extends DeviceCalibration {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor copies every field of the record
export class Calibration extends DisplayableValue {
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

  /**
   * Makes a calibration from plain data, such as `toJSON` gave, or figures of one's own. What is left out is not known.
   *
   * @example
   * ```ts
   * import { Calibration } from "ketbook";
   * Calibration.from({
   *   qubits: { 0: { T1: 120, readoutError: 0.02 }, 1: { T1: 95, readoutError: 0.03 } },
   *   edges: { gateError: { cx: [{ source: 0, target: 1, value: 0.008 }] } },
   * });
   * ```
   *
   * @param device - Its name and topology. Default: the pairs that are calibrated.
   * @throws KetbookError that names the member that is wrong.
   */
  static from(
    calibration: CalibrationRecord,
    device: Partial<Pick<RuntimeDevice, "name" | "topology" | "numberQubits">> = {},
  ): Calibration {
    if (typeof calibration !== "object" || calibration === null)
      throw new KetbookError(
        "Calibration.from: a calibration is an object such as { qubits: { 0: { T1: 120 } } }.",
      );
    const { name = calibration.deviceQrn ?? "Calibration", topology = null, numberQubits = null } = device;
    const record = readGivenCalibration(calibration);
    return new Calibration(record, { name, topology, numberQubits } as RuntimeDevice);
  }

  /** Draws the coupling graph: the error of each pair as colour and width, readout errors on the qubits. */
  map(options?: CalibrationMapOptions): Chart<CalibrationMapOptions> {
    return rethrowAsKetbookError("map", () => calibrationMap(this.#device, this.#record, options));
  }

  /** Draws T1, T2, readout error and one-qubit error of each qubit as strips. */
  bars(options?: CalibrationBarsOptions): Chart<CalibrationBarsOptions> {
    return rethrowAsKetbookError("bars", () => calibrationBars(this.#device, this.#record, options));
  }

  /** The calibration as the service gave it. */
  toJSON(): DeviceCalibration {
    return this.#record;
  }

  /** @internal */
  protected override render(): Chart {
    this.#chart ??= this.map();
    return this.#chart;
  }
}
