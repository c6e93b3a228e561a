import type { DeviceCalibration } from "../../contract/calibration.ts";
import { pairName } from "../../display/calibration.ts";
import type { ScheduledOperation } from "../../simulation/index.ts";

/** Qubits or pairs that a list names. */
const MAX_NAMED = 6;

/** Lists the figures that a calibration lacks for some operations, such as `readout errors of 0, 3`. */
export function missingFigures(
  operations: readonly ScheduledOperation[],
  { qubits, edges }: DeviceCalibration,
): string[] {
  const missing = new Map<string, Set<string>>();
  const note = (kind: string, where: string | number) =>
    missing.set(kind, (missing.get(kind) ?? new Set()).add(String(where)));
  const pairsOf = (gates: DeviceCalibration["edges"]["gateError"]) =>
    new Set(Object.values(gates).flatMap(all => all.map(one => pairName(one.source, one.target))));
  const [pairs, timedPairs] = [pairsOf(edges.gateError), pairsOf(edges.gateLength)];
  /** Lengths that no qubit has are those of the simulator; that of a single one is not guessed. */
  const isTimed = Object.values(qubits).some(({ gateLength }) => Object.keys(gateLength).length > 0);
  const isReadTimed = Object.values(qubits).some(({ readoutLength }) => readoutLength !== null);
  for (const { kind, qubits: used, start, end } of operations) {
    if (kind === "barrier" || kind === "delay") continue;
    for (const qubit of used) {
      const figures = qubits[qubit];
      if (figures?.T1 == null) note("T1", qubit);
      if (figures?.T2 == null) note("T2", qubit);
      const isReadout = kind === "measure" || kind === "reset";
      if (isReadout && figures?.readoutError == null && figures?.prob0Given1 == null)
        note("readout errors", qubit);
      if (isReadout && isReadTimed && figures?.readoutLength == null) note("readout lengths", qubit);
      if (kind !== "gate" || end <= start || used.length !== 1) continue;
      const { gateError = {}, gateLength = {} } = figures ?? {};
      if (Object.keys(gateError).length === 0) note("one-qubit gate errors", qubit);
      if (isTimed && Object.keys(gateLength).length === 0) note("one-qubit gate lengths", qubit);
    }
    if (kind !== "gate" || used.length !== 2) continue;
    const pair = pairName(used[0]!, used[1]!);
    if (!pairs.has(pair)) note("two-qubit gate errors", pair);
    if (timedPairs.size > 0 && !timedPairs.has(pair)) note("two-qubit gate lengths", pair);
  }
  return Array.from(missing, ([kind, where]) => {
    const named = [...where].slice(0, MAX_NAMED).join(", ");
    return `${kind} of ${named}${where.size > MAX_NAMED ? ", …" : ""}`;
  });
}
