import { expect, test } from "vitest";
import {
  compile,
  drawText,
  executeBranches,
  printCircuit,
  simulate,
  targetOf,
  transpile,
} from "../../../src/simulation/index.ts";
import { HEAD } from "../run.ts";

/** More than can be handed to a function as its arguments. */
const MANY = 140_000;
const PAIR = targetOf({ type: "coupling-map", qubits: 2, edges: [[0, 1]] });
const program = (body: string) =>
  compile({ format: "qasm3", data: `OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit q; bit c;\n${body}` });

test("as many arguments of a function are too many", () => {
  expect(() => Math.max(...new Array<number>(MANY).fill(0))).toThrow(RangeError);
});

test("a program may have very many results, transpiled or not", () => {
  const circuit = program(Array.from({ length: MANY }, (_, i) => `int n${i};`).join("\n"));
  expect(circuit.parts.outputs).toHaveLength(MANY + 1);
  expect(transpile(circuit, PAIR).circuit.parts.outputs).toHaveLength(MANY + 1);
});

test.each([
  ["a loop", `for int i in [0:0] {\n${"x q;\n".repeat(MANY)}}`],
  ["a subroutine", `def f(qubit a) {\n${"x a;\n".repeat(MANY)}}\nf(q);`],
])("%s may come to very many operations on a device", (_, body) => {
  expect(transpile(program(body), PAIR, { optimizationLevel: 0 }).circuit.parts.operations.length).toBe(MANY);
});

test("branches may part after very many operations", () => {
  const body = `for int i in [1:${MANY}] x q;\nh q;\nc = measure q;\nif (c) x q;`;
  const branches = executeBranches(program(body));
  expect(branches.map(({ operations }) => operations.length)).toEqual([MANY + 2, MANY + 3]);
});

test("a block of QIR may have very many values", () => {
  const sum = (_: unknown, i: number) => `%n${i + 1} = add i64 %n${i}, 1`;
  const circuit = compile({
    format: "qir.ll",
    data: `define void @main() #0 {
entry:
  %n0 = add i64 1, 1
  call void @__quantum__qis__mz__body(ptr null, ptr null)
  %b = call i1 @__quantum__qis__read_result__body(ptr null)
  br i1 %b, label %one, label %end
one:
  ${Array.from({ length: MANY }, sum).join("\n  ")}
  %angle = uitofp i64 %n${MANY} to double
  call void @__quantum__qis__rx__body(double %angle, ptr null)
  br label %end
end:
  ret void
}
attributes #0 = { "entry_point" }
`,
  });
  expect(drawText(circuit)).toContain("if");
});

/** A program that goes on to a block in each of very many cases, and else to the end. */
const manyCases = (block: string) =>
  compile({
    format: "qir.ll",
    data: `define void @main() #0 {
entry:
  switch i64 3, label %end [ ${Array.from({ length: MANY / 10 }, (_, i) => `i64 ${i}, label %${block}`).join(" ")} ]
turned:
  call void @__quantum__qis__x__body(ptr null)
  br label %end
end:
  call void @__quantum__qis__x__body(ptr null)
  ret void
}
attributes #0 = { "entry_point" "required_num_qubits"="1" }
`,
  });

test("a switch of QIR may have very many cases with nothing in them", () => {
  const circuit = manyCases("end");
  expect(drawText(circuit)).toMatch(/^q\S*.*X/m);
  expect(printCircuit(circuit)).toMatch(/^x q/m);
});

test("a switch of QIR with too many cases to be nested is drawn as one block, and not printed", () => {
  const circuit = manyCases("turned");
  expect(drawText(circuit)).toMatch(/^q\S*.*X/m);
  expect(() => printCircuit(circuit)).toThrow(/nested too deep/);
});

const CALLS = `${HEAD}qubit[8] q; bit[8] c; int s = 0;
def f(int a, int b) -> int { int k = a * b; return k + 1; }
def g(qubit a, float t) -> bit { rx(t) a; return measure a; }
`;
const calls = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    i % 2 ? `s = s + f(${i}, s) % 7;` : `c[${i % 8}] = g(q[${(3 * i) % 8}], s * ${i}.5);`,
  );

test("a program of many calls does what the same calls do within a block", () => {
  const [straight, block] = [calls(600).join("\n"), `{ ${calls(600).join("\n")} }`].map(body =>
    simulate(compile({ format: "qasm3", data: `${CALLS}${body}` }), { shots: 20, seed: 5, memory: true }),
  );
  expect(straight!.measurements).toEqual(block!.measurements);
  expect(straight!.outputs).toEqual(block!.outputs);
});

test("a loop in a long body that is never left needs no return after it", () => {
  const before = Array.from({ length: 600 }, (_, i) => `n += ${i};`).join(" ");
  const loop = "while (on) { return n; }";
  const data = `${HEAD}bit c; const bool on = true; def f() -> int { int n; ${before} ${loop} } int m = f();`;
  const { outputs } = simulate(compile({ format: "qasm3", data }), { shots: 1, memory: true });
  expect(outputs![0]!.m).toEqual((600 * 599) / 2);
});
