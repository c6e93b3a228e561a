import { describe, expect, test } from "vitest";
import { compile, drawSvg, drawText, printCircuit, printCompiled } from "../../../src/simulation/index.ts";
import { HEAD, outputsOf, run } from "../openqasm/support.ts";

const LENGTH = 10_000;
const list = <T>(item: (i: number) => T, length = LENGTH) => Array.from({ length }, (_, i) => item(i));
const joined = (operator: string, item: (i: number) => string) => list(item).join(operator);

/** Declares variables whose values are known only at run time: `one` is 1, `t` true, `f` false. */
const MEASURED =
  "qubit q; x q; bit t = measure q; x q; bit f = measure q; int one = t; int zero = f; float half = t / 2.0;\n";

/** What chains of operators compute, by the type of the result. */
const CHAINS: [name: string, type: string, chain: string, value: unknown][] = [
  ["a sum of constants", "int", joined(" + ", i => `${i}`), (LENGTH * (LENGTH - 1)) / 2],
  [
    "a sum of values",
    "int",
    `0${joined("", i => (i % 3 ? ` + ${i} * one` : ` - ${i}`))}`,
    list(i => (i % 3 ? i : -i)).reduce((sum, value) => sum + value),
  ],
  ["a sum that wraps", "uint[8]", joined(" + ", () => "uint[8](one * 3)"), (3 * LENGTH) % 256],
  ["real numbers", "float", joined(" + ", () => "half"), LENGTH / 2],
  ["quotients", "int", `1000${joined("", i => (i < 5000 ? " * one" : " / one"))}`, 1000],
  ["a conjunction", "bool", `${joined(" && ", () => "t")} && f`, false],
  ["a conjunction of numbers", "bool", `${joined(" && ", () => "one")} && one + one`, true],
  [
    "conjunctions in a disjunction",
    "bool",
    joined(" || ", i => (i < LENGTH - 1 ? "t && f" : "t && t")),
    true,
  ],
  ["what is not reached", "bool", `f && ${joined(" && ", () => "1 / zero == 1")}`, false],
  ["a parity", "int", `int(${joined(" ^ ", () => "t")} ^ t)`, 1],
  ["joined bits", `bit[${LENGTH}]`, joined(" ++ ", i => (i % 4 ? "f" : "t")), "1000".repeat(LENGTH / 4)],
];

describe("operators in a row, as many as the text holds", () => {
  test.each(CHAINS)("compute %s", (_, type, chain, value) => {
    const body = `${MEASURED}output ${type} x; x = ${chain};`;
    expect(outputsOf(body).x).toEqual(value);
    const circuit = compile({ format: "qasm3", data: HEAD + body });
    for (const text of [printCircuit(circuit), printCompiled(circuit, { method: "statevector", reason: "" })])
      expect(compile({ format: "qasm3", data: text }).numQubits).toBe(1);
    expect(drawText(circuit)).toContain("x = ");
    expect(drawSvg(circuit)).toContain("x = ");
  });

  test("keep their value when they are printed and read again", () => {
    const body = `bit done; ${MEASURED}output int r; r = 7${joined("", i => (i % 2 ? " - one * 2" : " + 3"))};`;
    const printed = printCircuit(compile({ format: "qasm3", data: HEAD + body }));
    expect(printed).toMatch(/r = 10( - v0 \* 2 \+ 3)+ - v0 \* 2;/);
    expect(run(printed).outputs![0]!.r).toBe(7 + LENGTH / 2);
  });

  test("say where they fail", () => {
    const body = `${MEASURED}int x = 5${joined("", () => " + one")}\n / 1${joined("", () => " * one")} + 1 % zero;`;
    expect(() => outputsOf(body)).toThrow(/zero/);
  });

  test("stand in the parameters of gates", () => {
    const sum = joined(" + ", () => "a");
    const { x } = outputsOf(
      `gate g(a) q { rx(${sum}) q; }\n${MEASURED}g(2 * pi / ${LENGTH} * half) q; bit x = measure q;`,
    );
    expect(x).toBe("1");
  });
});

describe("else if, as often as the text holds", () => {
  const arms = (length: number, condition: (i: number) => string, body: (i: number) => string) =>
    list(i => `if (${condition(i)}) { ${body(i)} }`, length).join(" else ");

  test.each([0, 31, 32, 33, 64, 999, 1000])("chooses number %i", chosen => {
    const tests = arms(
      1000,
      i => `k == ${i}`,
      i => `x = ${2 * i};`,
    );
    const body = `${MEASURED}int k = ${chosen} * one; int x = 0; ${tests} else { x = -1; }`;
    expect(outputsOf(body).x).toBe(chosen < 1000 ? 2 * chosen : -1);
  });

  test.each([1, 32, 33, 65, 150, 201])("evaluates the first %i conditions and no more", chosen => {
    const tests = arms(
      200,
      () => "isNext(calls)",
      i => `x = ${i};`,
    );
    const { x, n } = outputsOf(`def isNext(mutable array[int, 1] calls) -> bool {
  calls[0] += 1;
  return calls[0] == ${chosen};
}
array[int, 1] calls = {0}; int x = -1; ${tests} int n = calls[0];`);
    expect([x, n]).toEqual(chosen > 200 ? [-1, 200] : [chosen - 1, chosen]);
  });

  test("chooses for each shot on its own, within loops and subroutines", () => {
    const tests = arms(
      100,
      i => `k == ${i}`,
      i => (i % 7 ? `x += ${i};` : `return ${i};`),
    );
    const data = `${HEAD}def f(int k) -> int { int x = 1000; for int i in [0:2] { ${tests} } return x; }
qubit[6] q; h q; bit[6] c = measure q; int x = f(int(uint[6](c)) * 2);`;
    const { outputs } = run(data, {}, 200);
    const value = (k: number) => (k >= 100 ? 1000 : k % 7 ? 1000 + 3 * k : k);
    for (const { c, x } of outputs!) expect(x).toBe(value(2 * Number(`0b${c}`)));
    expect(new Set(outputs!.map(({ x }) => x)).size).toBeGreaterThan(30);
  });

  test("is printed without nesting, and means the same", () => {
    const tests = arms(
      LENGTH,
      i => `k == ${i}`,
      i => `r = ${i};`,
    );
    const data = `${HEAD}${MEASURED}output int r; int k = 4711 * one; r = 0; ${tests}`;
    const circuit = compile({ format: "qasm3", data });
    const printed = printCircuit(circuit);
    expect(printed.length).toBeLessThan(3 * data.length);
    expect(run(printed).outputs![0]!.r).toBe(4711);
    expect(drawText(circuit)).toContain("if k == 0");
    expect(drawSvg(circuit)).toContain("if k == 0");
  });

  test("says which way ends without a return", () => {
    const tests = arms(
      300,
      i => `k == ${i}`,
      i => (i === 250 ? "int x = 1;" : "return 1;"),
    );
    expect(() => outputsOf(`def f(int k) -> int { ${tests} else { return 2; } }`)).toThrow(
      /ends without one/,
    );
  });
});
