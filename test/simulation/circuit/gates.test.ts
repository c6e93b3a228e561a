import { describe, expect, test } from "vitest";
import {
  adjoint,
  aligned,
  apply,
  type Complex,
  controlled,
  distance,
  type Matrix,
  multiply,
  rotation,
  Y,
  Z,
  zeros,
} from "../reference.ts";
import { HEAD, HEAD2, run } from "../run.ts";
import { DEFINITIONS, modified, qelib1, stdgates } from "./gate-matrices.ts";

/** Applies a gate to a product state without symmetries, and then gives program and expected state. */
function check(head: string, register: string, call: string, m: Matrix, ignoresPhase: boolean): void {
  const numQubits = Math.log2(m.length);
  const operands = Array.from({ length: numQubits }, (_, i) => (i * 3 + 1) % numQubits);
  const order = new Set(operands).size === numQubits ? operands : operands.map((_, i) => i);
  let state: Complex[] = zeros(numQubits);
  let program = `${head}${register.replace("N", String(numQubits))}\n`;
  for (let qubit = 0; qubit < numQubits; qubit++) {
    const angles = [0.4 + qubit, 1.1 - qubit, 0.2 * qubit] as const;
    program += `rz(${angles[0]}) q[${qubit}]; ry(${angles[1]}) q[${qubit}]; rz(${angles[2]}) q[${qubit}];\n`;
    for (const [matrix, angle] of [
      [Z, angles[0]],
      [Y, angles[1]],
      [Z, angles[2]],
    ] as const)
      state = apply(state, rotation(matrix, angle), [qubit]);
  }
  state = apply(state, m, order);
  const found = run(`${program}${call} ${order.map(qubit => `q[${qubit}]`).join(", ")};`, {
    shots: 0,
    statevector: true,
  });
  expect(
    distance(ignoresPhase ? aligned(state, found.statevector!) : state, found.statevector!),
  ).toBeLessThan(1e-12);

  const basis = 2 ** numQubits - 1;
  const flips = Array.from({ length: numQubits }, (_, qubit) => `x q[${qubit}];`).join("");
  const classical = apply(
    zeros(numQubits).map((_, i): Complex => [i === basis ? 1 : 0, 0]),
    m,
    order,
  );
  const onBasis = run(
    `${head}${register.replace("N", String(numQubits))}${flips}${call} ${order.map(qubit => `q[${qubit}]`).join(", ")};`,
    {
      shots: 0,
      statevector: true,
    },
  ).statevector!;
  expect(distance(ignoresPhase ? aligned(classical, onBasis) : classical, onBasis)).toBeLessThan(1e-12);
}

describe("gates of stdgates.inc", () => {
  test.each(Object.entries(stdgates))("%s is its matrix, phase included", (call, m) => {
    check(HEAD, "qubit[N] q;", call, m, false);
  });
});

describe("gates of qelib1.inc", () => {
  test.each(Object.entries(qelib1))("%s is its matrix up to a phase", (call, m) => {
    check(HEAD2, "qreg q[N];", call, m, true);
  });
});

describe("modifiers", () => {
  test.each(Object.entries(modified))("%s is its matrix, phase included", (call, m) => {
    check(HEAD + DEFINITIONS, "qubit[N] q;", call, m, false);
  });
});

describe("every gate of stdgates.inc, with every modifier", () => {
  const cubed = (m: Matrix) => multiply(m, multiply(m, m));
  const cases = Object.entries(stdgates).flatMap(([call, m]): [string, Matrix][] => [
    [`ctrl @ ${call}`, controlled(m)],
    [`negctrl @ ${call}`, controlled(m, 0)],
    [`negctrl @ ctrl @ ${call}`, controlled(controlled(m), 0)],
    [`inv @ ${call}`, adjoint(m)],
    [`pow(3) @ ${call}`, cubed(m)],
    [`pow(-3) @ ${call}`, adjoint(cubed(m))],
    [`ctrl @ pow(3) @ ${call}`, controlled(cubed(m))],
  ]);
  test.each(cases)("%s is its matrix, phase included", (call, m) => {
    check(HEAD, "qubit[N] q;", call, m, false);
  });

  test.each(Object.entries(stdgates))("%s is its square root done twice, phase included", (call, m) => {
    const names = ["a", "b", "c"].slice(0, Math.log2(m.length)).join(", ");
    const root = `pow(1/2) @ ${call} ${names};`;
    check(`${HEAD}gate twice ${names} { ${root} ${root} }\n`, "qubit[N] q;", "twice", m, false);
  });
});
