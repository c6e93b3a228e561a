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

  test("exist with relaxed SIMD and with plain SIMD alone, with the same functions", async () => {
    const { validate } = WebAssembly;
    const read: Parameters<typeof validate>[0][] = [];
    vi.resetModules();
    vi.spyOn(WebAssembly, "validate").mockImplementation(bytes => {
      read.push(bytes);
      return validate(bytes);
    });
    const { kernelModule } = await import("../../../src/host/node.ts");
    const [relaxed, plain] = [false, true].map(isPlain => WebAssembly.Module.exports(kernelModule(isPlain)));
    expect(plain).toEqual(relaxed);
    expect(plain).not.toEqual([]);
    expect(Buffer.compare(read[0] as Buffer, read.at(-1) as Buffer)).not.toBe(0);
  }, 120_000);

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

  test("round in reproducible precision as an engine without relaxed SIMD does, for any number of threads", async () => {
    const settings = { shots: 0, method: "statevector", precision: "reproducible" } as const;
    const [one, two] = [1, 2].map(threads => run(program, { ...settings, threads }).measurementProbabilities);
    vi.resetModules();
    vi.spyOn(WebAssembly, "validate").mockReturnValueOnce(false);
    const { compile, simulate } = await import("../../../src/simulation/index.ts");
    const plain = simulate(compile({ format: "qasm3", data: program }), { ...settings, precision: "double" });
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
    expect(elsewhere(["--permission", "--allow-fs-read=*"], settings)).toEqual(measurementCounts);
  });
});
