import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newFolder } from "../../folder.ts";
import { errorOf, openSession, type Session, textOf } from "./session.ts";

let session: Session;

function install(folder: string, name: string, manifest: object, files: Record<string, string>): void {
  const root = join(folder, "node_modules", name);
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "package.json"), JSON.stringify({ name, version: "1.0.0", ...manifest }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, file), text);
}

beforeAll(async () => {
  const folder = newFolder();
  install(
    folder,
    "late",
    { type: "module", exports: { types: "./late.d.ts", import: "./late.js" } },
    {
      "late.js": "await null;\nexport const answer = 42;",
      "late.d.ts": "export declare const answer: number;",
    },
  );
  writeFileSync(join(folder, "local.ts"), "export const local: string = 'local';");
  writeFileSync(join(folder, "plain.mjs"), "export default 'plain';");
  const write = (name: string, text: string | Uint8Array) => writeFileSync(join(folder, name), text);
  for (const name of ["plain", "bag", "react"])
    mkdirSync(join(folder, "node_modules", name), { recursive: true });
  write("node_modules/plain/index.js", "exports.size = text => text.length;");
  write(
    "node_modules/bag/index.js",
    "function bag() {}\nfor (const n of ['sum']) bag[n] = (a, b) => a + b;\nmodule.exports = bag;",
  );
  write("node_modules/bag/index.d.ts", "export function sum(a: number, b: number): number;");
  const exports = { "./jsx-runtime": { types: "./jsx-runtime.d.ts", default: "./jsx-runtime.js" } };
  write("node_modules/react/package.json", JSON.stringify({ name: "react", exports }));
  write(
    "node_modules/react/jsx-runtime.js",
    "exports.jsx = (type, props) => ({ of: 'react', type, props });",
  );
  write(
    "node_modules/react/jsx-runtime.d.ts",
    "export namespace JSX { interface IntrinsicElements { p: { id: string } } type Element = { of: string } }",
  );
  write("view.tsx", "export const Title = ({ text }: { text: string }) => <h1>{text}</h1>;");
  const add = "0061736d0100000001070160027f7f017f030201000707010361646400000a09010700200020016a0b";
  write("add.wasm", Buffer.from(add, "hex"));
  session = await openSession({ folder });
  const cells = [
    "const rows = [1, 2];\nconst point = { x: 1, y: { z: 3 }, 'a-b': 4 };\nlet x = 0;",
    "function half(n: number) { return n / 2; }",
  ];
  for (const cell of cells) expect((await session.run(cell)).reply.status).toBe("ok");
});

test("one line ends the checks of a notebook, another begins them again, and the first type error says so", async () => {
  const wrong = 'const wrong: number = "text"; typeof wrong';
  expect(errorOf(await session.run(wrong)).traceback).toContain("// @ts-nocheck notebook");
  expect(errorOf(await session.run(wrong)).traceback).not.toContain("@ts-nocheck");
  expect(textOf(await session.run(`// @ts-nocheck\n${wrong}`))).toBe("string");
  expect(errorOf(await session.run(wrong)).evalue).toContain("TS2322");
  expect(textOf(await session.run(`// @ts-nocheck notebook\n${wrong}`))).toBe("string");
  expect(textOf(await session.run(wrong))).toBe("string");
  expect(errorOf(await session.run("const = 5")).ename).toBe("TypeScriptError");
  expect(errorOf(await session.run(`// @ts-check notebook\n${wrong}`)).evalue).toContain("TS2322");
});

test.each([
  ["({ rows, half }).rows", "[ 1, 2 ]"],
  ["const { x: first, y: { z }, 'a-b': ab } = point;\n[first, z, ab]", "[ 1, 3, 4 ]"],
  ["const [one, ...others] = rows;\n[one, others]", "[ 1, [ 2 ] ]"],
  ["let target = 0;\n({ x: target } = point);\ntarget", "1"],
  ["({ x } = point);\nx", "1"],
  ["({ x = 9 } = {} as { x?: number });\nx", "9"],
  ["const { length } = rows;\nlength", "2"],
  ["(({ x }: { x: number }) => x)(point)", "1"],
])("%j means what it says with what earlier cells declared", async (code, value) => {
  expect(textOf(await session.run(code))).toBe(value);
});

