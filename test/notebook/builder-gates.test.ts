import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { circuits, type ProgramBuilder, program, type QasmProgram, qasm } from "../../src/index.ts";

const { PI } = Math;
type Entry = { re: number; im: number };

/** Returns the largest distance of entries of two matrices. */
const distance = (a: Entry[][], b: Entry[][]) =>
  Math.max(...a.flatMap((row, i) => row.map((x, k) => Math.hypot(x.re - b[i]![k]!.re, x.im - b[i]![k]!.im))));
const real = (...rows: number[][]) => rows.map(row => row.map(re => ({ re, im: 0 })));

describe("gates that OpenQASM has no name for", () => {
  test.each<[string, (q: ProgramBuilder) => unknown, (q: ProgramBuilder) => unknown]>([
    ["rzz", q => q.rzz(0.7, 0, 1), q => q.cx(0, 1).rz(0.7, 1).cx(0, 1)],
    ["ryy", q => q.ryy(0.7, 0, 1), q => q.sdg([0, 1]).rxx(0.7, 0, 1).s([0, 1])],
    ["rzx", q => q.rzx(0.7, 0, 1), q => q.h(0).rxx(0.7, 0, 1).h(0)],
    ["iswap", q => q.iswap(0, 1), q => q.rxx(-PI / 2, 0, 1).ryy(-PI / 2, 0, 1)],
    ["cs", q => q.cs(0, 1), q => q.cp(PI / 2, 0, 1)],
    ["csdg", q => q.csdg(0, 1), q => q.cp(-PI / 2, 0, 1)],
    ["csx twice", q => q.csx(0, 1).csx(0, 1), q => q.cx(0, 1)],
    ["ccz", q => q.ccz(0, 1, 2), q => q.h(2).ccx(0, 1, 2).h(2)],
    [
      "cu",
      q => q.cu(0.1, 0.2, 0.3, 0.4, 0, 1),
      q => q.p(0.25, 0).crz(0.3, 0, 1).cry(0.1, 0, 1).crz(0.2, 0, 1).p(0.4, 0),
    ],
  ])("%s does what its definition says, and stays itself when it is edited and printed", (_, one, other) => {
    const [made, wanted] = [program(3, one), program(3, other)];
    expect(qasm(String(made)).counterexample(wanted)).toBeNull();
    expect(distance(made.unitary(), wanted.unitary())).toBeLessThan(1e-9);
    expect(made.counterexample(wanted)).toBeNull();
    expect(made.compose(made.inverse()).equals(program(3, () => {}))).toBe(true);
    expect(made.compose(made).data.match(/^gate /gm)?.length ?? 0).toBeLessThan(2);
  });

  test.each([
    ["toffoli", "ccx"],
    ["cnot", "cx"],
    ["u3", "u"],
  ])("%s is refused with the name that it has here", (given, name) => {
    const call = (q: ProgramBuilder) =>
      (q as unknown as Record<string, (...qubits: number[]) => unknown>)[given]!(0, 1, 2);
    expect(() => program(3, call)).toThrow(`${given}: this is called ${name} here.`);
  });
});

