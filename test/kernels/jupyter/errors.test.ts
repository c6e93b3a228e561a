import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { errorOf, openSession, textOf } from "./session.ts";

const session = await openSession();

test("an error says what, where in which cells, and nothing of the kernel", async () => {
  const first = await session.run("function pick(row: any) {\n  // a comment\n  return row.left.right;\n}");
  const { reply, ...ran } = await session.run("const row = {};\npick(row);\n1");
  const { ename, evalue, traceback } = errorOf({ reply, ...ran });
  expect([ename, evalue]).toEqual(["TypeError", "Cannot read properties of undefined (reading 'right')"]);
  expect(reply).toMatchObject({ status: "error", ename, evalue, execution_count: 2 });
  expect(first.reply).toMatchObject({ status: "ok", execution_count: 1 });
  expect(traceback).toContain("Cell [1], line 3, in pick\n");
  expect(traceback).toContain("> 3 |   return row.left.right;\n    |                   ^");
  expect(traceback).toContain("Cell [2], line 2\n");
  expect(traceback).toContain("> 2 | pick(row);");
  expect(traceback).not.toMatch(/node:|__ketbook__|kernels/);
});

test("lines are right whatever the types, enums and classes before them became", async () => {
  const { traceback } = errorOf(
    await session.run(`interface Gone { a: number }
enum Side { Left, Right }
type Also<T> = T extends string ? 1 : 2;
class Box<T> {
  constructor(private readonly value: T) {}
  open(): T { throw new RangeError("empty " + Side.Left); }
}
const { open } = { open: () => new Box<Gone>({ a: 1 }).open() };
await Promise.resolve();
open();`),
  );
  expect(traceback).toContain("RangeError: empty 0");
  expect(traceback).toMatch(/line 6, in Box\.open\n/);
  expect(traceback).toMatch(/> {1,2}6 \| {3}open\(\): T \{ throw new RangeError/);
  expect(traceback).toMatch(/> +10 \| open\(\);/);
});

test("what fails while it is awaited points at the line that waits", async () => {
  const { traceback } = errorOf(
    await session.run(`const later = () => new Promise((_, no) => setTimeout(no, 5, Object.assign(new Error("late"), { stack: "Error: late" })));
async function twice() {
  await later();
}
await twice();`),
  );
  expect(traceback).toMatch(/> 3 \| {3}await later\(\);/);
  expect(traceback).toMatch(/> 5 \| await twice\(\);/);
});

test("a cell that doesn't compile has a note under every wrong line", async () => {
  const { ename, evalue, traceback } = errorOf(
    await session.run("const n: number = 'text';\nconst ok = 1;\nmissing + ok;"),
  );
  expect(ename).toBe("TypeScriptError");
  expect(evalue).toBe("line 1:7 - Type 'string' is not assignable to type 'number'. (TS2322) (and 1 more)");
  expect(traceback).toContain(`> 1 | const n: number = 'text';
    |       ^
    |       Type 'string' is not assignable to type 'number'.`);
  expect(traceback).toContain("> 3 | missing + ok;\n    | ^^^^^^^\n    | Cannot find name 'missing'.");
});

test("unions narrow, what may be missing is told, and types may be left out", async () => {
  const { reply } =
    await session.run(`let quote = {} as { available: true; cost: number } | { available: false; reason: string };
quote.available ? quote.cost : quote.reason;
const list = [];
list.push(1);
function id(x) { return x }
const table = {};
table["key"] = id(1);
try { id(2) } catch (error) { error.message }`);
  expect(reply.status).toBe("ok");
  expect(errorOf(await session.run("list.find(n => n > 1).toFixed()")).evalue).toContain(
    "Object is possibly 'undefined'.",
  );
});

test("what belongs to a mistake is said with it: an await that is missing, a line that it contradicts", async () => {
  const { evalue, traceback } = errorOf(
    await session.run(
      'import { qasm, run } from "ketbook";\nrun(qasm`OPENQASM 3.0; qubit q;`).shots(100).counts',
    ),
  );
  expect(evalue).toMatch(/^line 2:\d+ - Property 'counts' .* Did you forget to use 'await'\? \(TS2339\)$/);
  expect(traceback).toContain("Did you forget to use 'await'?");
  const size = errorOf(
    await session.run("interface Box { name: string; size: number }\n\nconst box: Box = { name: '' };"),
  );
  expect(size.evalue).toContain("Line 1: 'size' is declared here.");
  const unknown = errorOf(await session.run("histogram({ 0: 1 })"));
  expect(unknown.evalue).toContain(
    "Cannot find name 'histogram'. Run the cell that imports it, or add: import { histogram } from \"ketbook\"; (TS2304)",
  );
  expect(errorOf(await session.run("hint('bell')")).evalue).toContain(
    'import { hint } from "ketbook/course";',
  );
  expect(errorOf(await session.run("print(1)")).evalue).toContain("Write console.log(…).");
  const elsewhere = errorOf(await session.run("[1].lenght"));
  expect(elsewhere.evalue).toBe(
    "line 1:5 - Property 'lenght' does not exist on type 'number[]'. Did you mean 'length'? (TS2551)",
  );
});

test.each([
  [
    "run(bell).device('perth')",
    "'device' does not exist on type 'Run<Result>'. Run has on, shots, named, tagged, options",
  ],
  ["(await run(bell).shots(1)).plot()", "Result has histogram, energies, compare, "],
  ["run(bell).options({ noise: false })", "DeviceNoise has relaxation, "],
  ["noise({ depolarizing: 0.01 })", "NoiseModelOptions has name, calibration, oneQubit, twoQubit, gates, "],
  ["await createGroup('homework')", "JobGroupRequest has name, tags, "],
  ["await transpile(bell, 'perth')", 'Write device("…"). (TS2345)'],
  [
    "run(bell).on(perth)",
    "Cannot find name 'perth'. Run the cell that declares it. Text is written in quotes.",
  ],
  ["(await run(bell).shots(1)).count", "Did you mean 'counts'? (TS2551)"],
])("%s says what there is instead", async (cell, advice) => {
  const library =
    'import { createGroup, noise, qasm, run, transpile } from "ketbook";\nconst bell = qasm`qubit q;`;\n';
  expect(errorOf(await session.run(library + cell)).evalue).toContain(advice);
});

test("a cause is told of where the error has not said it", async () => {
  const thrown = (message: string) =>
    `throw new Error("a: the cause", { cause: new RangeError(${JSON.stringify(message)}) });`;
  expect(errorOf(await session.run(thrown("the cause"))).traceback).not.toContain("Caused by");
  expect(errorOf(await session.run(thrown("another"))).traceback).toContain("Caused by RangeError: another");
});

test.each([
  ["throw 'text'", "Error", "text"],
  ["throw { a: 1 }", "Error", "{ a: 1 }"],
  ["throw undefined", "Error", "undefined"],
  ["class MyError extends Error { name = 'MyError' }\nthrow new MyError('own')", "MyError", "own"],
  ["await Promise.reject(new TypeError('late'))", "TypeError", "late"],
  ["Promise.reject(new TypeError('last'))", "TypeError", "last"],
  ["JSON.parse('{')", "SyntaxError", expect.stringMatching(/^Expected property name/)],
  ["require('fs').readdirSync('/nowhere')", "Error", expect.stringMatching(/^ENOENT/)],
  ["throw new Error('\\u001b[2Jgone')", "Error", "gone"],
])("%s fails with its name and message", async (code, ename, evalue) => {
  const ran = await session.run(code);
  expect(errorOf(ran)).toMatchObject({ ename, evalue });
  expect(ran.reply).toMatchObject({ status: "error", ename, evalue });
});

test("causes are told", async () => {
  const { traceback } = errorOf(
    await session.run("throw new Error('outer', { cause: new TypeError('inner') })"),
  );
  expect(traceback).toMatch(/^Error: outer\n[\s\S]*\nCaused by TypeError: inner\n/);
});

test("an error of the library shows its advice and the line, and none of the library's frames", async () => {
  const { ename, traceback } = errorOf(
    await session.run('import { qasm, run } from "ketbook";\n\nawait run(qasm`OPENQASM 3.0;`).shots(-5)'),
  );
  expect(ename).toMatch(/Error$/);
  expect(traceback).toContain("> 3 | await run(qasm`OPENQASM 3.0;`).shots(-5)");
  expect(traceback).not.toMatch(/ketbook[\\/]|\.js:\d/);
});

test("what a failing cell has declared stays known to the next one", async () => {
  errorOf(await session.run("const kept = 5;\nconst f = () => kept + 1;\nthrow new Error('stop')"));
  expect(textOf(await session.run("f() + kept"))).toBe("11");
});

test("after an error the requests that wait are aborted, if they ask for it, and no later ones", async () => {
  const request = (code: string, stop_on_error: boolean) =>
    session.ask("execute_request", { code, silent: false, stop_on_error });
  const failing = request("await new Promise(done => setTimeout(done, 50)); throw new Error('first')", true);
  const waiting = [request("globalThis.ran = 1", true), request("globalThis.ran = 2", true)];
  expect(await failing).toMatchObject({ status: "error" });
  expect(await request("globalThis.later = 1", true)).toMatchObject({ status: "ok" });
  for (const reply of waiting) expect(await reply).toMatchObject({ status: "aborted" });
  expect(textOf(await session.run("[(globalThis as any).ran, (globalThis as any).later]"))).toBe(
    "[ undefined, 1 ]",
  );

  const tolerant = request("throw new Error('second')", false);
  const goesOn = request("1", true);
  expect(await tolerant).toMatchObject({ status: "error" });
  expect(await goesOn).toMatchObject({ status: "ok" });
});

test("a promise that nobody handles is reported in its cell, whatever else the cell leaves behind", async () => {
  const code =
    "setImmediate(() => console.log('later'));\nvoid Promise.reject(new Error('unheard'));\nundefined";
  const { reply, outputs } = await session.run(code);
  expect(reply.status).toBe("ok");
  expect(outputs[0]).toMatchObject({ name: "stderr", text: expect.stringContaining("unheard") });
  const handled =
    "const given = Promise.reject(1);\nvoid Promise.resolve().then(() => given.catch(() => {}));\n'quiet'";
  expect((await session.run(handled)).outputs).toMatchObject([{ data: { "text/plain": "quiet" } }]);
});

test("a silent request counts nothing and says nothing of itself", async () => {
  const before = (await session.run("1")).reply.execution_count as number;
  await session.ask("execute_request", { code: "1 + 1", silent: true });
  expect((await session.run("2")).reply.execution_count).toBe(before + 1);
});

test("what is wrong with a module in a cell is said, and a right one can be imported", async () => {
  const wrong = await session.run("/** @module wrong */\nexport const a: number = 'x';");
  expect(wrong.outputs).toMatchObject([
    { name: "stderr", text: expect.stringContaining("2:14 - Type 'string'") },
  ]);
  expect((await session.run("/** @module fine */\nexport const a: number = 1;")).outputs).toEqual([]);
  expect(textOf(await session.run("import { a } from './fine';\na"))).toBe("1");
  expect(textOf(await session.run("(await import('./fine')).a"))).toBe("1");
});

test("an error in a local module names its file, its own line and column, and the line that called", async () => {
  const write = (name: string, text: string) => writeFileSync(join(session.folder, name), text);
  write(
    "helper.ts",
    `interface Gone { a: number }
enum Side { Left, Right }
export function fails(n: number): number {
  const wide: Gone = { a: n };
  if (wide.a > 1) throw new RangeError("too big " + Side.Left);
  return n;
}
export async function later(n: number): Promise<number> {
  await new Promise(done => setTimeout(done, 5));
  return fails(n);
}
`,
  );
  const code = 'import { fails, later } from "./helper.ts";\nfails(2);';
  const { traceback } = errorOf(await session.run(code));
  expect(traceback).toMatch(/^RangeError: too big 0\n\nhelper\.ts:5:25, in fails\n/);
  expect(traceback).toContain("> 5 |   if (wide.a > 1) throw new RangeError");
  expect(traceback).toMatch(/\nCell \[\d+\], line 2\n[\s\S]*> 2 \| fails\(2\);/);
  const waited = errorOf(await session.run("await later(3);")).traceback;
  expect(waited).toMatch(
    /helper\.ts:5:25, in fails\n[\s\S]*helper\.ts:10:10, in later\n[\s\S]*> 1 \| await later\(3\);/,
  );
  expect(
    textOf(
      await session.run(
        "(() => { try { return fails(2) } catch (error) { return (error as Error).stack!.match(/helper[^)]*/)![0] } })()",
      ),
    ),
  ).toBe("helper.ts:5:25");

  write("helper.ts", "export const fails = (n: number): number => n * 10;\nexport const later = fails;\n");
  expect(textOf(await session.run(code))).toBe("20");

  write("top.ts", "type Gone = 1;\n\nconst nothing: any = undefined;\nexport const y = nothing.missing;\n");
  const top = () => session.run('import { y } from "./top.ts";\ny').then(errorOf);
  await top();
  const again = (await top()).traceback;
  expect(again).toMatch(/top\.ts:4:26\n/);
  expect(again.match(/Cell/g)).toHaveLength(1);
  expect(again).not.toMatch(/kernels|node:/);

  write("plain.js", "\nexport function bad() {\n  throw new Error('plain');\n}\n");
  write(
    "old.cts",
    "interface Gone { a: 1 }\n\nfunction bad(): never {\n  throw new Error('common');\n}\nmodule.exports = { bad };\n",
  );
  expect(errorOf(await session.run('import { bad } from "./plain.js";\nbad()')).traceback).toContain(
    "plain.js:3:9, in bad\n",
  );
  expect(errorOf(await session.run('require("./old.cts").bad()')).traceback).toContain(
    "old.cts:4:9, in bad\n",
  );
});

test("a cell of 5,000 statements names the line that is wrong", async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `let many${index}: number = ${index};`).join("\n");
  const thrown = errorOf(await session.run(`${lines}\n(undefined as any).x;`)).traceback;
  expect(thrown).toContain("> 5001 | (undefined as any).x;");
  const { evalue } = errorOf(await session.run(`${lines}\nconst wrong: string = many4;`));
  expect(evalue).toBe("line 5001:7 - Type 'number' is not assignable to type 'string'. (TS2322)");
});

