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
  const pairs = new Set(
    Object.values(edges.gateError).flatMap(figures => figures.map(one => pairName(one.source, one.target))),
  );
  for (const { kind, qubits: used, start, end } of operations) {
    if (kind === "barrier" || kind === "delay") continue;
    for (const qubit of used) {
      const figures = qubits[qubit];
      if (figures?.T1 == null) note("T1", qubit);
      if (figures?.T2 == null) note("T2", qubit);
      const isReadout = kind === "measure" || kind === "reset";
      if (isReadout && figures?.readoutError == null && figures?.prob0Given1 == null)
        note("readout errors", qubit);
      if (
        kind === "gate" &&
        end > start &&
        used.length === 1 &&
        Object.keys(figures?.gateError ?? {}).length === 0
      )
        note("one-qubit gate errors", qubit);
    }
    const [a, b] = used;
    if (kind === "gate" && used.length === 2 && !pairs.has(pairName(a!, b!)))
      note("two-qubit gate errors", pairName(a!, b!));
  }
  return Array.from(missing, ([kind, where]) => {
    const named = [...where].slice(0, MAX_NAMED).join(", ");
    return `${kind} of ${named}${where.size > MAX_NAMED ? ", …" : ""}`;
  });
}
