import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  type Circuit,
  compile,
  drawText,
  foldGates,
  inverseOf,
  replaceGates,
  simulate,
  simulateNoisy,
  toQir,
  uniformNoise,
} from "../../../src/simulation/index.ts";

const HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n';
const circuit = (body: string) => compile({ format: "qasm3", data: HEAD + body });
const exact = (of: Circuit) =>
  Object.fromEntries(
    Object.entries(simulate(of, { shots: 0 }).measurementProbabilities!).map(([key, p]) => [
      key,
      p.toFixed(9),
    ]),
  );

const CORPUS = new URL("../../corpus/valid/", import.meta.url);
const programs = readdirSync(CORPUS).map(name => {
  const data = readFileSync(new URL(name, CORPUS), "utf8");
  return [
    name,
    { format: data.includes("OPENQASM 2") ? ("qasm2" as const) : ("qasm3" as const), data },
  ] as const;
});

const FLOW = `qubit[3] q; bit[3] c; int n = 0;
for int i in [0:2] { ry(0.3 * i + 0.1) q[i]; cx q[i], q[(i + 1) % 3]; n += i; }
c[0] = measure q[0];
if (c[0]) { rx(n * 0.2) q[1]; } else { h q[2]; }
pow(n / 4) @ x q[2]; c[1:2] = measure q[1:2];`;

describe("circuits made of others", () => {
  test.each(programs)("fold gates without a change of what comes out: %s", (_, program) => {
    const original = compile(program);
    const run = (of: Circuit) => {
      const { measurementCounts } = simulate(of, { shots: 200, seed: 4 });
      return measurementCounts;
    };
    expect(Object.keys(run(foldGates(original, 1))).sort()).toEqual(Object.keys(run(original)).sort());
  });

  test("fold in loops and branches, computed calls too, and loops stay loops", () => {
    const original = circuit(FLOW);
    const folded = foldGates(original, 2);
    expect(exact(folded)).toEqual(exact(original));
    expect(exact(compile({ format: "qir.ll", data: toQir(folded) }))).toEqual(exact(original));
    expect(drawText(folded)).toContain("for i in 0…2 ×3");
    expect(folded.gateCounts()).toMatchObject({ ry: 3, "inv @ ry": 2, measure: 3 });
  });

  test("err more under noise the more is folded, where it is", () => {
    const original = circuit("qubit[2] q; bit[2] c; x q[0]; cx q[0], q[1]; c = measure q;");
    const channels = [{ channel: "depolarizing", probability: 0.02 }] as const;
    const noise = uniformNoise(
      { oneQubit: [], twoQubit: channels, readout: { zeroGivenOne: 0, oneGivenZero: 0 } },
      2,
    );
    const right = (of: Circuit) => simulateNoisy(of, noise, { shots: 0 }).measurementProbabilities!["11"]!;
    const [once, thrice] = [right(original), right(foldGates(original, 1, gate => gate.numQubits === 2))];
    expect(1 - thrice).toBeGreaterThan(2.5 * (1 - once));
    expect(right(foldGates(original, 1, gate => gate.numQubits === 1))).toBeCloseTo(once, 12);
  });

  test("replace and insert gates, with the places in the source of what was there", () => {
    const original = circuit("qubit[2] q; bit[2] c; h q[0]; swap q[0], q[1]; c = measure q;");
    const { gates } = circuit("qubit[2] q; cx q[0], q[1];").parts;
    const replaced = replaceGates(original, {
      known(call) {
        if (call.gate.name !== "swap") return [call];
        const cx = (a: number, b: number) => ({ gate: gates[0]!, params: [], qubits: [a, b] });
        const [a, b] = call.qubits as [number, number];
        return [cx(a, b), cx(b, a), ...inverseOf(cx(a, b))];
      },
    });
    expect(exact(replaced)).toEqual(exact(original));
    expect(replaced.gateCounts()).toEqual({ h: 1, cx: 3, measure: 2 });
    const { operations, source } = replaced.parts;
    const place = Array.from(operations.offsets, (at, i) => source!.data.slice(at, operations.ends[i]));
    expect(place.slice(1, 4)).toEqual(new Array(3).fill("swap q[0], q[1];"));
  });
});
