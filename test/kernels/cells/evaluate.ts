import { browserSyntax, needsCompiler } from "../../../src/browser/kernel/syntax.ts";
import { compileCell } from "../../../src/kernels/cells/compile.ts";
import type { Declared } from "../../../src/kernels/cells/declarations.ts";
import type { Language, Syntax } from "../../../src/kernels/cells/syntax.ts";
import { openEvaluator } from "../../../src/kernels/jupyter/evaluator.ts";
import { openModules } from "../../../src/kernels/jupyter/modules.ts";
import { downlevel, oxc } from "../../../src/kernels/jupyter/syntax.ts";
import { openCellRuns } from "../../../src/kernels/session/cell-runs.ts";
import { openRuntime } from "../../../src/kernels/session/cell-runtime.ts";
import { openCells } from "../../../src/kernels/session/cells.ts";
import { openGlobalEvaluator } from "../../../src/kernels/session/evaluator.ts";
import { newFolder } from "../../folder.ts";

const folder = newFolder();
const runtime = openRuntime({ modules: openModules(folder), throwIfInterrupted: () => undefined });
const inBrowsers = browserSyntax((source, language) =>
  needsCompiler(source) ? downlevel(source, language, { keepImports: true }) : undefined,
);

/** What cells run in: the evaluator and syntax of the kernel of Jupyter, or of a browser. */
export const EVALUATORS = {
  "the kernel's evaluator": { evaluator: openEvaluator(runtime.passage), syntax: oxc },
  "a browser's evaluator": { evaluator: openGlobalEvaluator(), syntax: inBrowsers },
} as const;

/** The name of an evaluator. */
export type EvaluatorName = keyof typeof EVALUATORS;

/** Options of {@link openNotebook}. */
export interface NotebookOptions {
  /** Default: `"typescript"`. */
  language?: Language;
  /** Default: the kernel's evaluator. */
  evaluator?: EvaluatorName;
  /** Whether loops look whether their cell has been interrupted; default: false. */
  checksLoops?: boolean;
}

/** A session of cells in this process, without types and without a protocol. */
export function openNotebook({
  language = "typescript",
  evaluator = "the kernel's evaluator",
  checksLoops = false,
}: NotebookOptions = {}) {
  const runs = openCellRuns({
    awaitedAt: runtime.placesOf,
    isOfKernel: frame => /[\\/](?:src|test|node_modules)[\\/]|node:/.test(frame),
  });
  const cells = openCells({ ...EVALUATORS[evaluator], runtime, runs, checksLoops });
  let count = 0;
  return {
    folder,
    /** Runs a cell. Returns how it ended. */
    outcome: (source: string) => cells.run(source, ++count, language),
    /** Runs a cell. Returns its value, or throws what it failed with, as `Name: message`. */
    async run(source: string): Promise<unknown> {
      const outcome = await this.outcome(source);
      if ("failure" in outcome) throw new Error(`${outcome.failure.ename}: ${outcome.failure.evalue}`);
      return outcome.value;
    },
  };
}

/** Compiles a cell that comes after others. */
export function compile(
  source: string,
  known: ReadonlyMap<string, Declared> = new Map(),
  syntax: Syntax = oxc,
) {
  return compileCell(syntax, source, { run: 1, language: "typescript", known, globals: new Set(["fetch"]) });
}