describe("a gate by its matrix", () => {
  const angles = (count: number) =>
    fc.array(fc.double({ min: -7, max: 7, noNaN: true }), { minLength: count, maxLength: count });
  const single = ([a, b, c, d]: readonly number[]) => program(1, q => q.u(a!, b!, c!, 0).gphase(d!));
  const double = (g: readonly number[]) =>
    program(2, q => {
      for (let k = 0; k < 4; k++)
        q.u(g[6 * k]!, g[6 * k + 1]!, g[6 * k + 2]!, 0)
          .u(g[6 * k + 3]!, g[6 * k + 4]!, g[6 * k + 5]!, 1)
          .cx(k % 2, 1 - (k % 2));
      q.gphase(g[0]!);
    });
  const agrees = (wanted: QasmProgram, qubits: number[], within = 1e-9) => {
    const count = qubits.length;
    const made = program(count, q => q.unitary(wanted.unitary(), qubits));
    const placed = program(count, q => q.apply(wanted, qubits));
    expect(distance(made.unitary(), placed.unitary())).toBeLessThan(within);
    expect(distance(made.controlled().unitary(), placed.controlled().unitary())).toBeLessThan(within);
  };

  test("is that matrix to 1e-9, with its phase, for random unitaries on one and two qubits", () => {
    fc.assert(
      fc.property(angles(4), given => agrees(single(given), [0])),
      { numRuns: 60 },
    );
    fc.assert(
      fc.property(angles(24), fc.boolean(), (given, turned) =>
        agrees(double(given), turned ? [1, 0] : [0, 1]),
      ),
      {
        numRuns: 60,
      },
    );
  }, 60_000);

  test.each<[string, Record<number, number>]>([
    ["-2.7e-9", { 12: -2.6528631534969685e-9 }],
    [
      "1.3e-9 among others",
      { 11: 0.3196922699958341, 16: 6.984285425563656, 18: 6.7089905996682875, 21: 1.3110619297345432e-9 },
    ],
  ])("is that matrix to 1e-11 for an angle of %s", (_, given) => {
    agrees(double(Array.from({ length: 24 }, (_, i) => given[i] ?? 0)), [0, 1], 1e-11);
  });

  test("is that matrix for well-known gates, with at most three CNOTs", () => {
    const cases: [QasmProgram, number][] = [
      [program(2, () => {}), 0],
      [program(2, q => q.h(0).t(1)), 0],
      [program(2, q => q.cx(0, 1)), 1],
      [program(2, q => q.cp(0.3, 0, 1)), 2],
      [program(2, q => q.iswap(0, 1)), 2],
      [program(2, q => q.swap(0, 1)), 3],
    ];
    for (const [wanted, most] of cases) {
      agrees(wanted, [0, 1]);
      const made = program(2, q => q.unitary(wanted.unitary(), [0, 1]));
      expect(made.twoQubitGates).toBeLessThanOrEqual(most);
      expect(made.data).not.toContain("U(0.0, 0.0, 0.0)");
    }
    agrees(circuits.qft(3), [2, 0, 1]);
  }, 60_000);

  test("acts on several qubits by lists, and may have rounded entries", () => {
    const h = [
      [0.71, 0.71],
      [0.71, -0.71],
    ];
    const made = program(3, q => q.unitary(h, [0, 2]));
    expect(distance(made.unitary(), program(3, q => q.h([0, 2])).unitary())).toBeLessThan(1e-9);
  });

  test.each<[string, unknown, unknown, string]>([
    ["a matrix that is not unitary", real([1, 1], [0, 1]), 0, "unitary(): the matrix is not unitary"],
    [
      "not a number",
      [
        [1, 0],
        [0, Number.NaN],
      ],
      0,
      "entry [1][1] is not a complex number",
    ],
    ["no matrix", undefined, 0, "must be a list of 2^n rows"],
    ["three rows", real([1, 0, 0], [0, 1, 0], [0, 0, 1]), [0, 1], "must be a list of 2^n rows"],
    ["too few qubits", program(2, () => {}).unitary(), [1], "the gate acts on 2 qubits"],
    ["equal qubits", program(2, () => {}).unitary(), [1, 1], "a gate acts on different qubits"],
    ["a qubit beyond", real([1, 0], [0, 1]), 3, "3 is not a qubit"],
    ["too many qubits", program(6, () => {}).unitary(), [0, 1, 2, 3, 4, 5], "at most 5 qubits"],
  ])("is refused for %s", (_, matrix, qubits, message) => {
    expect(() => program(3, q => q.unitary(matrix as never, qubits as never))).toThrow(message);
  });
});

describe("inputs that no gate uses", () => {
  const idle = program({ qubits: 1, inputs: ["theta", "phi"] }, q => q.ry("phi", 0));

  test.each<[string, QasmProgram]>([
    ["on", idle.on([1])],
    ["compose", program(1, q => q.h(0)).compose(idle)],
    ["apply", program(1, q => q.apply(idle))],
    ["inverse", idle.inverse()],
    ["power", idle.power(3)],
    ["controlled", idle.controlled()],
    ["measureAll", idle.measureAll()],
  ])("are kept by %s", (_, made) => {
    expect(made.data.match(/^input float (theta|phi);$/gm)).toHaveLength(2);
    expect(made.assign({ theta: 1, phi: 0.5 }).data).not.toContain("input float");
  });

  test("are one input of two programs, and have a name of their own", () => {
    expect(idle.compose(idle).data.match(/input/g)).toHaveLength(2);
    for (const name of ["x", "q", "pi", "a; x", "if"])
      expect(() => program({ qubits: 1, inputs: [name] }, () => {})).toThrow(
        "cannot be the name of an input",
      );
    expect(() => program({ qubits: 1, inputs: ["a", "a"] }, () => {})).toThrow("cannot be the name");
  });

  test("are refused as arrays, which cannot be kept open", () => {
    const text = qasm.text(`input array[float[64], 2] a; qubit[1] q; U(a[0], 0, a[1]) q[0];`);
    expect(() => text.on([1])).toThrow(
      "on: The input a, an array, needs a value. Give it one with assign().",
    );
    expect(text.assign({ a: [1, 2] }).on([1]).width).toBe(2);
  });
});

test("QAOA has one layer by default, and says how it is called", () => {
  const edges = [
    [0, 1],
    [1, 2],
  ] as const;
  expect(circuits.qaoa(3, edges).data).toBe(circuits.qaoa(3, edges, 1).data);
  expect(() => circuits.qaoa(edges as never, 1 as never)).toThrow(
    "circuits.qaoa: qubits must be a whole number",
  );
  expect(() => circuits.qaoa(3, 2 as never)).toThrow("as in circuits.qaoa(3, [[0, 1], [1, 2]])");
});
