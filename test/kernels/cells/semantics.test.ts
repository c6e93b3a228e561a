import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openNotebook } from "./evaluate.ts";
import { testSemantics } from "./semantics-suite.ts";

testSemantics("the kernel's evaluator");

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
