import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newFolder } from "../../notebook-run/support.ts";
import { errorOf, openSession, type Session, textOf } from "./session.ts";

let session: Session;
beforeAll(async () => {
  const folder = newFolder();
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
