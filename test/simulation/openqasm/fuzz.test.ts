import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Circuit,
  compile,
  compileQir,
  drawSvg,
  drawText,
  ProgramError,
  printCompiled,
  SimulationError,
  simulate,
  toQir,
} from "../../../src/simulation/index.ts";
import { HEAD } from "./support.ts";

const DECLARATIONS = `${HEAD}input float t; qubit[4] q; bit[2] c = "01"; bit done; int[4] n = 3; complex z = 1im; float f = 0.25;
angle[6] a = pi / 3; duration d = 2ns; stretch s; array[int[8], 2, 2] m = {{1, 2}, {3, 4}}; let r = q[0:2] ++ q[3:3];
def count(int k) -> int { if (k < 1) { return 0; } return count(k - 1) + 1; }
def join(qubit[2] r, bit b) { cx r[0], r[1]; if (b) { x r; } }
def fill(mutable array[int[8], #dim = 1] w) { w[0] = 9; }
extern e(int) -> bit;
gate k(p) a, b { rx(p) a; pow(0.5) @ cx a, b; gphase(p); }
`;
const statement = fc.constantFrom(
  ...[
    "m[0] = m[1];",
    "m[n % 2, 0] += n;",
    "m[0][1][0] = 1;",
    "n = int[4](sizeof(m, 1));",
    "n = m[1, 1];",
    "fill(m[1]);",
  ],
  ...[
    "n -= 5;",
    'n[0:1] = "10";',
    "n = n ** 2 / (n - 1);",
    "n <<= 1;",
    "n = count(3);",
    "z = z * z - 2;",
    "z *= 1im;",
  ],
  ...[
    "f = real(z);",
    "f = sqrt(f);",
    "a = a * 2 - t;",
    "a <<= 1;",
    "a[0] = 1;",
    "d = 3 * d / 2;",
    "delay[d] q[0];",
  ],
  ...[
    "box[1us] { x q; }",
    "nop q;",
    "barrier;",
    "end;",
    "c = measure q[0:1];",
    "c[0] = measure q[n];",
    "c[0] = n[0];",
  ],
  ...[
    "if (c[0]) { x q[0]; } else { n += 1; }",
    "for int i in [0:2] { ry(a) q[i]; }",
    "for int[8] v in m[0] { n += v; }",
  ],
  ...[
    "while (n < 2) { n += 1; }",
    "switch (n) { case 1 { x q; } default { h q[1]; } }",
    "join(q[0:1], c[0]);",
  ],
  ...[
    "c[1] = e(n);",
    "h r;",
    "k(f) q[0], q[1];",
    "ctrl @ pow(f) @ k(a) q[2], q[0], q[1];",
    "reset q[n];",
    "gphase(a);",
  ],
  ...["done = measure q[3];", "x q[1];", "for int i in [0:1] { h q[3]; cx q[3], q[2]; }"],
);

describe("programs of statements that fit more or less", () => {
  const program = fc.array(statement, { maxLength: 14 }).map(lines => DECLARATIONS + lines.join("\n"));
  const compiledOr = (data: string): Circuit | null => {
    try {
      return compile({ format: "qasm3", data }, { inputs: { t: 0.5 } });
    } catch (error) {
      if (error instanceof ProgramError) return null;
      throw error;
    }
  };

  test("are compiled or refused, run or stopped, and never fail otherwise", () => {
    fc.assert(
      fc.property(program, data => {
        const circuit = compiledOr(data);
        if (!circuit) return;
        drawText(circuit);
        drawSvg(circuit);
        try {
          simulate(circuit, { shots: 4, seed: 1, memory: true, maxOperations: 20_000 });
        } catch (error) {
          if (!(error instanceof SimulationError)) throw error;
        }
      }),
      { numRuns: 600, seed: 11 },
    );
  });

  test("give the same outcomes once they are printed as compiled", () => {
    fc.assert(
      fc.property(program, data => {
        const circuit = compiledOr(data);
        if (!circuit) return;
        const text = printCompiled(circuit, { method: "statevector" });
        const outcome = (of: Circuit) => {
          try {
            return simulate(of, { shots: 3, seed: 5, maxOperations: 20_000 }).measurementCounts;
          } catch (error) {
            if (error instanceof SimulationError) return "stopped";
            throw error;
          }
        };
        expect(outcome(compile({ format: "qasm3", data: text }))).toEqual(outcome(circuit));
      }),
      { numRuns: 200, seed: 12 },
    );
  });
});

