import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile, ProgramError } from "../../../src/simulation/index.ts";
import { diagnose } from "../openqasm/diagnose.ts";
import { HEAD, HEAD2 } from "../run.ts";

describe("hostile programs", () => {
  const million = 1_000_000;
  test.each([
    ["a million parentheses", "(".repeat(million)],
    ["a million braces", "{".repeat(million)],
    ["a million brackets", `qubit q; h q${"[".repeat(million)}`],
    ["a million minus signs", `int x = ${"-".repeat(million)}1;`],
    ["a tower of powers", `int x = ${"2**".repeat(million)}2;`],
    ["a chain of ifs", "if (true) ".repeat(million)],
    ["a million modifiers", `qubit q; ${"inv @ ".repeat(million)}U(0,0,0) q;`],
    ["a huge register", "qubit[1000000000] q;"],
    ["a register of 10^30 qubits", "qubit[1000000000000000000000000000000] q;"],
    ["huge classical registers", "bit[65536] a; bit[65536] b;"],
    ["a literal of a million digits", `int x = ${"9".repeat(million)};`],
    ["NUL bytes", "\0".repeat(million)],
    ["lone surrogates", "\ud800".repeat(1000)],
    ["a million unknown names", "x;".repeat(million / 2)],
    ["an endless name", "x".repeat(million)],
    ["a million quotes", '"'.repeat(million)],
    ["a huge shift", "const int x = 1 << 1000000000000; qubit[x] q;"],
    ["a huge loop in a gate", "gate g q { for int i in [0:1000000000] { U(0,0,0) q; } }"],
    ["a loop of loops in a gate", `gate g q { ${"for int i in [0:999999] ".repeat(20)} {} }`],
    [
      "empty subroutines that call each other",
      `def f0() {}${Array.from({ length: 30 }, (_, i) => `def f${i + 1}() { f${i}(); f${i}(); }`).join("")} f30();`,
    ],
    [
      "gates within gates",
      Array.from({ length: 5000 }, (_, i) => `gate g${i} q { ${i ? `g${i - 1}` : "U(0,0,0)"} q; }`).join(
        "\n",
      ),
    ],
    [
      "aliases that double",
      `qubit[2] q; let a0 = q ++ q; ${Array.from({ length: 60 }, (_, i) => `let a${i + 1} = a${i} ++ a${i};`).join("")}`,
    ],
    [
      "exploding subroutines",
      `def f0(qubit q) { ${"U(0,0,0) q;".repeat(10)} }${Array.from({ length: 20 }, (_, i) => `def f${i + 1}(qubit q) { ${`f${i}(q);`.repeat(10)} }`).join("")} qubit q; f20(q);`,
    ],
  ])("are refused quickly: %s", (_, data) => {
    expect(() => compile({ format: "qasm3", data }, { maxOperations: 100_000 })).toThrow(ProgramError);
  });

  test("are refused over the limits of characters and tokens", () => {
    expect(() => compile({ format: "qasm3", data: " ".repeat(101) }, { maxSource: 100 })).toThrow(
      /101 characters/,
    );
    expect(() => compile({ format: "qasm3", data: "end;".repeat(30) }, { maxTokens: 20 })).toThrow(
      /20 tokens/,
    );
  });

  test("never make the compiler fail otherwise, whatever the tokens", () => {
    const words = [
      "qubit",
      "[",
      "]",
      "q",
      "h",
      "(",
      ")",
      ";",
      ",",
      "=",
      "measure",
      "bit",
      "c",
      "1",
      "2.5",
      "if",
      "{",
      "}",
      "for",
      "int",
      "in",
    ];
    const more = [
      "i",
      ":",
      "gate",
      "g",
      "->",
      "ctrl",
      "@",
      "inv",
      "pow",
      "let",
      "++",
      "pi",
      "while",
      "def",
      "return",
      "switch",
      "case",
      "\n",
      '"01"',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words, ...more), { maxLength: 60 }), tokens => {
        diagnose(HEAD + tokens.join(" "));
        diagnose(HEAD2 + tokens.join(" "), "qasm2");
      }),
      { numRuns: 2000, seed: 4 },
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), text => void diagnose(text)),
      { numRuns: 500, seed: 5 },
    );
  });
});
