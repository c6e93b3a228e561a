import fc from "fast-check";
import { expect, test } from "vitest";
import {
  apply,
  type Complex,
  controlled,
  H,
  kron,
  type Matrix,
  multiply,
  phase,
  rotation,
  SWAP,
  u,
  X,
  Y,
  Z,
  zeros,
} from "../reference.ts";
import { distribution, HEAD2 } from "../run.ts";

const QUBITS = 4;
const BITS = 3;
/** The registers of the programs: qubits a[0], a[1], b[0], b[1]; bits c[0], c[1], d[0]. */
const REGISTERS = "qreg a[2]; qreg b[2]; creg c[2]; creg d[1];\n";
const qubit = (index: number) => `${index < 2 ? "a" : "b"}[${index % 2}]`;
const bit = (index: number) => (index < 2 ? `c[${index}]` : "d[0]");

/** A state, what was measured, and how likely that is. */
interface Branch {
  readonly state: readonly Complex[];
  readonly bits: readonly number[];
}

/** A statement as the program writes it, and what it makes of a branch. */
interface Step {
  readonly text: string;
  readonly run: (branch: Branch) => Branch[];
}

/** Gates of `qelib1.inc` and those that the programs define, with their matrices. */
const GATES: Readonly<Record<string, (...angles: number[]) => Matrix>> = {
  id: () => phase(0),
  x: () => X,
  y: () => Y,
  z: () => Z,
  h: () => H,
  s: () => phase(Math.PI / 2),
  sdg: () => phase(-Math.PI / 2),
  t: () => phase(Math.PI / 4),
  tdg: () => phase(-Math.PI / 4),
  rx: a => rotation(X, a!),
  ry: a => rotation(Y, a!),
  rz: a => rotation(Z, a!),
  u1: a => phase(a!),
  u2: (a, b) => u(Math.PI / 2, a!, b!),
  u3: (a, b, c) => u(a!, b!, c!),
  U: (a, b, c) => u(a!, b!, c!),
  CX: () => controlled(X),
  cx: () => controlled(X),
  cy: () => controlled(Y),
  cz: () => controlled(Z),
  ch: () => controlled(H),
  swap: () => SWAP,
  ccx: () => controlled(controlled(X)),
  cswap: () => controlled(SWAP),
  crz: a => controlled(rotation(Z, a!)),
  cu1: a => controlled(phase(a!)),
  cu3: (a, b, c) => multiply(kron(phase((b! + c!) / 2), phase(0)), controlled(special(a!, b!, c!))),
  rzz: a => rotation(kron(Z, Z), a!),
  bell: () => multiply(controlled(X), kron(H, phase(0))),
  tilt: (a, b) => multiply(rotation(Z, -b! / 2), multiply(X, rotation(Y, a! + b! * 2 ** 2))),
};

const DEFINITIONS = `opaque secret(alpha) p, q;
gate bell p, q { h p; cx p, q; }
gate tilt(alpha, beta) p { ry(alpha + beta * 2 ^ 2) p; barrier p; x p; rz(-beta / 2) p; }
`;

/** The rotation of u3 without the phase that its control carries. */
function special(theta: number, phi: number, lambda: number): Matrix {
  return multiply(multiply(rotation(Z, phi), rotation(Y, theta)), rotation(Z, lambda));
}

const norm = (state: readonly Complex[]) => state.reduce((sum, [re, im]) => sum + re * re + im * im, 0);

/** Splits a branch by the value of a qubit. */
function split({ state, bits }: Branch, index: number): (Branch & { readonly value: number })[] {
  return [0, 1]
    .map(value => ({
      ...{ bits, value },
      state: state.map((amplitude, i): Complex => (((i >> index) & 1) === value ? amplitude : [0, 0])),
    }))
    .filter(branch => norm(branch.state) > 1e-14);
}

function measured(branch: Branch, index: number, into: number): Branch[] {
  return split(branch, index).map(({ state, bits, value }) => ({ state, bits: bits.with(into, value) }));
}

const after = (branches: Branch[], run: Step["run"]): Branch[] => branches.flatMap(run);
const angle = fc.integer({ min: -16, max: 16 });

