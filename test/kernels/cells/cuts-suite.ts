import fc from "fast-check";
import { expect, test } from "vitest";
import { type EvaluatorName, openNotebook } from "./evaluate.ts";
import { EPILOGUE, PROLOGUE, program } from "./random-programs.ts";

/** Tests cells against modules in an evaluator. Only one in a process: names are those of the process. */
export function testCuts(evaluator: EvaluatorName): void {
  test("a program that is cut into cells anywhere does what it does as one module", async () => {
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(program, fc.infiniteStream(fc.boolean()), async (statements, cuts) => {
        const lines = [...PROLOGUE, ...statements, ...EPILOGUE];
        serial += 1;
        const key = `log${serial}`;
        const logs = globalThis as unknown as Record<string, number[]>;
        logs[key] = [];
        const { transformSync } = await import("oxc-transform");
        const whole = `const log = n => globalThis.${key}.push(n);\n${lines.join("\n")}`;
        const { code } = transformSync("module.ts", whole);
        await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
        const expected = logs[key];
        logs[key] = [];
        const notebook = openNotebook({ evaluator });
        await notebook.run(`const log = (n: number) => (globalThis as any).${key}.push(n);`);
        let cell: string[] = [];
        for (const line of lines) {
          cell.push(line);
          // Between two cells, what was scheduled runs, so only a line that waits for it lets the cells be parted.
          if (!cuts.next().value || statements.some(each => each.includes(".then(") && lines.includes(each)))
            continue;
          await notebook.run(cell.join("\n"));
          cell = [];
        }
        await notebook.run(cell.join("\n"));
        expect(logs[key]).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });
}