test.each([
  "// @ts-nocheck\nconst n: number = 'text';\nn",
  "// a title\n\n//@ts-nocheck\nconst n: number = 'text';\nn",
  "/* a licence */\n/* @ts-nocheck */ const n: number = 'text';\nn",
])("%j is not checked", async code => {
  expect(textOf(await session.run(code))).toBe("text");
});

test("the last expression is shown whatever ends it; a declaration, a block and a timer's handle are not", async () => {
  for (const code of ["41 + 1", "41 + 1;", "41 + 1; // so", "41 + 1 ;;\n\n", "/* a */ 41 + 1 /* b */;"])
    expect(textOf(await session.run(code))).toBe("42");
  const handles = ["setTimeout(() => {}, 1)", "setInterval(() => {}, 1).unref();", "setImmediate(() => {})"];
  for (const code of [...handles, "let five = 5", "if (true) { 7 }", "undefined;", "void 0"])
    expect((await session.run(code)).outputs).toEqual([]);
});

test.each([
  ["parentheses", `(${"(".repeat(6000)}`],
  ["closed parentheses", `${"(".repeat(6000)}1${")".repeat(6000)}`],
  ["blocks", "{".repeat(40_000)],
  ["conditions", `const deep = ${"true ? 1 : ".repeat(20_000)}0;`],
])("a cell with thousands of nested %s is a mistake, and the kernel keeps its variables", async (_, cell) => {
  await session.run("var survivor = 'here'");
  const { evalue } = errorOf(await session.run(cell));
  expect(evalue).toMatch(/deep|nest/);
  expect(textOf(await session.run("survivor"))).toContain("here");
});
