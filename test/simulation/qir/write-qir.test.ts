import { describe, expect, test } from "vitest";
import {
  compile,
  compileQir,
  drawText,
  printCompiled,
  simulate,
  toQir,
} from "../../../src/simulation/index.ts";
import { HEAD } from "../run.ts";
import { exact } from "./exact-qir.ts";

describe("a circuit written as QIR", () => {
  const GATES =
    "h q; rx(0.3) q[0]; u3(0.1, 0.2, 0.3) q[1]; ctrl @ ry(0.7) q[0], q[1]; cp(0.4) q[1], q[2]; ctrl(3) @ h q[0], q[1], q[2], q[3]; negctrl @ ctrl @ s q[3], q[1], q[0]; cswap q[0], q[1], q[2]; crz(0.9) q[2], q[3]; ctrl(2) @ gphase(1.3) q[1], q[3]; sx q[2]; ccx q[0], q[2], q[3];";

  test("gives the same outcomes when it is read again", () => {
    const circuit = compile({
      format: "qasm3",
      data: `${HEAD}qubit[4] q; bit[2] a; bit[2] b; ${GATES} h q; a = measure q[0:1]; b = measure q[2:3];`,
    });
    const expected = simulate(circuit, { shots: 0 }).measurementProbabilities!;
    const text = toQir(circuit);
    expect(text).toContain('"qir_profiles"="base_profile"');
    const found = simulate(compileQir(text), { shots: 0 }).measurementProbabilities!;
    for (const [key, p] of Object.entries(expected)) expect(found[key.replace(" ", "")]).toBeCloseTo(p, 10);
  });

  test("names the adaptive profile where a qubit is used after its measurement", () => {
    const data = `${HEAD}qubit q; bit[2] c; h q; c[0] = measure q; reset q; x q; c[1] = measure q;`;
    const text = toQir(compile({ format: "qasm3", data }));
    expect(text).toContain('"qir_profiles"="adaptive_profile"');
    expect(exact(text)).toEqual({ "10": 0.5, "11": 0.5 });
  });

  const dynamic = [
    "c = measure q[0:1]; if (c == 3) { x q[2]; } else { h q[2]; }",
    "for int i in [0:2] { rx(i * pi / 5) q[i]; bit m = measure q[i]; if (m) { reset q[i]; h q[i]; } }",
    "int n = 0; for int i in [0:1] { c[i] = measure q[i]; if (c[i]) { n += 1; } } switch (n) { case 1 { x q[2]; } default { y q[2]; } }",
    "def flip(qubit a, bit b) { if (b) { x a; } } c = measure q[0:1]; for int i in [0:1] { flip(q[i], c[i]); }",
    "c[0] = measure q[0]; for int i in [0:5] { if (c[0]) { h q[0]; c[0] = measure q[0]; } }",
    "bit[12] m; for int i in [0:11] { m[i] = measure q[i % 3]; if (m[i]) { for int k in [0:2] { h q[k]; } } }",
  ];

  test.each(dynamic)("branches by measured values and writes loops out: %s", body => {
    const data = `${HEAD}qubit[3] q; bit[2] c; bit[3] all; h q; cx q[0], q[1]; ${body} all = measure q;`;
    const circuit = compile({ format: "qasm3", data });
    const expected = simulate(circuit, { shots: 0 }).measurementProbabilities!;
    const text = toQir(circuit);
    expect(text).toContain('"qir_profiles"="adaptive_profile"');
    const read = compileQir(text);
    const printed = compile({ format: "qasm3", data: printCompiled(read, { method: "statevector" }) });
    for (const again of [read, printed]) {
      const found = simulate(again, { shots: 0 }).measurementProbabilities!;
      expect(Object.keys(found)).toHaveLength(Object.keys(expected).length);
      for (const [key, p] of Object.entries(expected))
        expect(found[key.replaceAll(" ", "")]).toBeCloseTo(p, 9);
    }
  });

  test("says where it leads back, and does so once it is read and printed", () => {
    const data = `${HEAD}qubit[2] q; bit c; h q[0]; c = measure q[0]; while (c) { x q[1]; h q[0]; c = measure q[0]; } c = measure q[1];`;
    const text = toQir(compile({ format: "qasm3", data }));
    expect(text).toContain("backwards_branching");
    const printed = printCompiled(compileQir(text), { method: "statevector" });
    for (const again of [compileQir(text), compile({ format: "qasm3", data: printed })]) {
      const { measurementCounts } = simulate(again, { shots: 3000, seed: 5 });
      expect(measurementCounts["1"]! / 3000).toBeGreaterThan(0.28);
      expect(measurementCounts["1"]! / 3000).toBeLessThan(0.39);
    }
  });

  test.each([
    ["what it has set itself is a result", "qubit q; bit[2] c; c[0] = measure q; c[1] = 1;", /set itself/],
    [
      "there are too many courses",
      "qubit q; int n = 0; for int i in [0:20] { h q; bit m = measure q; if (m) { n += 2 ** i; } } rx(n) q;",
      /too many choices/,
    ],
  ])("is refused where %s", (_, body, message) => {
    expect(() => toQir(compile({ format: "qasm3", data: HEAD + body }))).toThrow(message);
  });

  test("draws its branches as conditions", () => {
    const data = `${HEAD}qubit[2] q; bit c; h q[0]; c = measure q[0]; if (c) { x q[1]; }`;
    const text = drawText(compileQir(toQir(compile({ format: "qasm3", data }))));
    expect(text).toContain("if c[0]");
  });
});
