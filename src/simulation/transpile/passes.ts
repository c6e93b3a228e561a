import { exchangeQubits, kron, type Matrix, multiply } from "../linear-algebra/matrix.ts";
import { I } from "../linear-algebra/one-qubit.ts";
import { mapBodies, type Operation, onPlaces, type TwoQubitOperation } from "./operation.ts";
import { SWAP_MATRIX } from "./route-operations.ts";
import { AXIS, axesOf, routingProblem, startProblem } from "./routing-problem.ts";
import { factorPair } from "./two-qubit-synthesis.ts";
import { mirrored, numCxOf, weylOf } from "./weyl.ts";

/** Cancels and joins gates through what commutes with them, also in statements, until nothing more is found. */
export function simplify(operations: readonly Operation[], numQubits: number): readonly Operation[] {
  return mapBodies(operations, list => {
    let current = collectBlocks(list);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const next = collectBlocks(gatherPairs(current, numQubits));
      const isSettled = next.length >= current.length;
      current = next;
      if (isSettled) break;
    }
    return current;
  });
}

const MAX_ROUNDS = 5;

/** Leaves out diagonal gates after which their qubits are measured and not used again before that. */
export function withoutDiagonalsBeforeMeasurement(operations: readonly Operation[]): Operation[] {
  const measured = new Set<number>();
  const kept: Operation[] = [];
  for (const operation of operations.toReversed()) {
    const { kind, qubits } = operation;
    const isDiagonal =
      (kind === "one-qubit" || kind === "two-qubit") &&
      axesOf(operation).every(axis => axis === AXIS.z || axis === AXIS.any);
    if (isDiagonal && qubits.every(qubit => measured.has(qubit))) continue;
    if (kind === "measure" || kind === "reset") measured.add(qubits[0]!);
    else if (kind !== "barrier") for (const qubit of qubits) measured.delete(qubit);
    kept.push(operation);
  }
  return kept.reverse();
}

/**
 * Replaces gates that need fewer native ones with a swap after them, and exchanges the qubits in what follows. Returns where
 * each qubit is in the end.
 */
export function elideSwaps(
  operations: readonly Operation[],
  numQubits: number,
): { readonly operations: readonly Operation[]; readonly finalPlaces: readonly number[] } {
  const places = Array.from({ length: numQubits }, (_, i) => i);
  const moved = operations.flatMap(operation => {
    const [placed] = onPlaces([operation], qubit => places[qubit]);
    if (placed?.kind !== "two-qubit") return placed ?? [];
    const { coordinates } = weylOf(placed.matrix);
    if (numCxOf(mirrored(coordinates)) >= numCxOf(coordinates)) return placed;
    const [a, b] = operation.qubits as readonly [number, number];
    [places[a], places[b]] = [places[b]!, places[a]!];
    return { ...placed, matrix: multiply(SWAP_MATRIX, placed.matrix) };
  });
  return { operations: moved, finalPlaces: places };
}

/**
 * Brings operations into an equivalent order in which gates of a pair of qubits follow each other wherever what is
 * between them commutes. Otherwise they keep their order: what a program does one after the other is near each other.
 */
function gatherPairs(operations: readonly Operation[], numQubits: number): Operation[] {
  const problem = routingProblem(operations, numQubits);
  const out: Operation[] = [];
  const ready: number[] = [];
  const readyPairs = new Map<number, number[]>();
  const keyOf = ([a, b]: readonly number[]) => Math.min(a!, b!) * numQubits + Math.max(a!, b!);
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
  const complete = startProblem(problem, add);
  const finish = (first: number) => {
    for (let index: number | undefined = first; index !== undefined; index = ready.pop()) {
      done[index] = 1;
      out.push(operations[index]!);
      complete(index);
    }
  };
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) finish(next);
  operations.forEach(({ qubits }, index) => {
    if (done[index]) return;
    finish(index);
    const same = readyPairs.get(keyOf(qubits)) ?? [];
    for (let next = same.pop(); next !== undefined; next = same.pop()) if (!done[next]) finish(next);
  });
  return out;
}

/** Two-qubit gates of one pair, and what is between them. */
interface Block {
  readonly pair: readonly [number, number];
  readonly first: TwoQubitOperation;
  count: number;
  matrix: Matrix;
}

/**
 * Joins the two-qubit gates of a pair that nothing comes between to one, with the one-qubit gates among them; one-qubit
 * gates that meet are joined too. What comes to a product becomes one-qubit gates; what comes to the identity is left out.
 */
function collectBlocks(operations: readonly Operation[]): Operation[] {
  const out: Operation[] = [];
  const open = new Map<number, Block>();
  /** One-qubit gates after the last gate of their qubit. */
  const loose = new Map<number, Matrix>();

  const close = (qubit: number) => {
    const block = open.get(qubit);
    if (block) {
      const { pair, first, count, matrix } = block;
      const locals = numCxOf(weylOf(matrix).coordinates) === 0 ? factorPair(matrix) : null;
      if (!locals) out.push(count === 1 ? first : { ...first, qubits: pair, matrix });
      pair.forEach((own, i) => {
        open.delete(own);
        const tail = loose.get(own);
        if (locals) loose.set(own, tail ? multiply(tail, locals[i]!) : locals[i]!);
      });
    }
    const matrix = loose.get(qubit);
    if (matrix && !isIdentity2(matrix)) out.push({ kind: "one-qubit", qubits: [qubit], matrix });
    loose.delete(qubit);
  };

  for (const operation of operations) {
    if (operation.kind === "one-qubit") {
      const [qubit] = operation.qubits;
      const before = loose.get(qubit);
      loose.set(qubit, before ? multiply(operation.matrix, before) : operation.matrix);
      continue;
    }
    if (operation.kind !== "two-qubit") {
      for (const qubit of operation.qubits) close(qubit);
      out.push(operation);
      continue;
    }
    const [a, b] = operation.qubits;
    const block = open.get(a);
    if (block && block === open.get(b)) {
      const matrix = block.pair[0] === a ? operation.matrix : exchangeQubits(operation.matrix);
      const [p, q] = block.pair.map(qubit => loose.get(qubit));
      if (p || q) block.matrix = multiply(kron(p ?? I, q ?? I), block.matrix);
      block.matrix = multiply(matrix, block.matrix);
      for (const qubit of block.pair) loose.delete(qubit);
      block.count++;
      continue;
    }
    close(a);
    close(b);
    const opened: Block = { pair: [a, b], first: operation, count: 1, matrix: operation.matrix };
    open.set(a, opened);
    open.set(b, opened);
  }
  for (const qubit of [...open.keys()]) close(qubit);
  for (const qubit of [...loose.keys()]) close(qubit);
  return out;
}

/** Whether a one-qubit unitary is the identity but for a phase. */
const isIdentity2 = (m: Matrix): boolean =>
  Math.hypot(m[2]!, m[3]!) < 1e-10 && Math.hypot(m[0]! - m[6]!, m[1]! - m[7]!) < 1e-10;
