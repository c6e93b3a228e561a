/** Programs to simulate, in OpenQASM 2, which the peers read as well. */

type Random = () => number;

/** Gives numbers of [0, 1) that are the same in each run. */
function generator(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const program = (numQubits: number, body: readonly string[]): string =>
  [
    'OPENQASM 2.0;\ninclude "qelib1.inc";',
    `qreg q[${numQubits}];\ncreg c[${numQubits}];`,
    ...body,
    "measure q -> c;",
  ].join("\n");

const each = <T>(numQubits: number, line: (i: number) => T): T[] =>
  Array.from({ length: numQubits }, (_, i) => line(i));

/** A random circuit: layers of random one-qubit rotations and CZ on the pairs of a grid, its four directions in turn. */
export function randomCircuit(numQubits: number, depth = 20): string {
  const random = generator(numQubits);
  const width = Math.ceil(Math.sqrt(numQubits));
  const body: string[] = [];
  for (let layer = 0; layer < depth; layer++) {
    body.push(...each(numQubits, i => `u3(${random() * 3},${random() * 6},${random() * 6}) q[${i}];`));
    const [step, parity] = [layer % 2 ? width : 1, (layer >> 1) % 2];
    for (let i = 0; i + step < numQubits; i++) {
      const [column, row] = [i % width, Math.floor(i / width)];
      if (step === 1 && column === width - 1) continue;
      if ((step === 1 ? column : row) % 2 === parity) body.push(`cz q[${i}],q[${i + step}];`);
    }
  }
  return program(numQubits, body);
}

const fourier = (numQubits: number): string[] =>
  each(numQubits, i => i)
    .reverse()
    .flatMap(i => [`h q[${i}];`, ...each(i, j => `cu1(${Math.PI / 2 ** (i - j)}) q[${j}],q[${i}];`)]);

/** The quantum Fourier transform of a state in which every amplitude counts. */
export function fourierTransform(numQubits: number): string {
  const random = generator(numQubits);
  return program(numQubits, [
    ...each(numQubits, i => `u3(${random() * 3},${random() * 6},0) q[${i}];`),
    ...each(numQubits - 1, i => `cz q[${i}],q[${i + 1}];`),
    ...fourier(numQubits),
  ]);
}

/** The quantum Fourier transform of zeros, which is a product state. */
export const fourierOfZeros = (numQubits: number): string => program(numQubits, fourier(numQubits));

/** A GHZ state. */
export const ghz = (numQubits: number): string =>
  program(numQubits, ["h q[0];", ...each(numQubits - 1, i => `cx q[${i}],q[${i + 1}];`)]);

/** A GHZ state whose qubits are then all turned, so that every amplitude counts. */
export const turnedGhz = (numQubits: number): string =>
  program(numQubits, [
    "h q[0];",
    ...each(numQubits - 1, i => `cx q[${i}],q[${i + 1}];`),
    ...each(numQubits, i => `ry(0.3) q[${i}];`),
  ]);

/** A hardware-efficient ansatz: layers of RY, RZ and a chain of CX. */
export function ansatz(numQubits: number, layers = 8): string {
  const random = generator(numQubits);
  return program(
    numQubits,
    Array.from({ length: layers }, () => [
      ...each(numQubits, i => `ry(${random() * 6}) q[${i}];\nrz(${random() * 6}) q[${i}];`),
      ...each(numQubits - 1, i => `cx q[${i}],q[${i + 1}];`),
    ]).flat(),
  );
}

/** Ten steps of Grover's search; OpenQASM 3, as its oracle has a control on all qubits but one. */
export function grover(numQubits: number, steps = 10): string {
  const all = each(numQubits, i => `q[${i}]`).join(", ");
  const flip = `ctrl(${numQubits - 1}) @ z ${all};`;
  return [
    'OPENQASM 3.0;\ninclude "stdgates.inc";',
    `qubit[${numQubits}] q;\nbit[${numQubits}] c;\nh q;`,
    ...Array.from({ length: steps }, () => `${flip}\nh q; x q;\n${flip}\nx q; h q;`),
    "c = measure q;",
  ].join("\n");
}

/** A random Clifford circuit: layers of one-qubit gates and as many CX as half the qubits. */
export function cliffordCircuit(numQubits: number, layers = 10): string {
  const random = generator(numQubits);
  const pick = (count: number) => Math.floor(random() * count);
  return program(
    numQubits,
    Array.from({ length: layers }, () => [
      ...each(numQubits, i => `${["h", "s", "x", "sdg"][pick(4)]} q[${i}];`),
      ...each(numQubits >> 1, () => {
        const a = pick(numQubits);
        return `cx q[${a}],q[${(a + 1 + pick(numQubits - 1)) % numQubits}];`;
      }),
    ]).flat(),
  );
}
