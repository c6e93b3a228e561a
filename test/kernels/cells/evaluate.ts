import { compileCell } from "../../../src/kernels/cells/compile.ts";
import type { Declared } from "../../../src/kernels/cells/declarations.ts";
import type { Language } from "../../../src/kernels/cells/syntax.ts";
import { openCellRuns } from "../../../src/kernels/jupyter/cell-runs.ts";
import { openRuntime } from "../../../src/kernels/jupyter/cell-runtime.ts";
import { openCells } from "../../../src/kernels/jupyter/cells.ts";
import { openEvaluator } from "../../../src/kernels/jupyter/evaluator.ts";
import { openModules } from "../../../src/kernels/jupyter/modules.ts";
import { oxc } from "../../../src/kernels/jupyter/syntax.ts";
import { newFolder } from "../../notebook-run/support.ts";

const folder = newFolder();
const runtime = openRuntime(openModules(folder));
const evaluator = openEvaluator(runtime.passage);

/** A session of cells in this process, without types and without a protocol. */
export function openNotebook(language: Language = "typescript") {
  const cells = openCells(evaluator, runtime, openCellRuns(runtime.placesOf));
  let count = 0;
  return {
    folder,
    /** Runs a cell. Returns its value, or throws what it failed with, as `Name: message`. */
    async run(source: string): Promise<unknown> {
      count += 1;
      const outcome = await cells.run(source, count, language);
      if ("failure" in outcome) throw new Error(`${outcome.failure.ename}: ${outcome.failure.evalue}`);
      return outcome.value;
    },
  };
}

/** Compiles a cell that comes after others. */
export function compile(source: string, known: ReadonlyMap<string, Declared> = new Map()) {
  return compileCell(oxc, source, { run: 1, language: "typescript", known, globals: new Set(["fetch"]) });
}
