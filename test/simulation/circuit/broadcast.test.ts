import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "../../../src/simulation/index.ts";
import { HEAD } from "../run.ts";

const WIDTH = 20;
const each = (line: (i: number) => string) => Array.from({ length: WIDTH }, (_, i) => line(i)).join(" ");

/** Statements, and the same with an operation for each qubit. */
const STATEMENTS: readonly [statement: string, writtenOut: string][] = [
  ["h q;", each(i => `h q[${i}];`)],
  ["cx q, r;", each(i => `cx q[${i}], r[${i}];`)],
  ["cp(0.5) q[3], r;", each(i => `cp(0.5) q[3], r[${i}];`)],
  ["x q[0:15];", each(i => (i < 16 ? `x q[${i}];` : ""))],
  ["rx(0.25) q[2:3];", "rx(0.25) q[2]; rx(0.25) q[3];"],
  ["reset r;", each(i => `reset r[${i}];`)],
  ["c = measure q;", each(i => `c[${i}] = measure q[${i}];`)],
  ["measure r;", each(i => `measure r[${i}];`)],
  ["u3(1, 2, 3) q[7];", "u3(1, 2, 3) q[7];"],
  ["f(q[1]);", "x q[1]; h q[1];"],
  ["g(r);", `x r[0]; ${each(i => `h r[${i}];`)} y r[1];`],
];

const columnsOf = (lines: readonly string[]) => {
  const subroutines = `def f(qubit a) { x a; h a; } def g(qubit[${WIDTH}] a) { x a[0]; h a; y a[1]; }`;
  const data = `${HEAD}${subroutines} qubit[${WIDTH}] q; qubit[${WIDTH}] r; bit[${WIDTH}] c; ${lines.join("\n")}`;
  const { operations, gates } = compile({ format: "qasm3", data }).parts;
  const { length, kinds, operandStarts, operands, paramStarts, params } = operations;
  return Array.from({ length }, (_, i) => ({
    kind: kinds[i],
    gate: kinds[i] === 0 ? gates[operations.gates[i]!]!.name : null,
    operands: [...operands.subarray(operandStarts[i], operandStarts[i + 1])],
    params: [...params.subarray(paramStarts[i], paramStarts[i + 1])],
  }));
};

test("broadcasts and calls come to the operations of each of their qubits, in their order", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...STATEMENTS), { maxLength: 12 }), statements => {
      const short = columnsOf(statements.map(([statement]) => statement));
      expect(short).toEqual(columnsOf(statements.map(([, writtenOut]) => writtenOut)));
    }),
    { numRuns: 60 },
  );
});
