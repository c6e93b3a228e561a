import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  adjoint,
  apply,
  type Complex,
  controlled,
  distance,
  H,
  type Matrix,
  phase,
  rotation,
  SWAP,
  SX,
  X,
  Y,
  Z,
  zeros,
} from "./reference.ts";
import { HEAD, run } from "./run.ts";

const QUBITS = 5;
const MATRICES: Record<string, (angle: number) => Matrix> = {
  h: () => H,
  x: () => X,
  y: () => Y,
  s: () => phase(Math.PI / 2),
  tdg: () => phase(-Math.PI / 4),
  sx: () => SX,
  rx: angle => rotation(X, angle),
  ry: angle => rotation(Y, angle),
  rz: angle => rotation(Z, angle),
  p: phase,
  cx: () => controlled(X),
  cz: () => controlled(Z),
  ch: () => controlled(H),
  swap: () => SWAP,
  cp: angle => controlled(phase(angle)),
  ccx: () => controlled(controlled(X)),
  cswap: () => controlled(SWAP),
};

const step = fc.record({
  name: fc.constantFrom(...Object.keys(MATRICES)),
  angle: fc.double({ min: -7, max: 7, noNaN: true }),
  qubits: fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
  modifier: fc.constantFrom("", "", "", "inv @ ", "ctrl @ ", "negctrl @ ", "inv @ negctrl @ "),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function matrixOf({ name, angle, modifier }: Step): Matrix {
  const inner = MATRICES[name]!(angle);
  const m = modifier.startsWith("inv") ? adjoint(inner) : inner;
  return modifier.includes("negctrl") ? controlled(m, 0) : modifier.includes("ctrl") ? controlled(m) : m;
}

function lineOf(part: Step): string {
  const hasAngle = ["rx", "ry", "rz", "p", "cp"].includes(part.name);
  const operands = part.qubits.slice(0, Math.log2(matrixOf(part).length)).map(qubit => `q[${qubit}]`);
  return `${part.modifier}${part.name}${hasAngle ? `(${part.angle})` : ""} ${operands.join(", ")};\n`;
}

const stateOf = (steps: readonly Step[]): Complex[] =>
  steps.reduce<Complex[]>((state, part) => {
    const m = matrixOf(part);
    return apply(state, m, part.qubits.slice(0, Math.log2(m.length)));
  }, zeros(QUBITS));

describe("random circuits", () => {
  test("end in the state that brute-force matrices give", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), steps => {
        const program = `${HEAD}qubit[${QUBITS}] q;\n${steps.map(lineOf).join("")}`;
        const { statevector } = run(program, { shots: 0, statevector: true });
        expect(distance(stateOf(steps), statevector!)).toBeLessThan(1e-10);
      }),
      { numRuns: 150, seed: 1 },
    );
  });

  test("have the same distribution when measurements on the way are decided or put off", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 10 }), fc.array(step, { maxLength: 10 }), (first, second) => {
        const circuit = `${first.map(lineOf).join("")}m = measure q[2];\nREAD${second.map(lineOf).join("")}c = measure q;`;
        const distributionOf = (read: string) =>
          run(`${HEAD}qubit[${QUBITS}] q; bit m; bit[${QUBITS}] c;\n${circuit.replace("READ", read)}`, {
            shots: 0,
          }).measurementProbabilities!;
        const putOff = distributionOf("");
        const decided = distributionOf("int n = 0; if (m) { n = 1; }\n");
        for (const key of new Set([...Object.keys(putOff), ...Object.keys(decided)]))
          expect(putOff[key] ?? 0).toBeCloseTo(decided[key] ?? 0, 9);
      }),
      { numRuns: 60, seed: 2 },
    );
  });

  test("are undone by their inverse, as gates of their own", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), steps => {
        const body = steps
          .map(lineOf)
          .join("")
          .replaceAll(/q\[(\d)\]/g, "q$1");
        const operands = "q[0], q[1], q[2], q[3], q[4]";
        const program = `${HEAD}gate g q0, q1, q2, q3, q4 { ${body} }\nqubit[${QUBITS}] q; g ${operands}; inv @ g ${operands};`;
        expect(
          distance(zeros(QUBITS), run(program, { shots: 0, statevector: true }).statevector!),
        ).toBeLessThan(1e-10);
      }),
      { numRuns: 60, seed: 3 },
    );
  });
});
