import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Statement } from "../../../src/simulation/circuit/statement.ts";
import { compile, simulate } from "../../../src/simulation/index.ts";
import { CompactList } from "../../../src/simulation/lists/compact-list.ts";
import { parse } from "../../../src/simulation/openqasm/syntax/parse.ts";
import { HEAD } from "../run.ts";

const value = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.bigInt(),
  fc.boolean(),
  fc.constantFrom(null, undefined, "x", "a longer label", new Map([[1, 2]])),
  fc.array(fc.nat({ max: 20 }), { maxLength: 12 }),
);
const statement = fc.record(
  {
    kind: fc.constantFrom("assign", "store"),
    label: fc.constantFrom("a", "b"),
    value: fc.record(
      { kind: fc.constantFrom("constant", "slot"), type: fc.constantFrom(null), value },
      { noNullPrototype: true },
    ),
    parts: fc.array(value, { maxLength: 3 }),
    range: fc.tuple(fc.nat(), fc.nat()),
  },
  { requiredKeys: ["kind", "value"], noNullPrototype: true },
) as fc.Arbitrary<unknown> as fc.Arbitrary<Statement>;

test("statements that are kept compactly are read as they were added, each time", () => {
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 200 }), statements => {
      const compact = new CompactList<Statement>({ keys: new Set(["kind", "type"]), shared: new WeakSet() });
      compact.add(statements);
      expect(compact.length).toBe(statements.length);
      expect([...compact]).toStrictEqual(statements);
      expect([...compact]).toStrictEqual(statements);
    }),
  );
});

test("what statements share stays one object in all of them", () => {
  const body: Statement[] = [{ kind: "return" }];
  const compact = new CompactList<Statement>({ keys: new Set(["kind"]), shared: new WeakSet([body]) });
  compact.add([1, 2].map(label => ({ kind: "subroutine", label: `f${label}`, body, frame: null })));
  for (const one of compact) expect(one.kind === "subroutine" && one.body).toBe(body);
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

test("a call that is written out takes few bytes", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const count = 20_000;
  const data = `${CALLS}${calls(count).join("\n")}`;
  collect();
  const before = process.memoryUsage();
  const circuit = compile({ format: "qasm3", data });
  collect();
  const after = process.memoryUsage();
  const bytes = after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers;
  expect(bytes / count).toBeLessThan(400);
  expect(circuit.parts.body.length).toBeGreaterThan(count);
});

/** Returns how many bytes the tree of a program takes for each of its lines. */
function bytesOfTree(lines: readonly string[]): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const data = `qubit[9] q; int n; if (n == 1) {\n${lines.join("\n")}\n}`;
  collect();
  const before = process.memoryUsage();
  const { statements } = parse({ format: "qasm3", data });
  collect();
  const after = process.memoryUsage();
  expect(statements).toHaveLength(3);
  return (after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers) / lines.length;
}

test.each<[string, line: (i: number) => string, bytes: number]>([
  ["of one shape", i => `cx q[${i % 8}], q[8];`, 150],
  ["of twenty shapes in turn", i => `n = ${"n + ".repeat(i % 20)}${i};`, 700],
  ["of a shape each", i => `n = ${i.toString(2).replace(/0/g, "-").replace(/1/g, "~")}n;`, 2500],
])("the statements of a long body take few bytes as they are read: those %s", (_, line, bytes) => {
  expect(bytesOfTree(Array.from({ length: 10_000 }, (__, i) => line(i)))).toBeLessThan(bytes);
});

test("a loop in a long body that is never left needs no return after it", () => {
  const before = Array.from({ length: 600 }, (_, i) => `n += ${i};`).join(" ");
  const loop = "while (on) { return n; }";
  const data = `${HEAD}bit c; const bool on = true; def f() -> int { int n; ${before} ${loop} } int m = f();`;
  const { outputs } = simulate(compile({ format: "qasm3", data }), { shots: 1, memory: true });
  expect(outputs![0]!.m).toEqual((600 * 599) / 2);
});
