import {
  type Circuit,
  derivedSeed,
  type Gate,
  type GateCall,
  namedGate,
  replaceGates,
  unitaryOf,
} from "../../simulation/index.ts";

/** A Pauli matrix on two qubits: bit i of `x` is set for X and Y on qubit i, of `z` for Z and Y. */
interface PauliPair {
  readonly x: number;
  readonly z: number;
}

const PAIRS = Array.from({ length: 16 }, (_, i): PauliPair => ({ x: i >> 2, z: i & 3 }));
/** Name of a Pauli matrix by its bits, x + 2z. */
const NAMES = ["id", "x", "z", "y"];
/** Stream of the seeds of twirled gates. */
const STREAM = 41;

/**
 * Returns a circuit with random Pauli gates before each two-qubit gate, and those after it that undo them but for a phase. It
 * does the same without noise. On average over seeds, the noise of these gates is a mixture of Pauli errors.
 */
export function twirlGates(circuit: Circuit, seed: number): Circuit {
  const known = new Map<string, readonly [PauliPair, PauliPair][]>();
  let count = 0;
  return replaceGates(circuit, {
    known(call) {
      if (call.gate.numQubits !== 2) return [call];
      const key = `${call.gate.name} ${call.params}`;
      const pairs = known.get(key) ?? twirlsOf(call.gate, call.params);
      known.set(key, pairs);
      const draw = derivedSeed(seed, count++, STREAM) / 2 ** 53;
      const [before, after] = pairs[Math.floor(draw * pairs.length)]!;
      return [...pauliCalls(before, call), call, ...pauliCalls(after, call)];
    },
  });
}

function pauliCalls({ x, z }: PauliPair, { qubits }: GateCall): GateCall[] {
  return qubits.flatMap((qubit, place) => {
    const bits = ((x >> place) & 1) + 2 * ((z >> place) & 1);
    return bits ? [{ gate: namedGate(NAMES[bits]!)!, params: [], qubits: [qubit] }] : [];
  });
}

/** Lists the Pauli matrices that a gate U turns into others, P and Q with U P = ± Q U. */
function twirlsOf(gate: Gate, params: readonly number[]): [PauliPair, PauliPair][] {
  const matrix = unitaryOf(gate, params);
  return PAIRS.flatMap(before =>
    PAIRS.filter(after => Math.abs(overlapOf(matrix, before, after)) > 1 - 1e-12).map(
      (after): [PauliPair, PauliPair] => [before, after],
    ),
  );
}

/** Returns the real trace of U P U⁻¹ Q, a quarter of it: ± 1 where Q is what U turns P into. */
function overlapOf(matrix: ArrayLike<number>, before: PauliPair, after: PauliPair): number {
  let total = 0;
  for (let row = 0; row < 4; row++)
    for (let column = 0; column < 4; column++) {
      // Q maps the row, and P the column, to one of other bits with a phase i^quarters.
      const [p, q] = [2 * (4 * row + column), 2 * (4 * (row ^ after.x) + (column ^ before.x))];
      const quarters = phaseOf(before, column ^ before.x) + phaseOf(after, row);
      const [re, im] = [
        matrix[p]! * matrix[q]! + matrix[p + 1]! * matrix[q + 1]!,
        matrix[p + 1]! * matrix[q]! - matrix[p]! * matrix[q + 1]!,
      ];
      total += [re, -im, -re, im][quarters % 4]!;
    }
  return total / 4;
}

/** Returns the phase, in quarters of a turn, that a Pauli matrix gives a basis state. */
function phaseOf({ x, z }: PauliPair, state: number): number {
  const ones = (bits: number) => (bits & 1) + (bits >> 1);
  return ones(x & z) + 2 * ones(z & state);
}
