import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type EvaluatorName, openNotebook } from "./evaluate.ts";
import { SEMANTICS } from "./semantics.ts";

/** Tests what cells mean in an evaluator. Only one in a process: names are those of the process. */
export function testSemantics(evaluator: EvaluatorName): void {
  test.each(SEMANTICS)("%j", async (cells, value) => {
    const notebook = openNotebook({ evaluator });
    let last: unknown;
    for (const cell of cells) last = await notebook.run(cell);
    expect(last).toEqual(value);
  });

  test("running any cell twice works", async () => {
    for (const [cells] of SEMANTICS) {
      const notebook = openNotebook({ evaluator });
      for (const cell of cells) {
        await notebook.run(cell);
        await expect(notebook.run(cell), cell).resolves.not.toThrow();
      }
    }
  });

  test("a name that hides a global does so for cells alone", async () => {
    const notebook = openNotebook({ evaluator });
    await notebook.run("const setTimeout = () => { throw new Error('mine') }, process = 1, Buffer = 2;");
    await expect(notebook.run("setTimeout()")).rejects.toThrow("mine");
    await sleep(1);
    expect(await notebook.run("[process, Buffer]")).toEqual([1, 2]);
    expect(typeof process.pid).toBe("number");
  });

  test("a constant can't be assigned to, also by a later cell", async () => {
    const notebook = openNotebook({ evaluator });
    await notebook.run("const fixed = 1;");
    for (const cell of ["fixed = 2", "fixed++", "fixed += 1"])
      await expect(notebook.run(cell)).rejects.toThrow("TypeError: Assignment to constant variable 'fixed'.");
    expect(await notebook.run("fixed")).toBe(1);
  });
}
