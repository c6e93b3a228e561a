import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openLocalFiles } from "../../../src/kernels/jupyter/local-files.ts";
import { newFolder } from "../../folder.ts";
import { errorOf, openSession, type Session, textOf } from "./session.ts";

let session: Session;
beforeAll(async () => {
  const folder = newFolder();
  for (const each of ["lib/deep", "base"]) mkdirSync(join(folder, each), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write(
    "base/tsconfig.json",
    `{ // Shared by several notebooks
      "compilerOptions": { "strict": true, "experimentalDecorators": true, "paths": { "~/*": ["../nowhere/*", "../lib/*"], }, },
    }`,
  );
  write("tsconfig.json", '{ "extends": "./base/tsconfig" }');
  write("lib/one.ts", 'import { two } from "~/deep/two";\nexport const one: number = two - 1;');
  write("lib/deep/two.ts", "export const two = 2;");
  write(
    "lib/marked.ts",
    `const marks: string[] = [];
const mark = (_: object, name: string) => void marks.push(name);
export class Marked { @mark first = 1; @mark second() {} }
export { marks };`,
  );
  session = await openSession({ folder });
});

test("the paths of the folder's configuration, and of one that it extends, lead to modules", async () => {
  expect(textOf(await session.run('import { one } from "~/one";\none'))).toBe("1");
  expect(textOf(await session.run('(await import("~/deep/two.js")).two'))).toBe("2");
  expect(errorOf(await session.run('import { three } from "~/three";')).evalue).toContain("~/three");
});

test("decorators are those of the folder's configuration, in cells and in modules", async () => {
  const code = `import { marks } from "~/marked";
const seen: string[] = [];
const note = (_: object, name: string, at?: number | PropertyDescriptor) => void seen.push(name + typeof at);
class Noted { @note field = 1; @note method(@note given: number) { return given } }
[...marks, ...seen].join()`;
  expect(textOf(await session.run(code))).toBe("first,second,fieldundefined,methodnumber,methodobject");
});

test("the folder's configuration decides how strict the checks of cells are", async () => {
  expect(errorOf(await session.run("const same = value => value;")).evalue).toContain(
    "Parameter 'value' implicitly has an 'any' type. (TS7006)",
  );
});

const write = (name: string, text: string) => writeFileSync(join(session.folder, name), text);

test.each([
  ["st.ts", "export const a = 1;", "export const a = 1; export const b: string = 'b';"],
  ["m.mjs", "export const a = 1;", "export const a = 1, b = 'b';"],
])("an export that is added to %s can be imported at once", async (name, before, after) => {
  write(name, before);
  expect(textOf(await session.run(`import { a } from "./${name}"; a`))).toBe("1");
  write(name, after);
  expect(textOf(await session.run(`import { b } from "./${name}"; b.toUpperCase()`))).toBe("B");
});

test("a field that is added to a JSON file is known", async () => {
  write("d.json", '{ "x": 1 }');
  const cell = (field: string) => `import d from "./d.json" with { type: "json" }; d.${field}`;
  expect(textOf(await session.run(cell("x")))).toBe("1");
  write("d.json", '{ "x": 1, "y": 2 }');
  expect(textOf(await session.run(cell("y")))).toBe("2");
});

test("the type of a module's export follows an edit, and so do those that hand it on", async () => {
  write("inner.ts", "export const value: number = 1;");
  write("outer.ts", 'export * from "./inner";');
  expect(textOf(await session.run('import { value } from "./outer"; value.toFixed(1)'))).toBe("1.0");
  write("inner.ts", "export const value: string = 'one';");
  const wrong = errorOf(await session.run('import { value } from "./outer"; value.toFixed(1)'));
  expect(wrong.evalue).toContain("Property 'toFixed' does not exist on type 'string'");
  expect(textOf(await session.run('import { value } from "./outer"; value.length'))).toBe("3");
});

test("a module that was missing or wrong can be imported once it is there and right", async () => {
  const cell = 'import { late } from "./late"; late';
  expect(errorOf(await session.run(cell)).evalue).toContain("Cannot find module './late'");
  write("late.ts", "export const late = ;");
  expect(errorOf(await session.run(cell)).evalue).toContain("late.ts");
  write("late.ts", "export const late: number = 4;");
  expect(textOf(await session.run(cell))).toBe("4");
  rmSync(join(session.folder, "late.ts"));
  expect(errorOf(await session.run(cell)).evalue).toContain("late");
});

test("a package that is installed while the kernel runs can be imported", async () => {
  const cell = 'import { p } from "pack"; p.toFixed(1)';
  expect(errorOf(await session.run(cell)).evalue).toContain("Cannot find module 'pack'");
  mkdirSync(join(session.folder, "node_modules/pack"), { recursive: true });
  const exports = { types: "./i.d.ts", default: "./i.js" };
  write("node_modules/pack/package.json", JSON.stringify({ name: "pack", type: "module", exports }));
  write("node_modules/pack/i.js", "export const p = 3;");
  write("node_modules/pack/i.d.ts", "export declare const p: number;");
  expect(textOf(await session.run(cell))).toBe("3.0");
});

test("a tsconfig.json that is removed, or written, holds for the next cell", async () => {
  rmSync(join(session.folder, "tsconfig.json"));
  expect(textOf(await session.run("const same = value => value; same(1)"))).toBe("1");
  const cell = (name: string) => `const ${name}: number[] = [1]; ${name}[0].toFixed(1)`;
  expect(textOf(await session.run(cell("one")))).toBe("1.0");
  const compilerOptions = { strict: true, noUncheckedIndexedAccess: true, paths: { "@here/*": ["./*"] } };
  write("tsconfig.json", JSON.stringify({ compilerOptions }));
  expect(errorOf(await session.run(cell("two"))).evalue).toContain("possibly 'undefined'");
  expect(textOf(await session.run('import { value } from "@here/inner"; value.length'))).toBe("3");
});

test("files that documents import are watched, other documents are not", () => {
  const folder = newFolder();
  const files = openLocalFiles(folder, new Map());
  files.read(
    "cell.ts",
    'import "./__ketbook_cell_7"; declare const a: typeof import("./__ketbook_cell_8").a; import "./own"',
  );
  for (const name of ["__ketbook_cell_7.ts", "__ketbook_cell_8.json", "own.js"])
    writeFileSync(join(folder, name), "");
  expect(files.changes().map(({ file }) => file)).toEqual([join(folder, "own.js")]);
});
