import { adjoint, innerProduct, kron, multiply } from "../linear-algebra/matrix.ts";
import { derivedSeed } from "../sampling/philox.ts";
import type { Circuit } from "./circuit.ts";
import type { Gate } from "./gate.ts";
import { standardGate } from "./standard.ts";
import { type GateCall, replaceGates } from "./transform.ts";
import { unitaryOf } from "./unitary.ts";

/** Pauli gates by number, and their products on two qubits: the first qubit's number plus 4 times the second one's. */
const PAULIS = ["id", "x", "z", "y"].map(name => standardGate(name)!);
const PAIRS = PAULIS.flatMap(second =>
  PAULIS.map(first => kron(unitaryOf(first, []), unitaryOf(second, []))),
);
/** Stream of the seeds of twirled gates. */
const STREAM = 41;

/**
 * Returns a circuit with random Pauli gates before each two-qubit gate, and those after it that undo them but for a phase. It
 * does the same without noise. On average over seeds, the noise of these gates is a mixture of Pauli errors. Barriers enclose
 * each gate and its Pauli gates, so these make qubits idle as long in a folded gate as in its inverse. After the last gate of a
 * qubit there is none, as its Pauli gates then follow its idling, and its relaxation averages out, too.
 *
 * @param copy - Number of the copy, from 0. In four copies with one seed, each qubit of a gate gets each Pauli matrix once, so
 *   most errors that are not mixtures cancel in these few already.
 */
export function twirlGates(circuit: Circuit, seed: number, copy = 0): Circuit {
  const known = new Map<string, readonly (readonly [before: number, after: number])[]>();
  let count = 0;
  /** For each qubit, the number of its two-qubit gates that are to follow. */
  const left: number[] = [];
  const counted = (call: GateCall, change: 1 | -1) => {
    if (call.gate.numQubits === 2) for (const qubit of call.qubits) left[qubit] = (left[qubit] ?? 0) + change;
    return [call];
  };
  replaceGates(circuit, { known: call => counted(call, 1) });
  return replaceGates(circuit, {
    known(call) {
      counted(call, -1);
      if (call.gate.numQubits !== 2) return [call];
      const key = `${call.gate.name} ${call.params}`;
      const pairs = known.get(key) ?? twirlsOf(call.gate, call.params);
      known.set(key, pairs);
      const draw = Math.floor((derivedSeed(seed, count++, STREAM) / 2 ** 53) * 48);
      // The second qubit's Pauli matrices follow in another order, turned by 0 to 2 places.
      const second = copy % 4 && 1 + (((copy % 4) + (draw >> 4)) % 3);
      const place = (draw & 15) ^ ((copy % 4) + 4 * second);
      const [before, after] = pairs[place % pairs.length]!;
      const barrier = { qubits: call.qubits };
      const end = call.qubits.every(qubit => left[qubit]! > 0) ? [barrier] : [];
      return [barrier, ...pauliCalls(before, call), call, ...pauliCalls(after, call), ...end];
    },
  });
}

const pauliCalls = (pair: number, { qubits }: GateCall): GateCall[] =>
  qubits.flatMap((qubit, place) => {
    const pauli = (pair >> (2 * place)) & 3;
    return pauli ? [{ gate: PAULIS[pauli]!, params: [], qubits: [qubit] }] : [];
  });

/** Lists the Pauli matrices that a gate U turns into others, P and Q with U P U† = ± Q. */
function twirlsOf(gate: Gate, params: readonly number[]) {
  const matrix = unitaryOf(gate, params);
  return PAIRS.flatMap((p, before) => {
    const turned = multiply(multiply(matrix, p), adjoint(matrix));
    const after = PAIRS.findIndex(q => 1 - Math.hypot(...innerProduct(q, turned)) / 4 < 1e-12);
    return after < 0 ? [] : [[before, after] as const];
  });
}
