import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newFolder } from "../../notebook-run/support.ts";
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
