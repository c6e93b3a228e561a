import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSession, textOf } from "./session.ts";

const session = await openSession();

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
