import { type CalibrationDriftOptions, type Chart, calibrationDrift } from "../../charts/index.ts";
import { rethrowAsKetbookError } from "../../client/rethrow.ts";
import type { DeviceCalibration } from "../../contract/calibration.ts";
import type { RuntimeDevice } from "../../contract/device.ts";
import { DisplayableValue } from "../values/displayable-value.ts";
import { Calibration } from "./calibration.ts";
import type { CalibrationRecords } from "./calibration-source.ts";

/** The calibrations of a device over time, the oldest first. They show themselves as a chart of their drift. */
export class CalibrationHistory extends DisplayableValue implements Iterable<Calibration> {
  /** The calibrations, the oldest first. */
  readonly calibrations: readonly Calibration[];
  /** Time of the first one (ISO 8601). */
  readonly since: string | null;
  /**
   * Whether these are the calibrations alone that the library has seen and kept in the data folder, as the service has
   * the latest one alone.
   */
  readonly isKept: boolean;
  readonly #device: RuntimeDevice;
  readonly #records: readonly DeviceCalibration[];

  /** @internal */
  constructor({ records, isKept }: CalibrationRecords, device: RuntimeDevice) {
    super();
    this.#device = device;
    this.#records = records;
    this.calibrations = records.map(record => new Calibration(record, device));
    this.since = records[0]?.lastCalibrated ?? null;
    this.isKept = isKept;
  }

  /** Number of calibrations. */
  get length(): number {
    return this.calibrations.length;
  }

  [Symbol.iterator](): Iterator<Calibration> {
    return this.calibrations[Symbol.iterator]();
  }

  /** Draws how the figures of the device drift: medians with quartiles, lines of single qubits, or a panel a qubit. */
  drift(options: CalibrationDriftOptions = {}): Chart<CalibrationDriftOptions> {
    const title =
      options.title ?? (this.isKept ? `${this.#device.name}, as seen since ${this.since}` : undefined);
    return rethrowAsKetbookError("drift", () =>
      calibrationDrift(this.#device, this.#records, title === undefined ? options : { ...options, title }),
    );
  }

  /** The calibrations as the service gave them. */
  toJSON(): readonly DeviceCalibration[] {
    return this.#records;
  }

  /** @internal */
  protected override render(): Chart {
    return this.drift();
  }
}
