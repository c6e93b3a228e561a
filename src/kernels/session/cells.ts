import { type CompileOptions, compileCell } from "../cells/compile.ts";
import type { Declared } from "../cells/declarations.ts";
import type { Language, Syntax } from "../cells/syntax.ts";
import { type Failure, Interrupted, syntaxFailure, thrownFailure } from "../errors/failure.ts";
import type { CellRuns } from "./cell-runs.ts";
import type { CellRuntime } from "./cell-runtime.ts";
import type { Evaluator } from "./evaluator.ts";

export type Outcome = { value: unknown } | { failure: Failure };

export type Cells = ReturnType<typeof openCells>;

/** Names by which libraries detect where they run; a cell may have them only for itself. */
const TELLING = ["window", "document", "self", "navigator", "Deno", "Bun", "define", "jest", "importScripts"];

interface CellsParts {
  evaluator: Evaluator;
  syntax: Syntax;
  runtime: CellRuntime;
  runs: CellRuns;
  /** Whether loops look, every now and then, whether their cell has been interrupted; default: false. */
  checksLoops?: boolean;
}

export function openCells({ evaluator, syntax, runtime, runs, checksLoops = false }: CellsParts) {
  const known = new Map<string, Declared>();
  const bindings = new Map<string, string>();
  /** Those that there are when the first cell runs. */
  let globals: ReadonlySet<string> | undefined;
  let run = 0;

  return {
    names: (): readonly string[] => [...known.keys()],
    /** The names under which variables are bound, by their own; without those of the kernel's own cell. */
    bindings: bindings as ReadonlyMap<string, string>,
    abandon: evaluator.forget,
    /** Describes what was thrown outside of a cell's own course, such as in a callback. */
    describe: (thrown: unknown) => thrownFailure(thrown, runs),
    async run(source: string, count: number, language: Language): Promise<Outcome> {
      run += 1;
      globals ??= new Set([...globalNames(), ...TELLING]);
      const options: CompileOptions = { run, language, known, globals, checksLoops };
      const cell = compileCell(syntax, source, options);
      if ("mistakes" in cell) return { failure: syntaxFailure(source, cell.mistakes) };
      const name = runs.add(cell, count);
      for (const [each, declared] of cell.declared) {
        known.set(each, declared);
        if (count > 0) bindings.set(each, declared.binding);
      }
      runtime.value = undefined;
      runtime.forgetPlaces();
      const evaluated = await evaluator.evaluate(cell.code, name);
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

function* globalNames(): Generator<string> {
  for (let owner: object = globalThis; owner !== Object.prototype; owner = Object.getPrototypeOf(owner))
    yield* Object.getOwnPropertyNames(owner);
}
