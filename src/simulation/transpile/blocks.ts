import { exchangeQubits, kron, type Matrix, multiply } from "../linear-algebra/matrix.ts";
import { I } from "../linear-algebra/one-qubit.ts";
import { factorPair } from "./local-pair.ts";
import type { Operation, TwoQubitOperation } from "./operation.ts";
import { numCxOf } from "./weyl.ts";
import { weylOf } from "./weyl-cache.ts";

/** Two-qubit gates of one pair, and what is between them. */
interface Block {
  readonly pair: readonly [number, number];
  readonly first: TwoQubitOperation;
  count: number;
  matrix: Matrix;
  /** One-qubit gates after the last two-qubit one. */
  tails: [Matrix | null, Matrix | null];
}

/**
 * Joins the two-qubit gates of a pair that nothing comes between to one, with the one-qubit gates among them; one-qubit
 * gates that meet are joined too. What comes to a product becomes one-qubit gates; what comes to the identity is left out.
 */
export function collectBlocks(operations: readonly Operation[]): Operation[] {
  const out: Operation[] = [];
  const open = new Map<number, Block>();
  const loose = new Map<number, Matrix>();

  const flushLoose = (qubit: number) => {
    const matrix = loose.get(qubit);
    if (matrix && !isIdentity2(matrix)) out.push({ kind: "one-qubit", qubits: [qubit], matrix });
    loose.delete(qubit);
  };
  const close = (qubit: number) => {
    const block = open.get(qubit);
    if (!block) {
      flushLoose(qubit);
      return;
    }
    for (const own of block.pair) open.delete(own);
    const locals = numCxOf(weylOf(block.matrix).coordinates) === 0 ? factorPair(block.matrix) : null;
    if (!locals)
      out.push(
        block.count === 1 ? block.first : { ...block.first, qubits: block.pair, matrix: block.matrix },
      );
    block.pair.forEach((own, i) => {
      const [local, tail] = [locals?.[i], block.tails[i]];
      const matrix = local && tail ? multiply(tail, local) : (tail ?? local);
      if (matrix) loose.set(own, matrix);
    });
    flushLoose(qubit);
  };

  for (const operation of operations) {
    if (operation.kind === "one-qubit") {
      const [qubit] = operation.qubits;
      const block = open.get(qubit);
      if (block) {
        const place = block.pair[0] === qubit ? 0 : 1;
        const before = block.tails[place];
        block.tails[place] = before ? multiply(operation.matrix, before) : operation.matrix;
      } else {
        const before = loose.get(qubit);
        loose.set(qubit, before ? multiply(operation.matrix, before) : operation.matrix);
      }
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
      const [p, q] = block.tails;
      if (p || q) block.matrix = multiply(kron(p ?? I, q ?? I), block.matrix);
      block.matrix = multiply(matrix, block.matrix);
      block.tails = [null, null];
      block.count++;
      continue;
    }
    close(a);
    close(b);
    const opened: Block = {
      ...{ pair: [a, b], first: operation, count: 1, matrix: operation.matrix, tails: [null, null] },
    };
    open.set(a, opened);
    open.set(b, opened);
  }
  for (const qubit of [...open.keys()]) close(qubit);
  for (const qubit of [...loose.keys()]) flushLoose(qubit);
  return out;
}

/** Whether a one-qubit unitary is the identity but for a phase. */
export const isIdentity2 = (m: Matrix): boolean =>
  Math.hypot(m[2]!, m[3]!) < 1e-10 && Math.hypot(m[0]! - m[6]!, m[1]! - m[7]!) < 1e-10;
