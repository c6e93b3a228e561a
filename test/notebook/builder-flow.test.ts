import fc from "fast-check";
import { expect, test } from "vitest";
import { type ProgramBuilder, program, qasm } from "../../src/index.ts";
import { countsOf } from "./program-counts.ts";

const HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n';
const METHODS = ["statevector", "sparse", "matrix product state"] as const;
const CLIFFORD_METHODS = [...METHODS, "stabilizer", "extended stabilizer"] as const;

/** An operation by both faces: what the builder is told, and the text that a person writes. */
interface Both {
  readonly build: (q: ProgramBuilder) => unknown;
  readonly text: string;
}

const all = (items: readonly Both[]): Both => ({
  build: q => {
    for (const item of items) item.build(q);
  },
  text: items.map(({ text }) => text).join(""),
});
const place = fc.nat(2);
const flip = fc.constantFrom("x", "h", "s", "z" as const);

const gate: fc.Arbitrary<Both> = fc.oneof(
  fc.tuple(flip, place).map(([name, k]) => ({
    build: (q: ProgramBuilder) => q[name as "x"](k),
    text: `${name} q[${k}];\n`,
  })),
  fc
    .tuple(place, place)
    .filter(([a, b]) => a !== b)
    .map(([a, b]) => ({
      build: (q: ProgramBuilder) => q.cx(a, b),
      text: `cx q[${a}], q[${b}];\n`,
    })),
);
const turn: fc.Arbitrary<Both> = fc.tuple(fc.constantFrom("rx", "ry" as const), place).map(([name, k]) => ({
  build: q => q[name as "rx"]("2 * theta", k),
  text: `${name}(2 * theta) q[${k}];\n`,
}));
const measure: fc.Arbitrary<Both> = place.map(k => ({
  build: q => q.measure(k),
  text: `c[${k}] = measure q[${k}];\n`,
}));
const reset: fc.Arbitrary<Both> = place.map(k => ({ build: q => q.reset(k), text: `reset q[${k}];\n` }));

const block = (operation: fc.Arbitrary<Both>, depth: number): fc.Arbitrary<Both> => {
  const simple = fc.oneof(operation, measure, reset);
  if (depth === 0) return fc.array(simple, { minLength: 1, maxLength: 3 }).map(all);
  const body = block(operation, depth - 1);
  const test = fc.oneof(
    fc.record({ bit: place, is: fc.constantFrom(0, 1 as const) }).map(condition => ({
      condition: condition as { bit: number; is: 0 | 1 },
      text: `c[${condition.bit}] == ${condition.is}`,
    })),
    fc.nat(7).map(value => ({ condition: { value }, text: `c == ${value}` })),
    fc.tuple(place, fc.integer({ min: 1, max: 2 }), fc.nat(3)).map(([a, on, value]) => ({
      condition: { bits: [a, (a + on) % 3], value },
      // With `&&` the text would draw other numbers.
      text: `c[{${a}, ${(a + on) % 3}}] == ${value}`,
    })),
  );
  const branch = fc.tuple(test, body, body).map(
    ([{ condition, text }, then, otherwise]): Both => ({
      build: q => q.if(condition, then.build, otherwise.build),
      text: `if (${text}) {\n${then.text}} else {\n${otherwise.text}}\n`,
    }),
  );
  // The loop ends, as its last operation sets the bit that it reads.
  const loop = fc.tuple(place, body).map(
    ([k, inner]): Both => ({
      build: q =>
        q.while({ bit: k, is: 1 }, b => {
          inner.build(b);
          b.reset(k).measure(k);
        }),
      text: `while (c[${k}] == 1) {\n${inner.text}reset q[${k}];\nc[${k}] = measure q[${k}];\n}\n`,
    }),
  );
  const repeated = fc.tuple(fc.integer({ min: 1, max: 3 }), body).map(
    ([times, inner]): Both => ({
      build: q => q.repeat(times, inner.build),
      text: `for int i in [1:${times}] {\n${inner.text}}\n`,
    }),
  );
  return fc.array(fc.oneof(simple, branch, loop, repeated), { minLength: 1, maxLength: 4 }).map(all);
};

const size = { qubits: 3, bits: 3, inputs: ["theta"] };
const written = (text: string) =>
  qasm
    .text(`${HEAD}input float theta;\nqubit[3] q;\nbit[3] c;\n${text}c = measure q;\n`)
    .assign({ theta: 0.4 });
const built = (both: Both) =>
  program(size, q => {
    both.build(q);
    q.measureAll();
  }).assign({ theta: 0.4 });

const agree = (operation: fc.Arbitrary<Both>, methods: readonly (typeof CLIFFORD_METHODS)[number][]) =>
  fc.property(block(operation, 2), both => {
    const [one, other] = [built(both), written(both.text)];
    for (const method of methods) expect(countsOf(one, method), method).toEqual(countsOf(other, method));
  });

test("programs with branches, loops, resets and inputs run as their text does, in every method", () => {
  fc.assert(agree(gate, CLIFFORD_METHODS), { numRuns: 40 });
  fc.assert(agree(fc.oneof(gate, turn), METHODS), { numRuns: 40 });
}, 120_000);
