import type { DeviceCalibration } from "../../contract/calibration.ts";
import { describeValue, nearestName } from "../../contract/options.ts";
import { singleLine } from "../../display/text.ts";

/** Refuses a two-qubit gate that a calibration has no errors of. Throws a `RangeError` with those that there are. */
export function checkGate({ edges }: DeviceCalibration, gate: string | undefined): void {
  const gates = Object.keys(edges.gateError);
  if (gate === undefined || gates.includes(gate)) return;
  const nearest = nearestName(gate, gates);
  const there =
    gates.length > 0
      ? `there are ${gates
          .slice(0, 12)
          .map(name => singleLine(name, 24))
          .join(", ")}.`
      : "none is calibrated.";
  throw new RangeError(
    `There is no two-qubit gate ${describeValue(gate)}: ${nearest ? `did you mean ${describeValue(nearest)}?` : there}`,
  );
}

/** Refuses qubits that a device does not have. Throws a `RangeError` with those that there are. */
export function checkQubits(qubits: readonly number[] | undefined, count: number): void {
  const wrong = qubits?.find(qubit => !Number.isInteger(qubit) || qubit < 0 || qubit >= count);
  if (wrong !== undefined)
    throw new RangeError(
      `There is no qubit ${describeValue(wrong)}: the device has the qubits 0 to ${count - 1}.`,
    );
}
