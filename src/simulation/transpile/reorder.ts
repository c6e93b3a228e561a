import type { Operation } from "./operation.ts";
import { routingProblem } from "./routing-problem.ts";

/**
 * Brings operations into an equivalent order in which gates of a pair of qubits follow each other wherever what is
 * between them commutes. Otherwise they keep their order: what a program does one after the other is near each other.
 */
export function gatherPairs(operations: readonly Operation[], numQubits: number): Operation[] {
  const problem = routingProblem(operations, numQubits);
  const pending = Int32Array.from(problem.groupsOf, groups => groups.length);
  const left = Int32Array.from(problem.members, members => members.length);
  const out: Operation[] = [];
  const ready: number[] = [];
  const readyPairs = new Map<number, number[]>();
  const keyOf = ([a, b]: readonly number[]) => Math.min(a!, b!) * numQubits + Math.max(a!, b!);
  const begin = (group: number) => {
    for (const index of problem.members[group]!) if (--pending[index]! === 0) add(index);
  };
  const add = (index: number) => {
    const { kind, qubits } = operations[index]!;
    if (kind !== "two-qubit") ready.push(index);
    else {
      const key = keyOf(qubits);
      const list = readyPairs.get(key);
      if (list) list.push(index);
      else readyPairs.set(key, [index]);
    }
  };
  const done = new Uint8Array(operations.length);
  const finish = (index: number) => {
    done[index] = 1;
    out.push(operations[index]!);
    for (const group of problem.groupsOf[index]!)
      if (--left[group]! === 0 && problem.following[group]! >= 0) begin(problem.following[group]!);
    for (let next = ready.pop(); next !== undefined; next = ready.pop()) finish(next);
  };
  problem.groupsOf.forEach((groups, i) => {
    if (groups.length === 0) ready.push(i);
  });
  for (const group of problem.first) if (group >= 0) begin(group);
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) finish(next);
  operations.forEach(({ qubits }, index) => {
    if (done[index]) return;
    finish(index);
    const same = readyPairs.get(keyOf(qubits)) ?? [];
    for (let next = same.pop(); next !== undefined; next = same.pop()) if (!done[next]) finish(next);
  });
  return out;
}
