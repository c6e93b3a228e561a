import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { kernelModule } from "../../../src/host/node.ts";
import type { SimulateOptions, SimulationResult } from "../../../src/simulation/index.ts";
import { HEAD, run } from "../run.ts";

const numQubits = 18;
const layer = (i: number) =>
  `ry(${0.3 + i}) q; t q; cz q[0:16], q[1:17]; cx q[0:16], q[1:17]; crx(0.4) q[${i}], q[${17 - i}]; rz(0.2) q; ccx q[${i}], q[${i + 4}], q[${i + 9}];`;
const program = `${HEAD}qubit[${numQubits}] q; bit[6] c; h q;\n${[0, 1, 2].map(layer).join("\n")}\nc = measure q[6:11];`;

const simulation = new URL("../../../src/simulation/index.ts", import.meta.url).href;

/** Result of the program in a separate process, and the hashes of the kernels that its engine was asked about. */
type Elsewhere = Pick<SimulationResult, "measurementCounts" | "measurementProbabilities"> & {
  kernels: string[];
};

/** Runs the program in a separate process, with options of Node; its engine refuses the first kernels that it is asked about if told so. */
function elsewhere(
  settings: SimulateOptions,
  nodeOptions: readonly string[] = [],
  refuses = false,
): Elsewhere {
  const script = `import { createHash } from "node:crypto";
const { validate } = WebAssembly;
const kernels = [];
WebAssembly.validate = bytes => {
  kernels.push(createHash("sha256").update(bytes).digest("hex"));
  return (kernels.length > 1 || ${!refuses}) && validate(bytes);
};
const { compile, simulate } = await import(${JSON.stringify(simulation)});
const circuit = compile({ format: "qasm3", data: ${JSON.stringify(program)} });
const { measurementCounts, measurementProbabilities } = simulate(circuit, ${JSON.stringify(settings)});
process.stdout.write(JSON.stringify({ measurementCounts, measurementProbabilities, kernels }));`;
  const options = [...nodeOptions, "--input-type=module-typescript", "--eval", script];
  return JSON.parse(execFileSync(process.execPath, options, { encoding: "utf8" }));
}

describe("the kernels", () => {
  test("exist with relaxed SIMD and with plain SIMD alone, with the same functions", () => {
    const [relaxed, plain] = [false, true].map(isPlain => WebAssembly.Module.exports(kernelModule(isPlain)));
    expect(plain).toEqual(relaxed);
    expect(plain).not.toEqual([]);
  }, 120_000);

  for (const precision of ["single", "double"] as const)
    test(`give the same in an engine without relaxed SIMD, in ${precision} precision`, () => {
      const settings = { shots: 0, method: "statevector", precision, threads: 2 } as const;
      const expected = run(program, settings).measurementProbabilities!;
      const { measurementProbabilities: plain = {}, kernels } = elsewhere(settings, [], true);
      expect(new Set(kernels).size).toBe(2);
      expect(Object.keys(plain)).toEqual(Object.keys(expected));
      for (const [key, probability] of Object.entries(expected))
        expect(plain[key]).toBeCloseTo(probability, 5);
    });

  test("round in reproducible precision as an engine without relaxed SIMD does, for any number of threads", () => {
    const settings = { shots: 0, method: "statevector", precision: "reproducible" } as const;
    const [one, two] = [1, 2].map(threads => run(program, { ...settings, threads }).measurementProbabilities);
    const plain = elsewhere({ ...settings, precision: "double" }, [], true);
    expect(one).toEqual(plain.measurementProbabilities);
    expect(two).toEqual(one);
  });

  test("draw in reproducible precision what they draw on every machine", () => {
    const settings = { shots: 40, seed: 7, method: "statevector", precision: "reproducible" } as const;
    const { measurementCounts, method } = run(program, settings);
    expect(method.reason).toContain("rounded alike on every machine");
    expect(measurementCounts).toMatchInlineSnapshot(`
      {
        "000001": 1,
        "000100": 1,
        "000110": 1,
        "000111": 1,
        "001000": 2,
        "001001": 1,
        "001010": 1,
        "001100": 1,
        "001111": 1,
        "010001": 2,
        "010100": 1,
        "010110": 1,
        "011001": 1,
        "011011": 1,
        "011100": 2,
        "011101": 1,
        "011111": 1,
        "100011": 1,
        "100100": 2,
        "100101": 1,
        "100110": 1,
        "100111": 1,
        "101001": 1,
        "101101": 1,
        "101110": 1,
        "101111": 2,
        "110000": 1,
        "110011": 1,
        "110110": 1,
        "110111": 1,
        "111001": 1,
        "111010": 2,
        "111011": 1,
        "111111": 1,
      }
    `);
  });

  test("give the same where no threads may be started", () => {
    const settings = { shots: 500, seed: 3, method: "statevector", threads: 2 } as const;
    const { measurementCounts } = run(program, settings);
    expect(elsewhere(settings, ["--permission", "--allow-fs-read=*"])).toMatchObject({ measurementCounts });
  });
});
