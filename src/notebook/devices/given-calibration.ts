import { KetbookError } from "../../client/errors.ts";
import type { DeviceCalibration } from "../../contract/calibration.ts";
import { SCHEMAS } from "../../contract/generated-schemas.ts";
import { describeValue } from "../../contract/options.ts";
import { recordReader } from "../../contract/reader.ts";
import { pathText } from "../values/path-text.ts";
import { copyData } from "../values/record.ts";
import type { CalibrationRecord } from "./calibration.ts";

const readCalibration = recordReader<DeviceCalibration>(SCHEMAS.DeviceCalibration, {
  exact: true,
  defaults: { deviceQrn: "" },
});

/**
 * Reads a calibration that a person wrote. What is left out is null, or empty.
 *
 * @throws KetbookError that names the member that is wrong.
 */
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
