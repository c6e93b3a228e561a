import type { TimedOperation } from "./alap.ts";
import type { DeviceFigures } from "./device-figures.ts";

/** A coupled pair of qubits of two gates that run at the same time, for so many nanoseconds. */
export interface Overlap {
  readonly qubits: readonly [number, number];
  readonly overlap: number;
}

/** Returns the overlaps of neighbouring two-qubit gates, by the place of the later of the two among the operations. */
export function crosstalkOf(
  operations: readonly TimedOperation[],
  { pairs }: DeviceFigures,
): ReadonlyMap<number, readonly Overlap[]> {
  const coupled = new Set(pairs.flatMap(({ a, b }) => [`${a} ${b}`, `${b} ${a}`]));
  const gates = operations
    .map((timed, index) => ({ ...timed, index }))
    .filter(({ operation, start, end }) => operation.qubits.length === 2 && end > start)
    .sort((a, b) => a.start - b.start);
  const found = new Map<number, Overlap[]>();
  let active: typeof gates = [];
  for (const gate of gates) {
    active = active.filter(({ end }) => end > gate.start);
    for (const other of active) {
      const later = Math.max(gate.index, other.index);
      const overlap = Math.min(gate.end, other.end) - gate.start;
      for (const a of other.operation.qubits)
        for (const b of gate.operation.qubits)
          if (coupled.has(`${a} ${b}`))
            found.set(later, [...(found.get(later) ?? []), { qubits: [a, b], overlap }]);
    }
    active.push(gate);
  }
  return found;
}
