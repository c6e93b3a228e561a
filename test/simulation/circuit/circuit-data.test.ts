import { readdirSync, readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import {
  type Circuit,
  circuitData,
  circuitFromJson,
  circuitHash,
  circuitOf,
  circuitToJson,
  compile,
  drawText,
  printCompiled,
  simulate,
  toQir,
} from "../../../src/simulation/index.ts";

const HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n';
const circuit = (body: string) => compile({ format: "qasm3", data: HEAD + body });

const CORPUS = new URL("../../corpus/valid/", import.meta.url);
const programs = readdirSync(CORPUS).map(name => {
  const data = readFileSync(new URL(name, CORPUS), "utf8");
  const format = data.includes("OPENQASM 2") ? ("qasm2" as const) : ("qasm3" as const);
  return [name, compile({ format, data }, { openInputs: true })] as const;
});
const attempt = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
};
const seen = (of: Circuit) => ({
  text: attempt(() => drawText(of)),
  printed: attempt(() => printCompiled(of, { method: "statevector" })),
  qir: attempt(() => toQir(of)),
  depth: of.depth(),
  gates: of.gateCounts(),
  result: attempt(() => simulate(of, { shots: 50, seed: 3, memory: true })),
});

describe("a circuit as data", () => {
  test.each(programs)("is cloned and written as JSON without a change: %s", (_, original) => {
    const expected = seen(original);
    expect(seen(circuitOf(structuredClone(circuitData(original))))).toEqual(expected);
    expect(seen(circuitFromJson(circuitToJson(original)))).toEqual(expected);
  });

  test("keeps modified, powered and controlled gates of its own, and QIR's graphs", () => {
    const original = circuit(`gate turn(a) x, y { rx(a / 2) x; pow(0.5) @ cx x, y; inv @ rz(a) y; }
qubit[3] q; bit[3] c; float t = 0.7;
turn(0.3) q[0], q[1]; ctrl @ turn(0.2) q[2], q[0], q[1]; pow(1 / 3) @ turn(1) q[0], q[1]; pow(t) @ rx(t) q[2];
negctrl(2) @ U(0.1, 0.2, 0.3) q[0], q[1], q[2]; c = measure q; if (c[0]) { x q[1]; } c[1] = measure q[1];`);
    for (const of of [
      original,
      compile({
        format: "qir.ll",
        data: toQir(circuit("qubit q; bit c; h q; c = measure q; if (c) { x q; } c = measure q;")),
      }),
    ])
      expect(seen(circuitFromJson(circuitToJson(of)))).toEqual(seen(of));
  });

  test("goes to a worker as it is", async () => {
    const original = circuit(
      "qubit[2] q; bit[2] c; h q[0]; for int i in [0:0] { cx q[i], q[i + 1]; } c = measure q;",
    );
    const index = new URL("../../../src/simulation/index.ts", import.meta.url).href;
    const code = `const { parentPort, workerData } = require("node:worker_threads");
import(${JSON.stringify(index)}).then(({ circuitOf, simulate }) =>
  parentPort.postMessage(simulate(circuitOf(workerData), { shots: 100, seed: 1 }).measurementCounts));`;
    const worker = new Worker(code, { eval: true, workerData: circuitData(original) });
    const counts = await new Promise((resolve, reject) => {
      worker.on("message", resolve).on("error", reject);
    });
    expect(counts).toEqual(simulate(original, { shots: 100, seed: 1 }).measurementCounts);
  });

  test("keeps loops as loops, and what it computes as expressions", () => {
    const { body, operations } = circuit("qubit[4] q; for int i in [0:999999] { rx(i / 7) q[i % 4]; }").parts;
    expect(operations.length).toBe(0);
    expect(
      JSON.stringify(circuitToJson(circuit("qubit[4] q; for int i in [0:999999] { rx(i / 7) q[i % 4]; }")))
        .length,
    ).toBeLessThan(10_000);
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

  test("has a hash that depends on what is done, not on how it is laid out", () => {
    const hash = (body: string) => circuitHash(circuit(body));
    const first = hash("qubit[2] q; bit c; h q[0]; c = measure q[0]; if (c) { x q[1]; }");
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(
      hash("// as above\nqubit[2] q;\nbit c;\nh   q[0];\nc = measure q[0];\nif (c == true)\n{ x q[1]; }"),
    ).not.toBe(first);
    expect(
      hash("// as above\nqubit[2] q;\nbit c;\nh   q[0];\nc = measure q[0];\nif (c)\n{\n  x q[1];\n}"),
    ).toBe(first);
    expect(hash("qubit[2] q; bit c; h q[0]; c = measure q[0]; if (c) { x q[0]; }")).not.toBe(first);
    expect(hash("qubit[2] q; bit c; h q[0]; c = measure q[0]; if (!c) { x q[1]; }")).not.toBe(first);
  });
});