test("for await works at the top of a cell", async () => {
  const { outputs } = await session.run(`async function* count() { yield 1; yield 2; }
const seen: number[] = [];
for await (const n of count()) seen.push(n);
for await (const n of [Promise.resolve(3), 4]) { if (n === 4) break; seen.push(n); }
seen`);
  expect(outputs).toMatchObject([{ data: { "text/plain": "[ 1, 2, 3 ]" } }]);
});

test.each([
  ['(await import("late")).answer', "42"],
  ['const { answer } = await import("late");\nconst typed: number = answer;\ntyped', "42"],
  ['const { default: plain } = await import("./plain.mjs");\nplain', "plain"],
  ['(await import("./local")).local', "local"],
  ['(await import("node:path")).sep', "/"],
  ['const name = "node:" + "os";\ntypeof (await import(name)).cpus', "function"],
  ['typeof (await import("ketbook")).run', "function"],
])("%s imports", async (code, value) => {
  const ran = await session.run(code);
  expect(textOf(ran), JSON.stringify(ran.outputs)).toBe(value);
  expect(ran.outputs).toHaveLength(1);
});

test("vega can be imported and used", async () => {
  const installed = join(import.meta.dirname, "../../../node_modules/vega");
  symlinkSync(installed, join(session.folder, "node_modules/vega"), "dir");
  const ran = await session.run(
    'const vega = await import("vega");\nawait new vega.View(vega.parse({ marks: [], width: 10, height: 10 })).toSVG()',
  );
  expect(textOf(ran), JSON.stringify(ran.outputs)).toMatch(/^<svg /);
});

test("a module that waits at its top can be imported by a declaration", async () => {
  expect(textOf(await session.run('import { answer } from "late";\nanswer'))).toBe("42");
});

test("a module that isn't there says so", async () => {
  expect(errorOf(await session.run('await import("nowhere" + "");')).evalue).toMatch(/nowhere/);
});

test("completion and inspection count characters, also after a picture of two units, and answer in any case", async () => {
  const code = '"🐈🐈"; rows.leng';
  const completed = await session.ask("complete_request", { code, cursor_pos: [...code].length });
  expect(completed).toMatchObject({ status: "ok", cursor_start: 11, cursor_end: 15 });
  expect(completed.matches).toContain("length");
  const inspected = await session.ask("inspect_request", {
    code: '"🐈"; rows',
    cursor_pos: 7,
    detail_level: 0,
  });
  expect(inspected).toMatchObject({
    found: true,
    data: { "text/plain": expect.stringContaining("number[]") },
  });
  const program = "OPENQASM 3.0; qu";
  expect(await session.ask("complete_request", { code: program, cursor_pos: 16 })).toMatchObject({
    matches: ["qubit"],
  });
  expect(await session.ask("inspect_request", { code: program, cursor_pos: 10 })).toMatchObject({
    found: false,
  });
});

test("the kernel says which language it speaks", () => {
  expect(session.info).toMatchObject({
    status: "ok",
    implementation: "ketbook",
    language_info: { name: "typescript", version: expect.stringMatching(/^7\./) },
  });
});

const called = `const called: string[] = [];
const note = (_: unknown, { kind, name }: DecoratorContext) => { called.push(kind + " " + String(name)); };`;

