/** A gate, by its name in qelib1.inc, or `mcz`, a Z with controls on all of its qubits but one. */
export interface BenchGate {
  readonly name: string;
  readonly params: readonly number[];
  readonly qubits: readonly number[];
}

/** A circuit in which all qubits are measured in the end. */
export interface BenchCircuit {
  readonly numQubits: number;
  readonly gates: readonly BenchGate[];
}

type Random = () => number;

/** Returns numbers of [0, 1) that are the same in each run. */
function generator(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const gate = (name: string, qubits: readonly number[], params: readonly number[] = []): BenchGate => ({
  name,
  params,
  qubits,
});

const each = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const chain = (name: string, numQubits: number): BenchGate[] =>
  each(numQubits - 1, i => gate(name, [i, i + 1]));

/** A random circuit: layers of random one-qubit rotations and CZ on the pairs of a grid, its four directions in turn. */
export function randomCircuit(numQubits: number, depth = 20): BenchCircuit {
  const random = generator(numQubits);
  const width = Math.ceil(Math.sqrt(numQubits));
  const gates: BenchGate[] = [];
  for (let layer = 0; layer < depth; layer++) {
    gates.push(...each(numQubits, i => gate("u3", [i], [random() * 3, random() * 6, random() * 6])));
    const [step, parity] = [layer % 2 ? width : 1, (layer >> 1) % 2];
    for (let i = 0; i + step < numQubits; i++) {
      const [column, row] = [i % width, Math.floor(i / width)];
      if (step === 1 && column === width - 1) continue;
      if ((step === 1 ? column : row) % 2 === parity) gates.push(gate("cz", [i, i + step]));
    }
  }
  return { numQubits, gates };
}

const fourier = (numQubits: number): BenchGate[] =>
  each(numQubits, i => i)
    .reverse()
    .flatMap(i => [gate("h", [i]), ...each(i, j => gate("cu1", [j, i], [Math.PI / 2 ** (i - j)]))]);

/** The quantum Fourier transform of a state in which every amplitude counts. */
export function fourierTransform(numQubits: number): BenchCircuit {
  const random = generator(numQubits);
  const dense = each(numQubits, i => gate("u3", [i], [random() * 3, random() * 6, 0]));
  return { numQubits, gates: [...dense, ...chain("cz", numQubits), ...fourier(numQubits)] };
}

/** The quantum Fourier transform of zeros, which is a product state. */
export const fourierOfZeros = (numQubits: number): BenchCircuit => ({ numQubits, gates: fourier(numQubits) });

/** A GHZ state. */
export const ghz = (numQubits: number): BenchCircuit => ({
  numQubits,
  gates: [gate("h", [0]), ...chain("cx", numQubits)],
});

/** A GHZ state whose qubits are then all turned, so that every amplitude counts. */
export const turnedGhz = (numQubits: number): BenchCircuit => ({
  numQubits,
  gates: [...ghz(numQubits).gates, ...each(numQubits, i => gate("ry", [i], [0.3]))],
});

/** A hardware-efficient ansatz: layers of RY, RZ and a chain of CX. */
export function ansatz(numQubits: number, layers = 8): BenchCircuit {
  const random = generator(numQubits);
  const layer = () => [
    ...each(numQubits, i => [gate("ry", [i], [random() * 6]), gate("rz", [i], [random() * 6])]).flat(),
    ...chain("cx", numQubits),
  ];
  return { numQubits, gates: each(layers, layer).flat() };
}

/** Ten steps of Grover's search. */
export function grover(numQubits: number, steps = 10): BenchCircuit {
  const all = each(numQubits, i => i);
  const flip = gate("mcz", all);
  const every = (name: string) => all.map(i => gate(name, [i]));
  const step = () => [flip, ...every("h"), ...every("x"), flip, ...every("x"), ...every("h")];
  return { numQubits, gates: [...every("h"), ...each(steps, step).flat()] };
}

/** A random Clifford circuit: layers of one-qubit gates and as many CX as half the qubits. */
export function cliffordCircuit(numQubits: number, layers = 10): BenchCircuit {
  const random = generator(numQubits);
  const pick = (count: number) => Math.floor(random() * count);
  const layer = () => [
    ...each(numQubits, i => gate(["h", "s", "x", "sdg"][pick(4)]!, [i])),
    ...each(numQubits >> 1, () => {
      const a = pick(numQubits);
      return gate("cx", [a, (a + 1 + pick(numQubits - 1)) % numQubits]);
    }),
  ];
  return { numQubits, gates: each(layers, layer).flat() };
}
