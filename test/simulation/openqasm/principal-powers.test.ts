import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  adjoint,
  apply,
  type Complex,
  controlled,
  H,
  identity,
  kron,
  type Matrix,
  multiply,
  rotation,
  turn,
  X,
  Y,
} from "../reference.ts";
import { HEAD, run } from "../run.ts";

const principal = (angle: number) => {
  const turned = Math.atan2(Math.sin(angle), Math.cos(angle));
  return turned < -Math.PI + 1e-9 ? Math.PI : turned;
};

/** A change of basis of two qubits, as text with its inverse, and as a matrix; the first qubit is the highest bit. */
const BASES: readonly { text: string; inverse: string; matrix: Matrix }[] = [
  { text: "", inverse: "", matrix: identity(4) },
  { text: "h a; ry(0.3) b;", inverse: "ry(-0.3) b; h a;", matrix: kron(H, rotation(Y, 0.3)) },
  {
    text: "rx(0.7) a; cx a, b; h b;",
    inverse: "h b; cx a, b; rx(-0.7) a;",
    matrix: multiply(kron(identity(2), H), multiply(controlled(X), kron(rotation(X, 0.7), identity(2)))),
  },
];

const START = "qubit[3] q; bit c; ry(0.4) q[0]; ry(1.1) q[1]; rx(0.9) q[2]; cx q[0], q[2];";
const angle = fc.oneof(
  fc.double({ min: -12, max: 12, noNaN: true }),
  fc.constantFrom(Math.PI, -Math.PI, 3 * Math.PI, 5, 0),
);
const exponent = fc.oneof(
  fc.constantFrom(0.5, -0.5, 1 / 3, 1.5, -2.25),
  fc.double({ min: -3, max: 3, noNaN: true }),
);

/** Returns the amplitudes of a program, and those that it starts from. */
const amplitudes = (body: string): Complex[] => {
  const { statevector } = run(HEAD + body, { shots: 0, statevector: true });
  return Array.from({ length: 8 }, (_, i) => [statevector![2 * i]!, statevector![2 * i + 1]!]);
};
const expectEqual = (found: readonly Complex[], expected: readonly Complex[]) => {
  found.forEach(([re, im], i) => {
    expect(Math.hypot(re - expected[i]![0], im - expected[i]![1])).toBeLessThan(1e-6);
  });
};

describe("a fractional power", () => {
  test("is the principal one of the whole unitary, however the gate is defined", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...BASES),
        fc.tuple(angle, angle, angle, angle),
        exponent,
        fc.boolean(),
        ({ text, inverse, matrix }, [s, t, u, v], k, isInverse) => {
          // The eigenphases, whose sums may leave (-π, π] although no step does; distance from the branch cut is kept.
          const sign = isInverse ? -1 : 1;
          const phases = [s, s + t, s + u, s + t + u + v].map(sum => sign * sum);
          fc.pre(
            phases.every(sum => Math.abs(Math.PI - Math.abs(principal(sum))) > 1e-6 || Number.isInteger(k)),
          );
          const program = `gate g a, b { ${inverse} gphase(${s}); p(${u}) a; p(${t}) b; cp(${v}) a, b; ${text} }
            ${START} pow(${k}) @ ${isInverse ? "inv @ " : ""}g q[0], q[1];`;
          const diagonal = phases.map((sum, i) =>
            phases.map((_, j): Complex => (i === j ? turn(k * principal(sum)) : [0, 0])),
          );
          const power = multiply(matrix, multiply(diagonal, adjoint(matrix)));
          expectEqual(amplitudes(program), apply(amplitudes(START), power, [0, 1]));
        },
      ),
      { numRuns: 150, seed: 9 },
    );
  });

  test.each([
    ["p(5.0)", "gate g a { p(5.0) a; }"],
    ["p(5.0)", "gate g a { p(2) a; p(3) a; }"],
    ["p(5.0)", "gate g a { gphase(2.5); rz(5.0) a; }"],
    ["p(5.0)", "gate f(t) a { ctrl @ gphase(t) a; } gate g a { f(5) a; }"],
    ["p(pi)", "gate g a { s a; s a; }"],
    ["rz(5.0)", "gate g a { h a; rx(5.0) a; h a; }"],
    ["inv @ p(2.5)", "gate g a { p(-2.5) a; }"],
  ])("of %s is that of %s", (call, definition) => {
    for (const k of [0.5, -0.7, 1.3])
      for (const controls of ["", "ctrl @ ", "negctrl @ "]) {
        const on = controls ? "q[2], q[0]" : "q[0]";
        const expected = amplitudes(`${START} ${controls}pow(${k}) @ ${call} ${on};`);
        expectEqual(amplitudes(`${definition} ${START} ${controls}pow(${k}) @ g ${on};`), expected);
        expectEqual(amplitudes(`${definition} ${START} pow(${k}) @ ${controls}g ${on};`), expected);
      }
  });

  test("of a phase of the whole state is the principal one", () => {
    const [re, im] = amplitudes("qubit[3] q; bit c; pow(0.5) @ gphase(5.0);")[0]!;
    const [x, y] = turn(principal(5) / 2);
    expect([re, im]).toEqual([expect.closeTo(x, 9), expect.closeTo(y, 9)]);
  });

  test("of a power is taken of what the power is", () => {
    const expected = amplitudes(`${START} pow(0.5) @ p(${principal(6)}) q[0];`);
    expectEqual(amplitudes(`${START} pow(0.5) @ pow(2) @ p(3) q[0];`), expected);
    expectEqual(amplitudes(`gate g a { p(1) a; p(2) a; } ${START} pow(0.5) @ pow(2) @ g q[0];`), expected);
  });

  test("of a diagonal gate on many qubits is refused where its phases may leave the branch", () => {
    const gate = (angle: number) =>
      `gate g a, b, c, d, e, f { ${["a", "b", "c", "d", "e", "f"].map(qubit => `p(${angle}) ${qubit};`).join(" ")} }
       qubit[6] q; bit c; pow(0.5) @ g q[0], q[1], q[2], q[3], q[4], q[5];`;
    expect(() => run(HEAD + gate(0.5), { shots: 0 })).not.toThrow();
    expect(() => run(HEAD + gate(0.6), { shots: 0 })).toThrow(/out of reach/);
  });
});
