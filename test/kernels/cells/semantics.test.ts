import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openNotebook } from "./evaluate.ts";

/** Cells of one notebook, and the value of the last of them. */
const table: [cells: string[], value: unknown][] = [
  [["await (async () => 6)()"], 6],
  [["let done = false; try { await (async () => { done = true })() } catch {} done"], true],
  [["await [1]"], [1]],
  [["const x1 = 5; await (x1)"], 5],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the cell that has a template.
  [["const t4 = `${await Promise.resolve(1)}b`;", "t4"], "1b"],
  [["const [a1 = await Promise.resolve(3)] = [];", "a1"], 3],
  [["if (await Promise.resolve(true)) { var seen1 = 1 }", "seen1"], 1],
  [
    [
      "const o1 = { async m() { return (await this.n()).v }, async n() { return { v: 2 } } };",
      "await o1.m()",
    ],
    2,
  ],
  [["label: for (const n of [1, 2]) { for (;;) { await null; continue label } }\n7"], 7],
  [["let n2 = 1; const f2 = () => n2;", "n2 = 2;", "f2()"], 2],
  [["const f3 = () => later3();", "function later3() { return 3 }", "f3()"], 3],
  [["function g4() { return 1 } const h4 = () => g4();", "function g4() { return 2 }", "h4()"], 2],
  [["class A5 { v = 1 } const make5 = () => new A5().v;", "class A5 { v = 2 }", "make5()"], 2],
  [["const o6 = { get v() { return hidden6 } };", "let hidden6 = 6;", "o6.v"], 6],
  [["for (var i7 = 0; i7 < 3; i7++) {}", "i7"], 3],
  [["for (var k8 of [1, 2]) {}", "k8"], 2],
  [["var v9 = 1;", "var v9;", "v9"], 1],
  [
    [
      "let r10 = 1;",
      "const r10 = 2;",
      "var r10 = 3;",
      "function r10() {}",
      "class r10 {}",
      "let r10 = 4;",
      "r10",
    ],
    4,
  ],
  [["const r11 = 1; const f11 = () => r11;", "let r11 = 2;", "f11()"], 2],
  [["function r12() { return 1 } const f12 = () => r12;", "const r12 = 5;", "f12()"], 5],
  [["var r13 = 1; const f13 = () => r13;", "class r13 {}", "typeof f13()"], "function"],
  [["f14(); function f14() { return 1 } f14()"], 1],
  [
    [
      "const even15 = (n: number): boolean => n === 0 || odd15(n - 1);",
      "const odd15 = (n: number): boolean => n !== 0 && even15(n - 1);",
      "even15(10)",
    ],
    true,
  ],
  [
    ["const { a: a16, ...rest16 } = { a: 1, b: 2 };", "[a16, rest16]"],
    [1, { b: 2 }],
  ],
  [["enum Side17 { Left, Right }", "Side17[1]"], "Right"],
  [
    ["enum Side18 { Left }", "enum Side18 { Up }", "Object.keys(Side18)"],
    ["0", "Up"],
  ],
  [["namespace N19 { export const v = 1 }", "N19.v"], 1],
  [["class P20 { constructor(readonly v: number) {} }", "new P20(4).v"], 4],
  [["function f21() {} f21.name"], "f21"],
  [["const f22 = () => {}; class C22 {}; [f22.name, C22.name]"], ["f22", "C22"]],
  [
    [
      "async function* g23() { yield 1 }",
      "const seen23: number[] = []; for await (const n of g23()) seen23.push(n); seen23",
    ],
    [1],
  ],
  [["this"], undefined],
  [["(function () { return this })()"], undefined],
  [["typeof import.meta.url"], "string"],
  [["import { sep } from 'node:path';", "const f25 = () => sep;", "f25()"], "/"],
  [["const f26 = () => basename('/a/b');", "import { basename } from 'node:path';", "f26()"], "b"],
  [["import fs27, * as all27 from 'node:fs';", "fs27.existsSync === all27.existsSync"], true],
  [["import { join as j28 } from 'node:path';", "let j28 = 5;", "j28"], 5],
  [["let os29 = 1; const f29 = () => os29;", "import os29 from 'node:os';", "typeof f29().cpus"], "function"],
  [["import { setTimeout } from 'node:timers/promises'; await setTimeout(1, 'later')"], "later"],
  [
    ["const window = {}, fetch = () => 'mine';", "({ fetch }).fetch() + typeof globalThis.fetch"],
    "minefunction",
  ],
  [["const c30 = 1; try { (c30 as any) = 2 } catch (error) { (error as Error).name }", "c30"], 1],
  [["export const e31 = 31; export default e31;", "e31"], 31],
  [
    [
      "const log32: string[] = []; { using r = { [Symbol.dispose]() { log32.push('block') } } }\nusing t = { [Symbol.dispose]() { log32.push('cell') } };",
      "log32",
    ],
    ["block", "cell"],
  ],
  [["'use strict'"], "use strict"],
  [["1;\n// a comment"], 1],
  [["const v33 = 1"], undefined],
  [["if (true) { 5 }"], undefined],
  [["({ a: 1 } satisfies { a: number })"], { a: 1 }],
  [["const x34 = <T,>(v: T) => v; x34!(3) as number"], 3],
  [["#!/usr/bin/env node\n35"], 35],
  [["String(async (x: Promise<number>) => { await x })"], "async (x) => {\n\t(await (x));\n}"],
  [
    [
      "const order: number[] = []; Promise.resolve().then(() => order.push(2)); (async () => { order.push(1); await Promise.resolve(); order.push(3) })(); await new Promise(done => setTimeout(done, 1)); order",
    ],
    [1, 2, 3],
  ],
];

