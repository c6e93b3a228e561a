import type { TimedOperation } from "./alap.ts";
import type { DeviceFigures } from "./device-figures.ts";

/**
 * Moves measurements after which their qubits are not used to the end, in their order, which changes nothing unless a
 * bit is written again: such a bit's measurements stay where they are.
 */
export function withFinalMeasurementsLast(operations: readonly TimedOperation[]): readonly TimedOperation[] {
  const lastUses = new Map<number, number>();
  const writes = new Map<number, number>();
  operations.forEach(({ operation }, i) => {
    for (const qubit of operation.qubits) lastUses.set(qubit, i);
    if ("bit" in operation && operation.bit !== null)
      writes.set(operation.bit, (writes.get(operation.bit) ?? 0) + 1);
  });
  const isFinal = ({ operation }: TimedOperation, i: number) =>
    operation.kind === "measure" &&
    lastUses.get(operation.qubits[0]) === i &&
    (operation.bit === null || writes.get(operation.bit) === 1);
  return [
    ...operations.filter((timed, i) => !isFinal(timed, i)),
    ...operations.filter((timed, i) => isFinal(timed, i)),
  ];
}

/**
 * Returns the coupled pairs whose qubits are measured at the same time at the end of the operations, by the place of
 * the first of these measurements.
 */
export function correlatedReadouts(
  operations: readonly TimedOperation[],
  { pairs }: DeviceFigures,
): ReadonlyMap<number, readonly (readonly [number, number])[]> {
  const isFinal = ({ operation }: TimedOperation) => operation.kind === "measure";
  const first = operations.findLastIndex(timed => !isFinal(timed)) + 1;
  const measured = new Map(operations.slice(first).map(timed => [timed.operation.qubits[0]!, timed]));
  const keys = new Set<string>();
  const together = pairs.flatMap(({ a, b }): (readonly [number, number])[] => {
    const [one, other] = [measured.get(a), measured.get(b)];
    const key = [a, b].sort().join();
    if (!one || !other || keys.has(key)) return [];
    keys.add(key);
    return one.start < other.end && other.start < one.end ? [[a, b]] : [];
  });
  return new Map([[first, together]]);
}
