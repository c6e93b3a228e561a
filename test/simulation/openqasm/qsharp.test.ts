import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { getCompiler, type ICompiler, loadWasmModule, QscEventTarget } from "qsharp-lang";
import { beforeAll, describe, expect, test } from "vitest";
import { compile, simulate } from "../../../src/simulation/index.ts";
import { contradicts } from "../chi-square.ts";
import { run } from "./support.ts";

let compiler: ICompiler;

beforeAll(async () => {
  const wasm = new URL("../lib/web/qsc_wasm_bg.wasm", import.meta.resolve("qsharp-lang"));
  await loadWasmModule(new Uint8Array(await readFile(wasm)).buffer);
  compiler = await getCompiler();
});

/** Runs a program in qsharp-lang and gives what it says of each shot: every variable in the order of declaration. */
async function theirs(data: string, shots: number): Promise<string[]> {
  const target = new QscEventTarget(true);
  const program = {
    sources: [["program.qasm", data]],
    languageFeatures: [],
    projectType: "openqasm",
  } as const;
  await compiler.run({ ...program, profile: "unrestricted" } as never, "", shots, target);
  return target.getResults().map(({ result }) => String(result));
}

/** Writes variables as qsharp-lang does: bits lowest first as Zero and One, numbers of type float with a point. */
function written(outputs: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(outputs).map(([name, value]) => {
    if (typeof value !== "string")
      return name === "f" && Number.isInteger(value) ? `${value}.0` : String(value);
    const bits = [...value].reverse().map(bit => (bit === "1" ? "One" : "Zero"));
    return name === "c" ? `[${bits.join(", ")}]` : bits[0]!;
  });
  return `(${values.join(", ")})`;
}

const HEAD = 'OPENQASM 3.1;\ninclude "stdgates.inc";\n';
const DECLARATIONS = `${HEAD}gate flip(t) a, b { h b; cx a, b; p(t) b; cx a, b; h b; }
def twice(int v) -> int { return 2 * v + 1; }
def kick(qubit t, bit b) { if (b) { x t; } }
qubit[4] q; bit[4] c; bit d; int n = 3; float f = 0.5; bool b = false;
`;
const qubits = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 3 });
const statement: fc.Arbitrary<string> = fc.letrec<{ statement: string }>(tie => {
  const body = fc
    .array(tie("statement"), { minLength: 1, maxLength: 3 })
    .map(lines => `{ ${lines.join(" ")} }`);
  return {
    statement: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc
        .tuple(
          fc.constantFrom(
            "x A;",
            "cx A, B;",
            "ccx A, B, C;",
            "swap A, B;",
            "y A;",
            "z A;",
            "ctrl @ x A, B;",
            "negctrl @ x A, B;",
            "inv @ x A;",
            "pow(2) @ sx A;",
            "h A; z A; h A;",
            "h A; cz B, A; h A;",
            "cy A, B;",
            "s A; sdg A;",
            "ch A, B; ch A, B;",
            "rx(0.7) A; rx(-0.7) A;",
            "ctrl(2) @ x C, B, A;",
            "flip(pi) A, B;",
            "reset A;",
            "kick(A, d);",
            "cswap A, B, C;",
          ),
          qubits,
        )
        .map(([line, [a, b, c]]) =>
          line.replaceAll("A", `q[${a}]`).replaceAll("B", `q[${b}]`).replaceAll("C", `q[${c}]`),
        ),
      fc.constantFrom(
        "n += 2;",
        "n = n * 3 % 101;",
        "n = twice(n) % 64;",
        "n = n & 13;",
        "n = n | 4;",
        "n = (n << 1) % 50;",
        "n = n ** 2 % 37;",
        "f = f * 0.5 + 1;",
        "f += 0.25;",
        "f = 3 * f - 0.125; f = f / 4;",
        "b = n > 9 || f < 1.5;",
        "b = !b && n != 4;",
        "d = b;",
        "c[2] = d;",
      ),
      fc.nat(3).map(i => `c[${i}] = measure q[${i}];`),
      fc.nat(3).map(i => `d = measure q[${i}];`),
      fc
        .tuple(fc.constantFrom("d", "c[1]", "b", "n > 5", "n % 2 == 0", "f <= 1"), body, fc.option(body))
        .map(
          ([condition, then, otherwise]) =>
            `if (${condition}) ${then}${otherwise ? ` else ${otherwise}` : ""}`,
        ),
      fc
        .tuple(
          fc.constantFrom("[0:2]", "[3:-1:1]", "{0, 3}"),
          fc.constantFrom("x q[i];", "n += i;", "cx q[i], q[(i + 1) % 4];", "if (n > i) { x q[i]; }"),
        )
        .map(([values, line]) => `for int i in ${values} { ${line} }`),
      fc.constantFrom(
        "while (n < 20) { n += 7; x q[0]; }",
        "switch (n % 3) { case 0 { x q[1]; } case 1 { n += 1; } default { f = 1.0; } }",
      ),
    ),
  };
}).statement;

describe("qsharp-lang", () => {
  test("computes the same in programs whose outcome is certain", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { minLength: 5, maxLength: 25 }), async lines => {
        const data = `${DECLARATIONS}${lines.join("\n")}\nc = measure q;`;
        const { outputs } = run(data, {}, 1);
        expect((await theirs(data, 1))[0]).toBe(written(outputs![0]!));
      }),
      { numRuns: 10 },
    );
  }, 60_000);

  const GATES = [
    "h A;",
    "t A;",
    "sx A;",
    "cx A, B;",
    "ry(0.7) A;",
    "u3(0.3, 1.1, -0.4) A;",
    "cp(0.9) A, B;",
    "ccx A, B, C;",
    "crz(1.3) B, A;",
  ];
  const circuit = fc.array(
    fc
      .tuple(fc.constantFrom(...GATES, "d = measure A; if (d) { h B; } else { x A; }", "reset A;"), qubits)
      .map(([line, [a, b, c]]) =>
        line.replaceAll("A", `q[${a}]`).replaceAll("B", `q[${b}]`).replaceAll("C", `q[${c}]`),
      ),
    { minLength: 10, maxLength: 30 },
  );

  test("draws from the distribution that is computed here (a false alarm once in 10^9 runs of each)", async () => {
    await fc.assert(
      fc.asyncProperty(circuit, async lines => {
        const data = `${HEAD}qubit[4] q; bit d; output bit[4] c;\n${lines.join("\n")}\nc = measure q;`;
        const counts: Record<string, number> = {};
        for (const shot of await theirs(data, 400)) {
          const key = [...shot.matchAll(/One|Zero/g)]
            .map(([bit]) => (bit === "One" ? "1" : "0"))
            .reverse()
            .join("");
          counts[key] = (counts[key] ?? 0) + 1;
        }
        const exact: Record<string, number> = {};
        const { measurementProbabilities } = simulate(compile({ format: "qasm3", data }), { shots: 0 });
        for (const [key, p] of Object.entries(measurementProbabilities!)) {
          const own = key.split(" ")[0]!;
          exact[own] = (exact[own] ?? 0) + p;
        }
        expect(contradicts(counts, exact)).toBe(false);
      }),
      { numRuns: 4 },
    );
  }, 60_000);
});
