import ts from "typescript-6.0";
import { beforeAll, expect, test } from "vitest";
import { LIBRARY_TYPES, openLanguageService } from "../../../src/browser/types/language-service.ts";
import { type NotebookTypes, openNotebookTypes } from "../../../src/browser/types/notebook-types.ts";
import { openEmitter, typedSyntax } from "../../../src/browser/types/typed-syntax.ts";
import { loadCatalogue } from "../../../src/service/catalogue/catalogue.ts";
import { typeDeclarations } from "../../../tools/site/types.ts";

let types: NotebookTypes;
beforeAll(() => {
  const declarations = typeDeclarations();
  types = openNotebookTypes(
    openLanguageService(ts, new Map(Object.entries(declarations))),
    typedSyntax(openEmitter(ts)),
    file => declarations[`${LIBRARY_TYPES}/${file}.d.ts`]!,
  );
});

const cellsOf = (sources: readonly string[]) =>
  sources.map((source, index) => ({ id: String(index), source }));

/** What is wrong with the cells of a notebook: their texts, with what is said of them. */
async function wrongIn(...sources: string[]) {
  const marks = await types.diagnose(cellsOf(sources));
  return marks.map((found, index) =>
    found.map(({ from, to, message }) => `${sources[index]!.slice(from, to)}: ${message}`),
  );
}

/** A place at the `|` of a cell, after others. */
const placeIn = (cell: string, above: readonly string[]) => ({
  above: cellsOf(above),
  source: cell.replace("|", ""),
  offset: cell.indexOf("|"),
});

const ABOVE = [
  `import { device, qasm, run } from "ketbook";
interface Row { shots: number }
const rows: Row[] = [{ shots: 1 }];
/** Doubles a number. */
function double(value: number, times = 1) { return value * 2 * times }
const program = qasm\`OPENQASM 3.0; qubit q;\`;`,
];

test("what is wrong with a cell is found after the cells above it, at its place", async () => {
  expect(
    await wrongIn(
      ...ABOVE,
      "const total: string = rows[0]!.shots;\nrow.length",
      "%%time\ndouble('a')",
      "double(rows.length)",
    ),
  ).toEqual([
    [],
    [
      "total: Type 'number' is not assignable to type 'string'. (TS2322)",
      expect.stringMatching(/^row: Cannot find name 'row'/),
    ],
    ["'a': Argument of type 'string' is not assignable to parameter of type 'number'. (TS2345)"],
    [],
  ]);
});

test("all that is wrong with the cells of a notebook is found, and again when all have changed", async () => {
  const sources = [
    ...ABOVE,
    "const total: string = rows[0]!.shots;",
    "const callback = () => { const inner: number = 'text'; return later; };\nrows.map(row => row.shoots)",
    "qasm`OPENQASM 3.0; qubit q; hh q;`;\nclass A { f(): string { return 1 } }",
    "const program = 1; total.length",
  ];
  for (const ending of ["", " "]) {
    const found = await types.diagnose(cellsOf(sources.map(source => source + ending)));
    expect(found.map(({ length }) => length)).toEqual([0, 1, 2, 2, 0]);
  }
});

test("unions narrow, what may be missing is told, and so is an await; types may be left out", async () => {
  const sources = [
    "const quote = {} as { available: true; cost: number } | { available: false; reason: string };",
    "quote.available ? quote.cost : quote.reason",
    "const list = [];\nlist.push(1);\nfunction id(x) { return x }\nconst table = {};\ntable['key'] = id(1);\ntry { id(2) } catch (error) { error.message }",
    "list.find(n => n > 1).toFixed()",
    "run(program).shots(100).counts",
  ];
  expect(await wrongIn(...ABOVE, ...sources)).toEqual([
    [],
    [],
    [],
    [],
    [expect.stringContaining("Object is possibly 'undefined'.")],
    [expect.stringMatching(/^counts: Property 'counts' does not exist .* Did you forget to use 'await'\?/)],
  ]);
});

