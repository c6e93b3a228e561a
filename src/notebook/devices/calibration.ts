import {
  type CalibrationBarsOptions,
  type CalibrationDriftOptions,
  type CalibrationMapOptions,
  type Chart,
  calibrationBars,
  calibrationDrift,
  calibrationMap,
} from "../../charts/index.ts";
import { KetbookError, rethrowAsKetbookError } from "../../client/index.ts";
import {
  type DeviceCalibration,
  describeValue,
  type EdgeFigure,
  type QubitCalibration,
  type RuntimeDevice,
  recordReader,
  SCHEMAS,
} from "../../contract/index.ts";
import { assignRecord, copyData, DisplayableValue } from "../values/displayable-value.ts";
import { pathText } from "../values/options.ts";
import type { CalibrationRecords } from "./calibration-source.ts";

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

  /** @internal */
  constructor(record: DeviceCalibration, device: RuntimeDevice) {
    super();
    assignRecord(this, record);
    this.#record = record;
    this.#device = device;
  }

  /**
   * Makes a calibration from plain data, such as `toJSON` gave, or custom figures. What is left out is not known.
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
    return this.map();
  }
}

const readCalibration = recordReader<DeviceCalibration>(SCHEMAS.DeviceCalibration, {
  exact: true,
  defaults: { deviceQrn: "" },
});

/** Reads a calibration that a person wrote. What is left out is null, or empty. Throws a `KetbookError` that names the member. */
export function readGivenCalibration(given: CalibrationRecord): DeviceCalibration {
  const record = readCalibration(
    copyData("Calibration.from: a calibration", given),
    ({ path, wanted, value }) => {
      throw wrong(pathText(path), wanted, value);
    },
  );
  for (const qubit of Object.keys(record.qubits))
    if (!/^\d+$/.test(qubit))
      throw wrong(`the name of qubit ${describeValue(qubit)}`, "the number of a qubit", qubit);
  return record;
}

function wrong(at: string, wanted: string, value: unknown): KetbookError {
  return new KetbookError(`Calibration.from: ${at} must be ${wanted}, not ${describeValue(value)}.`);
}

/** The calibrations of a device over time, the oldest first. They show themselves as a chart of their drift. */
export class CalibrationHistory extends DisplayableValue implements Iterable<Calibration> {
  /** The calibrations, the oldest first. */
  readonly calibrations: readonly Calibration[];
  /** Time of the first one (ISO 8601). */
  readonly since: string | null;
  /**
   * Whether these are only the calibrations that the library has seen and kept in the data folder, because the service has
   * only the latest one.
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
