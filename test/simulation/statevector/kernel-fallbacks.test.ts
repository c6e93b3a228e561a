import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, test, vi } from "vitest";
import { HEAD, run } from "../run.ts";

const numQubits = 18;
const layer = (i: number) =>
  `ry(${0.3 + i}) q; t q; cz q[0:16], q[1:17]; cx q[0:16], q[1:17]; crx(0.4) q[${i}], q[${17 - i}]; rz(0.2) q; ccx q[${i}], q[${i + 4}], q[${i + 9}];`;
const program = `${HEAD}qubit[${numQubits}] q; bit[6] c; h q;\n${[0, 1, 2].map(layer).join("\n")}\nc = measure q[6:11];`;

const simulation = new URL("../../../src/simulation/index.ts", import.meta.url).href;
/** Runs the program in a process of its own, with options of Node. */
const elsewhere = (options: readonly string[], settings: object): unknown => {
  const script = `import { compile, simulate } from ${JSON.stringify(simulation)};
const circuit = compile({ format: "qasm3", data: ${JSON.stringify(program)} });
process.stdout.write(JSON.stringify(simulate(circuit, ${JSON.stringify(settings)}).measurementCounts));`;
  return JSON.parse(
    execFileSync(process.execPath, [...options, "--input-type=module-typescript", "--eval", script], {
      encoding: "utf8",
    }),
  );
};

describe("the kernels", () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.resetModules();
  });

  for (const precision of ["single", "double"] as const)
    test(`give the same in an engine without relaxed SIMD, in ${precision} precision`, async () => {
      const settings = { shots: 0, method: "statevector", precision, threads: 2 } as const;
      const expected = run(program, settings).measurementProbabilities!;
      vi.resetModules();
      const validate = vi.spyOn(WebAssembly, "validate").mockReturnValueOnce(false);
      const { compile, simulate } = await import("../../../src/simulation/index.ts");
      const plain = simulate(compile({ format: "qasm3", data: program }), settings).measurementProbabilities!;
      expect(validate).toHaveBeenCalledTimes(2);
      expect(Object.keys(plain)).toEqual(Object.keys(expected));
      for (const [key, probability] of Object.entries(expected))
        expect(plain[key]).toBeCloseTo(probability, 5);
    });

  test("give the same where no threads may be started", () => {
    const settings = { shots: 500, seed: 3, method: "statevector", threads: 2 } as const;
    const { measurementCounts } = run(program, settings);
    expect(elsewhere(["--permission", "--allow-fs-read=*"], settings)).toEqual(measurementCounts);
  });
});
