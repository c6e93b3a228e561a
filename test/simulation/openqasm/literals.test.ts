import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "../../../src/simulation/index.ts";

/** Returns the angles of `rz` in a program, in its order. */
const anglesOf = (...texts: string[]): number[] => {
  const lines = texts.map(text => `rz(${text}) q[0];`).join("\n");
  const data = `OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[1] q;\n${lines}`;
  return [...compile({ format: "qasm3", data }).parts.operations.params];
};

const digits = (minLength: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength, maxLength: 30 });
const literal = fc
  .tuple(
    digits(1),
    fc.oneof(
      fc.constant(""),
      digits(0).map(text => `.${text}`),
    ),
    fc.oneof(
      fc.constant(""),
      fc.integer({ min: -320, max: 300 }).map(power => `e${power}`),
    ),
  )
  .map(parts => parts.join(""))
  .filter(text => Number.isFinite(Number(text)));

test("A number is read as the nearest of double precision, however many digits it has", () => {
  fc.assert(
    fc.property(fc.array(literal, { minLength: 1, maxLength: 20 }), texts => {
      expect(anglesOf(...texts)).toEqual(texts.map(Number));
    }),
  );
  const doubles = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(doubles, value => {
      expect(anglesOf(String(value))).toEqual([value]);
    }),
  );
});

test("A number is read alike alone and in an expression", () => {
  fc.assert(
    fc.property(literal, text => {
      const [alone, inParentheses] = anglesOf(text, `(${text})`);
      expect(alone).toBe(inParentheses);
    }),
  );
});
