import { expect, test } from "vitest";
import { compileCell } from "../../../src/kernels/cells/compile.ts";
import { bracketDepth, nestingProblem } from "../../../src/kernels/cells/nesting.ts";
import { oxc } from "../../../src/kernels/jupyter/syntax.ts";

const MANY = 40_000;
const nested = (open: string, middle = "", close = "") => open.repeat(MANY) + middle + close.repeat(MANY);

/** Sources that end a process in which Oxc parses them. */
const deep: Record<string, string> = {
  parentheses: nested("(", "1", ")"),
  "open parentheses": "(".repeat(6000),
  lists: nested("[", "", "]"),
  blocks: nested("{", "", "}"),
  objects: `x = ${nested("{a:", "1", "}")}`,
  new: nested("new ", "a"),
  "conditional expressions": nested("a?b:", "c"),
  "conditions in conditions": nested("a?", "c", ":b"),
  "arrow functions": nested("x=>", "1"),
  assignments: nested("a=", "1"),
  powers: nested("a**", "1"),
  templates: nested("`${", "1", "}`"),
  if: nested("if(1)", ";"),
  "else if": nested("if(1);else ", ";"),
  for: nested("for(;;)", ";"),
  while: nested("while(1)", ";"),
  do: nested("do "),
  labels: `${Array.from({ length: MANY }, (_, i) => `l${i}:`).join("")};`,
  "type arguments": `let a: ${nested("A<", "B", ">")}`,
  keyof: `type T = ${nested("keyof ", "A")}`,
  "function types": `type T = ${nested("()=>", "A")}`,
  readonly: `let a: ${nested("readonly ", "A[]")}`,
  yield: `function*f(){${nested("yield ", "1")}}`,
  functions: nested("function f(){", "", "}"),
  classes: nested("class A{static{"),
  namespaces: nested("namespace a{"),
  "dotted namespaces": `namespace ${nested("a.", "b{}")}`,
  imports: nested("import("),
  comparisons: nested("a<", "1"),
  "calls of calls": `f${"()".repeat(2 * MANY)}`,
  "classes that extend classes": nested("class extends ", "A{}", "{}"),
  increments: nested("++", "a"),
  unique: `let a: ${nested("unique ", "symbol")}`,
  negations: `${"!".repeat(10 * MANY)}1`,
  sums: `1${"+1".repeat(10 * MANY)}`,
  casts: `a${" as any".repeat(10 * MANY)}`,
  "arrow functions in parentheses": `${`${"x=>".repeat(4900)}(`.repeat(40)}1`,
  "keywords in lists": `${"new ".repeat(4900)}[`.repeat(40),
  "fewer classes, which end V8": `c=${"class extends ".repeat(2000)}A{}${"{}".repeat(1999)}`,
};

test.each(Object.entries(deep))(
  "%s that are nested too deeply are a mistake, and the process lives",
  (_, source) => {
    const compiled = compileCell(oxc, source, {
      run: 1,
      language: "typescript",
      known: new Map(),
      globals: new Set(),
    });
    expect(compiled).toMatchObject({ mistakes: [{ message: expect.stringMatching(/^The cell (has|is) /) }] });
  },
);

test("long cells that are flat are not refused", () => {
  const lines = (line: string) =>
    Array.from({ length: 6000 }, (_, i) => line.replaceAll("#", String(i))).join("\n");
  expect(nestingProblem(lines("const a# = b ? c : d;"))).toBeUndefined();
  expect(nestingProblem(lines("const a# = b ? c : d"))).toBeUndefined();
  expect(nestingProblem(`const rows = [${lines("{ a: 1, b: (2), c: [3] },")}];`)).toBeUndefined();
  expect(nestingProblem(lines("if (a#) { b(); } c.d = e;"))).toBeUndefined();
  expect(nestingProblem(`const floats = [${lines("-0.5e-3,")}];`)).toBeUndefined();
  expect(nestingProblem(`${"a === b && ".repeat(4000)}c`)).toBeUndefined();
  expect(nestingProblem(`const object = {${lines("key#: #.5,")}};`)).toBeUndefined();
  expect(
    nestingProblem(`const picture = "${"iVBORw0KGgoAAAANSUhEUgAAAZ+AAAD/".repeat(6000)}";`),
  ).toBeUndefined();
  expect(bracketDepth("([{}])()")).toBe(3);
});
