import { type CompileOptions, compileCell } from "../cells/compile.ts";
import type { Declared } from "../cells/declarations.ts";
import type { Language } from "../cells/syntax.ts";
import { type Failure, syntaxFailure, thrownFailure } from "../errors/failure.ts";
import { Interrupted } from "../errors/interrupted.ts";
import type { CellRuns } from "./cell-runs.ts";
import type { CellRuntime } from "./cell-runtime.ts";
import type { Evaluator } from "./evaluator.ts";
import { oxc } from "./syntax.ts";

/** How a cell ended. */
export type Outcome = { value: unknown } | { failure: Failure };

/** Compiles and runs cells, which share their top-level names. */
export interface Cells {
  run(source: string, count: number, language: Language): Promise<Outcome>;
  /** Gives up the cell that runs. */
  abandon(): void;
  /** Describes what was thrown outside of a cell's own course, such as in a callback. */
  describe(thrown: unknown): Failure;
}

/** Names by which libraries tell where they run; a cell may have them for itself alone. */
const TELLING = ["window", "document", "self", "navigator", "Deno", "Bun", "define", "jest", "importScripts"];

/** Makes a debugger hear of a script before it runs. */
const ANNOUNCED = "//# sourceMappingURL=cell";

/** Opens a session of cells. */
export function openCells(evaluator: Evaluator, runtime: CellRuntime, runs: CellRuns): Cells {
  const known = new Map<string, Declared>();
  const globals = new Set([...Object.getOwnPropertyNames(globalThis), ...TELLING]);
  let run = 0;

  return {
    abandon: evaluator.forget,
    describe: thrown => thrownFailure(thrown, runs),
    async run(source, count, language) {
      run += 1;
      const options: CompileOptions = { run, language, known, globals };
      const cell = compileCell(oxc, source, options);
      if ("mistakes" in cell) return { failure: syntaxFailure(source, cell.mistakes) };
      const name = runs.add(cell, count);
      for (const [each, declared] of cell.declared) known.set(each, declared);
      runtime.value = undefined;
      runtime.forgetPlaces();
      const evaluated = await evaluator.evaluate(
        `${cell.code}\n;void 0\n${ANNOUNCED}\n//# sourceURL=${name}`,
      );
      const { value } = runtime;
      runtime.value = undefined;
      const disposed = await runtime.disposeAll().then(
        () => undefined,
        (thrown: unknown) => ({ thrown }),
      );
      const failed = "thrown" in evaluated ? evaluated : disposed;
      if (failed) return { failure: thrownFailure(failed.thrown, runs) };
      if ("terminated" in evaluated) return { failure: thrownFailure(new Interrupted(), runs) };
      return { value };
    },
  };
}
