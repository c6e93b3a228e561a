import { kron, type Matrix, multiply } from "../linear-algebra/matrix.ts";
import { I, X, Y, Z } from "../linear-algebra/one-qubit.ts";
import { remembered } from "../memoized.ts";
import { isClassical, type Operation } from "./operation.ts";

/** The Pauli axis about which a gate turns a qubit, so it commutes with what turns it about the same. */
export const AXIS = { none: 0, x: 1, y: 2, z: 3, any: 4 } as const;

const PAULIS = [X, Y, Z];
const TOLERANCE = 1e-9;

const ON_FIRST = PAULIS.map(pauli => kron(pauli, I));
const ON_SECOND = PAULIS.map(pauli => kron(I, pauli));
const known = new WeakMap<Float64Array, readonly number[]>();

/** Returns the axis of an operation for each of its qubits. */
export function axesOf(operation: Operation): readonly number[] {
  if (operation.kind !== "one-qubit" && operation.kind !== "two-qubit")
    return operation.qubits.map(() => AXIS.none);
  const { matrix } = operation;
  return remembered(known, matrix, () =>
    operation.kind === "one-qubit"
      ? [axisOf(matrix, PAULIS)]
      : [axisOf(matrix, ON_FIRST), axisOf(matrix, ON_SECOND)],
  );
}

/** Whether two axes let their gates commute. */
export const canShare = (a: number, b: number): boolean =>
  a !== AXIS.none && b !== AXIS.none && (a === b || a === AXIS.any || b === AXIS.any);

/** Returns the one Pauli axis whose operator commutes with a unitary. */
function axisOf(m: Matrix, paulis: readonly Matrix[]): number {
  const commuting = paulis.flatMap((pauli, i) => (commute(m, pauli) ? [i] : []));
  return commuting.length === 3 ? AXIS.any : commuting.length === 1 ? commuting[0]! + 1 : AXIS.none;
}

function commute(a: Matrix, b: Matrix): boolean {
  const [left, right] = [multiply(a, b), multiply(b, a)];
  return left.every((value, i) => Math.abs(value - right[i]!) < TOLERANCE);
}

/**
 * Operations and the order that they have to keep. On each wire, a qubit or the classical memory, operations that
 * commute are in one group; a group begins when the one before is done.
 */
export interface RoutingProblem {
  readonly operations: readonly Operation[];
  readonly numWires: number;
  /** The groups of operation `i`, one a wire. */
  readonly groupsOf: readonly (readonly number[])[];
  /** The operations of each group, and the group that follows on its wire, or -1. */
  readonly members: readonly (readonly number[])[];
  readonly following: readonly number[];
  /** The first group of each wire, or -1. */
  readonly first: readonly number[];
  /** Two-qubit operations in the order of their layers: those that can be done soonest first. */
  readonly pairs: readonly number[];
  /** The qubits of each two-qubit operation; -1 for any other. */
  readonly firstQubits: Int32Array;
  readonly secondQubits: Int32Array;
}

/** Returns the operations to route; if `keepsOrder` is true, operations that commute keep their order too. */
export function routingProblem(
  operations: readonly Operation[],
  numQubits: number,
  keepsOrder = false,
): RoutingProblem {
  const numWires = numQubits + 1;
  const groupsOf: number[][] = [];
  const members: number[][] = [];
  const following: number[] = [];
  const axes: number[] = [];
  const first = new Array<number>(numWires).fill(-1);
  const last = new Array<number>(numWires).fill(-1);
  const depths: number[] = [];
  const groupDepths: number[] = [];
  const startDepths: number[] = [];
  operations.forEach((operation, i) => {
    const own = keepsOrder ? [] : axesOf(operation);
    const wires: (readonly [number, number])[] = operation.qubits.map((qubit, place) => [
      qubit,
      own[place] ?? AXIS.none,
    ]);
    if (isClassical(operation)) wires.push([numQubits, AXIS.none]);
    let depth = 0;
    groupsOf.push(
      wires.map(([wire, axis]) => {
        let group = last[wire]!;
        if (group < 0 || !canShare(axes[group]!, axis)) {
          const next = members.push([]) - 1;
          following.push(-1);
          axes.push(axis);
          startDepths.push(group < 0 ? 0 : groupDepths[group]!);
          groupDepths.push(startDepths[next]!);
          if (group < 0) first[wire] = next;
          else following[group] = next;
          last[wire] = next;
          group = next;
        } else if (axes[group] === AXIS.any) axes[group] = axis;
        members[group]!.push(i);
        depth = Math.max(depth, startDepths[group]!);
        return group;
      }),
    );
    if (operation.kind === "two-qubit") depth++;
    depths.push(depth);
    for (const group of groupsOf[i]!) groupDepths[group] = Math.max(groupDepths[group]!, depth);
  });
  const pairs = operations.flatMap(({ kind }, i) => (kind === "two-qubit" ? [i] : []));
  pairs.sort((a, b) => depths[a]! - depths[b]! || a - b);
  const qubitsAt = (place: number) =>
    Int32Array.from(operations, ({ kind, qubits }) => (kind === "two-qubit" ? qubits[place]! : -1));
  return {
    ...{ operations, numWires, groupsOf, members, following, first, pairs },
    firstQubits: qubitsAt(0),
    secondQubits: qubitsAt(1),
  };
}

/**
 * Begins a problem: calls back for each operation when those before it are done, at once for the first ones. Returns
 * a function that takes note that an operation is done.
 */
export function startProblem(
  { groupsOf, members, following, first }: RoutingProblem,
  ready: (operation: number) => void,
): (operation: number) => void {
  const pending = Int32Array.from(groupsOf, groups => groups.length);
  const left = Int32Array.from(members, list => list.length);
  const begin = (group: number) => {
    if (group >= 0)
      for (const operation of members[group]!) if (--pending[operation]! === 0) ready(operation);
  };
  groupsOf.forEach((groups, operation) => {
    if (groups.length === 0) ready(operation);
  });
  first.forEach(begin);
  return operation => {
    for (const group of groupsOf[operation]!) if (--left[group]! === 0) begin(following[group]!);
  };
}