/** A call of a gate: on single qubits, or on registers and single qubits that it is repeated over. */
const gateStep: fc.Arbitrary<Step> = fc
  .tuple(
    fc.constantFrom(...Object.keys(GATES)),
    fc.tuple(angle, angle, angle),
    fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
    fc.boolean(),
  )
  .map(([name, angles, order, isRepeated]) => {
    const make = GATES[name]!;
    const numParams = name === "U" || name === "u3" || name === "cu3" ? 3 : make.length;
    const size = Math.log2(make(1, 1, 1).length);
    const args = angles.slice(0, numParams);
    const matrix = make(...args.map(step => (step * Math.PI) / 8));
    const written = args.length > 0 ? `(${args.map(step => `${step} * pi / 8`).join(", ")})` : "";
    if (isRepeated && size <= 2) {
      const registers =
        size === 1
          ? [["b", 2]]
          : [
              ["a", 0],
              ["b", 2],
            ];
      const named = order[0]! < 2 ? registers.toReversed() : registers;
      return {
        text: `${name}${written} ${named.map(([register]) => register).join(", ")};`,
        run: ({ state, bits }) => [
          {
            bits,
            state: [0, 1].reduce<readonly Complex[]>(
              (inner, i) =>
                apply(
                  inner,
                  matrix,
                  named.map(([, first]) => (first as number) + i),
                ),
              state,
            ),
          },
        ],
      };
    }
    const operands = order.slice(0, size);
    return {
      text: `${name}${written} ${operands.map(qubit).join(", ")};`,
      run: ({ state, bits }) => [{ state: apply(state, matrix, operands), bits }],
    };
  });

const index = fc.nat(QUBITS - 1);
const otherStep: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(index, fc.nat(BITS - 1)).map(
    ([from, to]): Step => ({
      text: `measure ${qubit(from)} -> ${bit(to)};`,
      run: branch => measured(branch, from, to),
    }),
  ),
  fc.constantFrom<Step>({
    text: "measure b -> c;",
    run: branch => after(measured(branch, 2, 0), inner => measured(inner, 3, 1)),
  }),
  index.map(
    (of): Step => ({
      text: `reset ${qubit(of)};`,
      run: branch =>
        split(branch, of).map(({ state, bits, value }) => ({
          bits,
          state: value ? apply(state, X, [of]) : state,
        })),
    }),
  ),
  fc.constantFrom<Step>(
    { text: "barrier a, b[0];", run: branch => [branch] },
    { text: "barrier a, b;", run: branch => [branch] },
  ),
);

const plainStep = fc.oneof({ weight: 3, arbitrary: gateStep }, otherStep);
const anyStep = fc.oneof(
  { weight: 4, arbitrary: plainStep },
  fc
    .tuple(
      fc.nat(3),
      fc.boolean(),
      plainStep.filter(({ text }) => !text.startsWith("barrier")),
    )
    .map(
      ([value, isShort, inner]): Step => ({
        text: `if (${isShort ? "d" : "c"} == ${value}) ${inner.text}`,
        run: branch => {
          const [low, high, other] = branch.bits as [number, number, number];
          return (isShort ? other : low + 2 * high) === value ? inner.run(branch) : [branch];
        },
      }),
    ),
);

test("random programs in OpenQASM 2 have the outcomes of a state that is computed gate by gate", () => {
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 12, maxLength: 24 }), steps => {
      const expected: Record<string, number> = {};
      const start: Branch = { state: zeros(QUBITS), bits: new Array<number>(BITS).fill(0) };
      for (const { state, bits } of steps.reduce((branches, { run }) => after(branches, run), [start])) {
        const key = `${bits[2]} ${bits[1]}${bits[0]}`;
        expected[key] = (expected[key] ?? 0) + norm(state);
      }
      const found = distribution(
        `${HEAD2}${DEFINITIONS}${REGISTERS}${steps.map(({ text }) => text).join("\n")}`,
      );
      for (const key of new Set([...Object.keys(expected), ...Object.keys(found)]))
        expect(found[key] ?? 0).toBeCloseTo(expected[key] ?? 0, 9);
    }),
    { numRuns: Number(process.env.VERSION2_RUNS ?? 20), ...(process.env.VERSION2_RUNS ? {} : { seed: 2 }) },
  );
});
