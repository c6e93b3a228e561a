import { describe, expect, test } from "vitest";
import { compile } from "../../../src/simulation/index.ts";

const HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n';
const circuit = (body: string) => compile({ format: "qasm3", data: HEAD + body });

describe("a circuit as data", () => {
  test("keeps loops as loops, and what it computes as expressions", () => {
    const { body, operations } = circuit("qubit[4] q; for int i in [0:999999] { rx(i / 7) q[i % 4]; }").parts;
    expect(operations.length).toBe(0);
    const kinds = (statements: typeof body): string[] =>
      statements.flatMap(statement => [
        statement.kind,
        ...("body" in statement ? kinds(statement.body) : []),
      ]);
    expect(kinds(body)).toEqual(["scope", "for", "assign", "gate"]);
  });

  test("knows where in the source each operation and statement stands", () => {
    const data = `${HEAD}qubit[2] q; bit c;
h q[0];
while (c) {
  cx q[0],
    q[1];
  c = measure q[0];
}`;
    const { operations, body } = compile({ format: "qasm3", data }).parts;
    const texts = Array.from(operations.offsets, (at, i) => data.slice(at, operations.ends[i]));
    expect(texts).toEqual(["h q[0];", "cx q[0],\n    q[1];", "c = measure q[0];"]);
    const loop = [...body].find(({ kind }) => kind === "while")!;
    expect(data.slice(...loop.range!)).toMatch(/^while \(c\) \{[\s\S]*\}$/);
  });
});
