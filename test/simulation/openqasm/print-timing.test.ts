import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Circuit,
  compile,
  printCompiled,
  scheduleCircuit,
  simulate,
  transpile,
} from "../../../src/simulation/index.ts";
import { figuresOf } from "../schedule/devices.ts";
import { TARGETS } from "../transpile/devices.ts";

const perth = figuresOf("perth");
const program = (body: string) =>
  compile({ format: "qasm3", data: `OPENQASM 3.0; include "stdgates.inc"; qubit[3] q; bit[3] c; ${body}` });
const printed = (circuit: Circuit) => printCompiled(circuit, { method: "transpiled" });
const again = (circuit: Circuit) => compile({ format: "qasm3", data: printed(circuit) });

const at = fc.integer({ min: 0, max: 2 });
const gate = fc.oneof(
  at.map(qubit => `h q[${qubit}];`),
  at.map(qubit => `cx q[${qubit}], q[${(qubit + 1) % 3}];`),
  at.map(qubit => `c[${qubit}] = measure q[${qubit}];`),
  at.map(qubit => `reset q[${qubit}];`),
  fc.constant("barrier q;"),
);
const delay = fc
  .tuple(fc.double({ min: 0, max: 5000, noNaN: true }), fc.constantFrom("", " q[0]", " q[1], q[2]", " q"))
  .map(([nanoseconds, operands]) => `delay[${nanoseconds}ns]${operands};`);
const { statements } = fc.letrec<{ statements: string; statement: string }>(tie => ({
  statements: fc.array(tie("statement"), { maxLength: 6 }).map(lines => lines.join(" ")),
  statement: fc.oneof(
    { maxDepth: 3 },
    gate,
    delay,
    fc.array(fc.oneof(gate, delay), { maxLength: 6 }).map(lines => `box[40us] { ${lines.join(" ")} }`),
    tie("statements").map(body => `box { ${body} }`),
    tie("statements").map(body => `for int i in [0:1] { delay[(i + 1) * 30ns] q[i]; ${body} }`),
  ),
}));

describe("a compiled program that is printed", () => {
  test("keeps delays and boxes: it has the same schedule", () => {
    fc.assert(
      fc.property(statements, fc.constantFrom(0, 1, 2, 3), (body, optimizationLevel) => {
        const own = program(`${body} c = measure q;`);
        const { circuit } = transpile(own, TARGETS.perth!, { optimizationLevel });
        expect(scheduleCircuit(again(circuit), perth)).toEqual(scheduleCircuit(circuit, perth));
      }),
      { numRuns: 100 },
    );
  });

  test("keeps them in what measurements decide", () => {
    const own = program(
      "h q[0]; c[0] = measure q[0]; while (!c[0]) { box { h q[0]; delay[70ns] q[0]; } c[0] = measure q[0]; } if (c[0]) { delay[2us] q[1]; } c[1] = measure q[1];",
    );
    const { circuit } = transpile(own, TARGETS.perth!);
    expect(printed(circuit).match(/box|while|if|delay\[.*?\]/g)).toEqual([
      "while",
      "box",
      "delay[70ns]",
      "if",
      "delay[2000ns]",
    ]);
    expect(scheduleCircuit(again(circuit), perth)).toEqual(scheduleCircuit(circuit, perth));
  });

  test.each(["garnet", "forte"])("writes loops on %s that OpenQASM has to say in other words", name => {
    const own = program(
      "int n = 0; h q[0]; c[0] = measure q[0]; while (c[0] && n < 5) { n += 1; h q[0]; c[0] = measure q[0]; } rx(n * 0.9) q[1]; c[1] = measure q[1];",
    );
    const [before, after] = [own, again(transpile(own, TARGETS[name]!).circuit)].map(
      circuit => simulate(circuit, { shots: 0 }).measurementProbabilities!,
    );
    for (const [key, probability] of Object.entries(before!)) expect(after![key]).toBeCloseTo(probability, 9);
  });

  test("closes the boxes that a jump leaves", () => {
    const own = program("for int i in [0:1] { box { x q[i]; if (i == 1) break; } } c = measure q;");
    expect(simulate(again(own), { shots: 0 }).measurementProbabilities).toEqual({ "011": expect.closeTo(1) });
  });
});