describe("programs that are written as QIR", () => {
  const line = fc.constantFrom(
    "c[0] = measure q[0];",
    "c[1] = measure q[1];",
    "if (c[0]) { x q[1]; int k = 3; n += k; } else { h q[2]; }",
    "if (c == 2) { y q[0]; c[0] = measure q[0]; }",
    "for int i in [0:2] { if (c[1]) { rx(i * 0.4) q[i]; } }",
    "while (c[0]) { c[0] = measure q[3]; x q[3]; }",
    "switch (n % 3) { case 0 { h q[3]; } case 1 { n += 1; } default { x q[0]; } }",
    "flip(q[0], c[1]);",
    "n = count(2) + n;",
    "int m = measured(q[2]); if (m == 1) { x q[3]; }",
    ...["h q;", "cx q[0], q[1];", "ry(0.7) q[n % 4];", "n = 2 * n % 5;", "reset q[1];", "swap q[2], q[0];"],
  );
  const head = `${HEAD}def flip(qubit a, bit b) { for int i in [0:1] { if (b) { ry(0.3) a; } } }
def count(int k) -> int { if (k < 1) { return 0; } return count(k - 1) + 1; }
def measured(qubit a) -> int { bit b = measure a; return int(b); }
qubit[4] q; bit[2] c; bit[4] all; int n = 1; h q[0];\n`;

  test("have the same distribution", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), lines => {
        const data = `${head}${lines.map(text => `{ ${text} }`).join("\n")}\nall = measure q;`;
        const circuit = compile({ format: "qasm3", data });
        const exact = (of: Circuit) =>
          simulate(of, { shots: 0, maxOperations: 200_000 }).measurementProbabilities!;
        let text: string;
        let expected: Record<string, number>;
        try {
          expected = exact(circuit);
          text = toQir(circuit);
        } catch (error) {
          if (error instanceof SimulationError) return;
          throw error;
        }
        const read = compileQir(text);
        const printed = compile({ format: "qasm3", data: printCompiled(read, { method: "statevector" }) });
        for (const again of [read, printed]) {
          const found = exact(again);
          for (const [key, p] of Object.entries(expected))
            expect(found[key.replace(" ", "")] ?? 0).toBeCloseTo(p, 8);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe("QIR of words in any order", () => {
  test("is compiled or refused", () => {
    const word = fc.constantFrom(
      ...[
        "define",
        "void",
        "@main",
        "(",
        ")",
        "{",
        "}",
        "#0",
        "entry:",
        "%0",
        "=",
        "call",
        "br",
        "label",
        "%entry",
        "phi",
        "[",
      ],
      ...[
        "]",
        ",",
        "i64",
        "1",
        "icmp",
        "eq",
        "ret",
        "switch",
        "add",
        "double",
        "0x3FF0000000000000",
        'attributes #0 = { "entry_point" }',
      ],
      ...[
        "1e5",
        "alloca",
        "load",
        "store",
        "getelementptr",
        "@f",
        "@a",
        "[2 x i64]",
        "@__quantum__qis__h__body",
        "%Qubit*",
        "null",
        "inttoptr",
        "to",
        "\n",
        "select",
        "zext",
        "declare",
        "ptr",
      ],
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 50 }), words => {
        try {
          compileQir(
            `@a = internal constant [2 x i64] [i64 1e5, i64 -2]\ndefine void @main() "entry_point" {\n${words.join(" ")}\n}\ndefine i64 @f(i64 %0) { ret i64 %0 }`,
          );
        } catch (error) {
          if (!(error instanceof ProgramError)) throw error;
        }
      }),
      { numRuns: 1500, seed: 13 },
    );
  });
});