test.each(table)("%j", async (cells, value) => {
  const notebook = openNotebook();
  let last: unknown;
  for (const cell of cells) last = await notebook.run(cell);
  expect(last).toEqual(value);
});

test("running any cell twice works", async () => {
  for (const [cells] of table) {
    const notebook = openNotebook();
    for (const cell of cells) {
      await notebook.run(cell);
      await expect(notebook.run(cell), cell).resolves.not.toThrow();
    }
  }
});

test("a name that hides a global does so for cells alone", async () => {
  const notebook = openNotebook();
  await notebook.run("const setTimeout = () => { throw new Error('mine') }, process = 1, Buffer = 2;");
  await expect(notebook.run("setTimeout()")).rejects.toThrow("mine");
  await sleep(1);
  expect(await notebook.run("[process, Buffer]")).toEqual([1, 2]);
  expect(typeof process.pid).toBe("number");
});

test("a constant can't be assigned to, also by a later cell", async () => {
  const notebook = openNotebook();
  await notebook.run("const fixed = 1;");
  for (const cell of ["fixed = 2", "fixed++", "fixed += 1"])
    await expect(notebook.run(cell)).rejects.toThrow("TypeError: Assignment to constant variable 'fixed'.");
  expect(await notebook.run("fixed")).toBe(1);
});

test("modules in the folder are read again after an edit, and so are those that import them", async () => {
  const notebook = openNotebook();
  const write = (name: string, text: string) => writeFileSync(join(notebook.folder, name), text);
  write(
    "inner.ts",
    "export enum E { A = 1 }\nexport let count = 0;\nexport const more = () => { count += 1 };",
  );
  write("outer.ts", "import { E } from './inner';\nexport const value: number = E.A;");
  expect(
    await notebook.run("import { value } from './outer.js';\nimport { count, more } from './inner';\nvalue"),
  ).toBe(1);
  expect(await notebook.run("more();\ncount")).toBe(1);
  await sleep(20);
  write(
    "inner.ts",
    "export enum E { A = 2 }\nexport let count = 0;\nexport const more = () => { count += 1 };",
  );
  expect(await notebook.run("import { value } from './outer.js';\nvalue")).toBe(2);
});