test.each([
  [
    "a method, a getter, a setter, a field, an accessor, static and private ones, and a computed one",
    `class A {
  @note method() {}
  @note get read() { return 1; }
  @note set read(_) {}
  @note field = 1;
  @note accessor both = 2;
  @note static async later() {}
  @note #own() {}
  @note ["comp" + "uted"]() {}
  use() { this.#own(); }
}
called.join(", ")`,
    "method later, method method, getter read, setter read, accessor both, method #own, method computed, field field",
  ],
  [
    "a class before, and after, its export",
    "@note export class B {}\nexport @note class C {}\n@note export default class D {}\ncalled.slice(-3).join()",
    "class B,class C,class D",
  ],
  [
    "a class that its decorator replaces",
    `const tagged = <T extends new (...given: any[]) => object>(base: T, { name }: ClassDecoratorContext) =>
  class extends base { tag = name; };
@tagged class E { one = 1; }
new E()`,
    "E { one: 1, tag: 'E' }",
  ],
  [
    "a class expression, a member of a namespace, a call, and any expression",
    'const all = { note, of: (_: number) => note };\nconst F = @all.note @all.of(1) @(all["note"]) class {};\ncalled.slice(-3).join()',
    "class F,class F,class F",
  ],
  [
    "initial values and initializers",
    `const twice = (_: undefined, __: ClassFieldDecoratorContext) => (value: number) => value * 2;
const bound = (_: unknown, context: ClassMethodDecoratorContext) => {
  context.addInitializer(function (this: any) { this[context.name] = this[context.name].bind(this); });
};
class G { @twice n = 21; @bound get() { return this.n; } }
const { get } = new G();
get()`,
    "42",
  ],
  [
    "metadata that all decorators of a class share",
    `const mark = (_: unknown, { name, metadata }: DecoratorContext) => { ((metadata.marks ??= []) as unknown[]).push(name); };
class H { @mark a() {} @mark b() {} }
H[Symbol.metadata]!.marks`,
    "[ 'a', 'b' ]",
  ],
  [
    "a class that is sealed",
    "const sealed = (of: Function, _: ClassDecoratorContext) => { Object.seal(of); };\n@sealed class I {}\nObject.isSealed(I)",
    "true",
  ],
])("decorators work on %s", async (_, code, shown) => {
  await session.run(called);
  expect(textOf(await session.run(code))).toBe(shown);
});

test("a class does not show its metadata", async () => {
  expect(textOf(await session.run("@note class J { static one = 1; }\nJ"))).toBe("[class J] { one: 1 }");
});

test("a CommonJS package gives all that it exports to a namespace, whether imported at the top or by a call", async () => {
  const folder = join(session.folder, "node_modules", "utilities");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "utilities", main: "main.js", types: "main.d.ts" }),
  );
  writeFileSync(
    join(folder, "main.js"),
    "(function () { function all(x) { return x; } all.sum = l => l.reduce((a, b) => a + b, 0); module.exports = all; }).call(this);",
  );
  writeFileSync(
    join(folder, "main.d.ts"),
    "declare const all: all.All;\ndeclare namespace all { interface All { (x: number): number; sum(of: number[]): number } }\nexport = all;\n",
  );
  expect(textOf(await session.run('import * as u from "utilities";\nu.sum([1, 2])'))).toBe("3");
  expect(
    textOf(await session.run('const v = await import("utilities");\n[v.sum([1, 2]), v.default(4)]')),
  ).toBe("[ 3, 4 ]");
});

test("cells run in the notebook's folder", async () => {
  const { outputs } = await session.run(
    'console.log([process.cwd(), __dirname, import.meta.dirname, require("node:path").resolve(".")].join("\\n"))',
  );
  expect(outputs).toMatchObject([{ text: `${Array(4).fill(session.folder).join("\n")}\n` }]);
});

test("a name that a library gives to the global object can be used", async () => {
  await session.run(
    "Object.assign(globalThis, { fromLibrary: 3 }); new Function('globalThis.dynamic = 4')();",
  );
  expect(textOf(await session.run("fromLibrary + dynamic"))).toBe("7");
  expect(errorOf(await session.run("neverGiven")).evalue).toContain("Cannot find name 'neverGiven'");
});

