import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { openNativeCells } from "../../../src/kernels/jupyter/native-cells.ts";
import { newFolder } from "../../folder.ts";
import { testCuts } from "./cuts-suite.ts";
import { EPILOGUE, PROLOGUE, program } from "./random-programs.ts";

testCuts("the kernel's evaluator");

const typed = openNativeCells(newFolder(), "typescript", () => undefined);
afterAll(() => typed.close());

test("a program that has no type errors has none in cells either, wherever it is cut", {
  timeout: 60_000,
}, async () => {
  const check = async (source: string) => expect((await typed.check(source))?.evalue, source).toBeUndefined();
  await check("const log = (n: number) => void n;");
  await fc.assert(
    fc.asyncProperty(program, fc.infiniteStream(fc.boolean()), async (statements, cuts) => {
      const lines = [...PROLOGUE, ...statements, ...EPILOGUE];
      await check(lines.join("\n"));
      let cell: string[] = [];
      for (const line of lines) {
        cell.push(line);
        if (!cuts.next().value) continue;
        await check(cell.join("\n"));
        cell = [];
      }
      await check(cell.join("\n"));
    }),
    { numRuns: 15 },
  );
});