test("a name that was not imported is found in the module that has it", async () => {
  const hint = (name: string, module: string) => [
    `${name}: Cannot find name '${name}'. Run the cell that imports it, or add: import { ${name} } from "${module}"; (TS2304)`,
  ];
  expect(await wrongIn("histogram({ 0: 1 })", "hint('bell')", "await fetchResult(1, '')")).toEqual([
    hint("histogram", "ketbook"),
    hint("hint", "ketbook/course"),
    hint("fetchResult", "ketbook/client"),
  ]);
});

test("a name may be declared by a cell below what calls it, and anew", async () => {
  expect(
    await wrongIn("const f = () => later();", "const later = () => 1;", "f();", "const f = 'text'; f.length"),
  ).toEqual([[], [], [], []]);
});

test("a name that thirty cells declare anew keeps none of them from being checked", async () => {
  const marks = await wrongIn(
    ...Array.from({ length: 30 }, (_, at) => `const a: number = ${at};`),
    "a.wrong",
  );
  expect(marks.at(-1)).toEqual([expect.stringMatching(/^wrong: Property 'wrong' does not exist/)]);
});

test("namespaces, decorators and enums are read, and known below", async () => {
  const cell = "namespace N { export const a = 1 }\nnamespace N { export const b = a }\nenum E { x }";
  const decorated = "@((c: any, _: any) => c) class D { accessor u = N.b + E.x }";
  expect(await wrongIn(cell, decorated, "new D().u + N.a")).toEqual([[], [], []]);
});

test("while a cell is being written, those below it know what it declared before", async () => {
  const later = "count.toFixed()";
  expect(await wrongIn("const count = 1;", later)).toEqual([[], []]);
  const [broken, below] = await wrongIn("const count = 1; const more = ", later);
  expect(broken).toHaveLength(1);
  expect(below).toEqual([]);
});

test("what is wrong with a program in OpenQASM is marked, in a cell of its own and in a template", async () => {
  const program = "OPENQASM 3.0;\nqubit[2] q;\nbit c = measure p;\n";
  const [own, template, filled] = await wrongIn(
    program,
    `import { qasm } from "ketbook";\nconst bell = qasm\`${program}\`;`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the cell that has a template.
    "const n = 2; qasm`OPENQASM 3.0; qubit[${n}] q; h p;`",
  );
  expect(own).toEqual([expect.stringMatching(/^p: .*p/)]);
  expect(template).toEqual(own);
  expect(filled).toEqual([]);
});

test("a program in a cell of its own is a variable of the cells below it", async () => {
  const program = "// name: bell\nOPENQASM 3.0;\nqubit q;\n";
  expect(await wrongIn(program, "bell.length")).toEqual([
    [],
    [expect.stringContaining("length: Property 'length' does not exist on type")],
  ]);
});

const DEVICES = Array.from(loadCatalogue().keys(), qrn => qrn.replace(/^.*:/, "")).sort();

test.each([
  ["run(program).on('|')", DEVICES],
  ["device('sta|')", ["stabilizer", "statevector", "statevector-v1"]],
  ["import x from 'ketb|'", ["ketbook", "ketbook/client", "ketbook/course"]],
  ["import { hi| } from 'ketbook/course'", ["hint"]],
  ["rows[0].sh|", ["shots"]],
  ["doub|", ["double"]],
  ["Ro|", ["Row", "rows"]],
  ["// row|", []],
  ["qasm`OPENQASM 3.0;\nqubit[2] register;\nreg|`", ["register"]],
])("%s offers what fits", async (cell, names) => {
  const { items } = await types.complete(placeIn(cell, ABOVE));
  expect(items.map(({ name }) => name)).toEqual(names);
});

test("a name is described with its documentation, and a call with the parameter that is written", async () => {
  expect(await types.describe(placeIn("dou|ble(1)", ABOVE))).toBe(
    "```typescript\nfunction double(value: number, times?: number): number\n```\n\nDoubles a number.",
  );
  expect(await types.call(placeIn("double(1, |)", ABOVE))).toBe(
    "```typescript\ndouble(value: number, times?: number): number\n```\n\nParameter: **times?: number**\n\nDoubles a number.",
  );
  expect(await types.describe(placeIn("OPENQASM 3.0;\nqubit q;\nh| q;", []))).toContain("Hadamard");
  expect(await types.describe(placeIn("unknown|", ABOVE))).toBe("");
});