test("functions that speak of a redeclared name have its new type, and what was computed keeps its own", async () => {
  await session.run(
    "let unit = 1; const twice = unit * 2; const now = () => unit; function later() { return now(); }",
  );
  await session.run("let unit = 'text';");
  expect(textOf(await session.run("later().toUpperCase() + twice.toFixed(1)"))).toBe("TEXT2.0");
  expect(errorOf(await session.run("later().toFixed()")).evalue).toContain("does not exist on type 'string'");
  await session.run("class Box { a = 1 }\nconst make = () => new Box();");
  await session.run("class Box { b = 2 }");
  expect(textOf(await session.run("make().b"))).toBe("2");
  await session.run("let k = 1; function memo() { return k; }\nmemo.cache = 5;");
  await session.run("let k = 'k';");
  expect(textOf(await session.run("memo.cache + 1"))).toBe("6");
});

test("a cell declares the types of a module that has none, and declares them anew", async () => {
  const types = (result: string) =>
    `declare module "plain" { export function size(text: string): ${result} }`;
  const { outputs } = await session.run(types("number"));
  expect(outputs).toEqual([]);
  expect(textOf(await session.run('import { size } from "plain"; size("abc").toFixed(1)'))).toBe("3.0");
  expect(errorOf(await session.run('import { size } from "plain"; size(5)')).evalue).toContain("TS2345");
  await session.run(types("string"));
  expect(errorOf(await session.run('import { size } from "plain"; size("abc").toFixed(1)')).evalue).toContain(
    "TS2551",
  );
});

test("a WebAssembly module can be imported", async () => {
  expect(textOf(await session.run('import { add } from "./add.wasm"; add(2, 3)'))).toBe("5");
});

test("WebAssembly has its types, and what a module exports can be called", async () => {
  const bytes = "const bytes: Uint8Array = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);";
  const run =
    "const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes)); typeof exports.add";
  expect(textOf(await session.run(`${bytes} ${run}`))).toBe("undefined");
  expect(errorOf(await session.run("new WebAssembly.Module(5)")).evalue).toContain("TS2345");
  expect(textOf(await session.run("typeof (() => exports.add(1, 2) + 1)"))).toBe("function");
});

test("namespaces export what can change, and aliases", async () => {
  await session.run("namespace Counter { export let n = 1; export function up() { n += 1; return n; } }");
  expect(textOf(await session.run("Counter.up(); Counter.n"))).toBe("2");
  expect(
    textOf(
      await session.run("namespace Deep.Er { export import C = Counter; export const q = C.n; } Deep.Er.q"),
    ),
  ).toBe("2");
});

test("a namespace import of a CommonJS module has all that the module exports, as bundlers make it", async () => {
  expect(textOf(await session.run('import * as bag from "bag"; bag.sum(1, 2)'))).toBe("3");
});

test("elements of JSX show themselves as HTML, are checked, and follow a pragma", async () => {
  const { outputs } = await session.run('import { Title } from "./view"; <Title text="a & b" />');
  expect(outputs).toMatchObject([{ data: { "text/html": "<h1>a &amp; b</h1>" } }]);
  expect(errorOf(await session.run("<Title text={5} />")).evalue).toContain("TS2322");
  expect(errorOf(await session.run("<div>{</div>")).ename).toMatch(/Error/);
  const own =
    "/** @jsx own */\nconst own = (type: string, props: any, ...inner: any[]) => [type, ...inner].join();\n<b>x</b>";
  expect(textOf(await session.run(own))).toBe("b,x");
  const react = '/** @jsxImportSource react */\nconst made = <p id="i" />;\nmade.of';
  expect(textOf(await session.run(react))).toBe("react");
  expect(
    textOf(
      await session.run(
        "class K { @((_: any, c: any) => {}) x() { return <i>d</i>; } }\nnew K().x().toHtml()",
      ),
    ),
  ).toBe("<i>d</i>");
});
