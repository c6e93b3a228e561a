import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import vm from "node:vm";
import { compileFailure, type Failure, thrownFailure } from "../errors/failure.ts";
import { LIBRARY, ownLibrary } from "../own-library.ts";
import type { Executor, TslabModules } from "./internals.ts";
import type { Interrupts } from "./interrupts.ts";
import { type CompiledCell, hookLanguage, type Language } from "./language.ts";
import { openPositions } from "./positions.ts";

/** How a cell's program ended. */
export type Outcome = { value: unknown } | { failure: Failure };

/** Runs cells through tslab's executor. */
export interface Evaluation {
  /** Runs a cell's program and answers its last value. `cell` is its number. */
  run(source: string, cell: number): Promise<Outcome>;
  /** Interrupts the cell that runs. */
  interrupt(): void;
  /** Describes what was thrown outside of a cell's own course, such as in a callback. */
  describe(thrown: unknown): Failure;
}

const SHOWN_BY_KERNEL = Symbol.for("ketbook.lastExpression");

interface CellGlobal {
  exports: object;
  require(id: string): unknown;
  [name: string]: unknown;
}

/** Hooks tslab's executor and compiler. What this version of tslab lacks is added to `lacking`. */
export function hookEvaluation(
  modules: TslabModules,
  interrupts: Interrupts,
  guard: Language["guard"],
  lacking: string[],
): Evaluation | undefined {
  const create = modules.executor?.createExecutor;
  if (!modules.executor || typeof create !== "function") return void lacking.push("createExecutor");
  const positions = openPositions(interrupts.placesOf);
  let executor: Executor | undefined;
  let number = 0;
  let compiled: CompiledCell | undefined;
  let value: unknown;
  let thrown: unknown;

  const language: Language = {
    guard,
    onCompile: () => positions.open(number),
    onCompiled(cell, output) {
      compiled = cell;
      if (output === undefined) return undefined;
      const { source, maps } = cell;
      const lines = output.split("\n").length;
      const name = positions.add({ source, lines, prefixLines: 1, maps });
      return `//# sourceURL=${name}\n${output}`;
    },
  };
  lacking.push(...hookLanguage(modules, language));

  modules.executor.createExecutor = (root, converters) => {
    const inner = create(root, converters, {
      log(last) {
        value = last;
      },
      error(first, ...others) {
        if (others.length === 0) thrown = first;
        // What is wrong with a module in a cell does not make the cell fail.
        else if (!compiled) process.stderr.write(`${format(first, ...others)}\n`);
      },
    });
    extendCells(root, interrupts);
    executor = {
      ...inner,
      interrupt() {
        interrupts.interrupt();
        inner.interrupt();
      },
    };
    return executor;
  };

  return {
    interrupt: () => executor?.interrupt(),
    describe: error => thrownFailure(error, positions),
    async run(source, cell) {
      number = cell;
      compiled = value = thrown = undefined;
      const ok = await executor?.execute(source).catch(error => {
        thrown = error;
      });
      if (ok) return { value };
      const { diagnostics = [] } = (compiled as CompiledCell | undefined) ?? {};
      if (diagnostics.length > 0) return { failure: compileFailure(source, diagnostics) };
      return { failure: thrownFailure(thrown, positions) };
    },
  };
}

/** Adds what rewritten cells call to what tslab hands to them, and lets them require the kernel's library. */
function extendCells(root: string, { settle, settleEach }: Interrupts): void {
  const cells = (globalThis as { __tslab__?: CellGlobal }).__tslab__;
  if (!cells) return;
  const { require } = cells;
  // Tells the library that last values are shown already.
  (cells.exports as Record<symbol, unknown>)[SHOWN_BY_KERNEL] = true;
  Object.assign(cells, { settle, settleEach, import: dynamicImport(root, cells) });
  cells.require = Object.assign((id: string) => {
    try {
      return require(id);
    } catch (error) {
      const own = id === LIBRARY && isMissing(error, id) ? ownLibrary() : undefined;
      if (!own) throw error;
      return require(own.main);
    }
  }, require);
}

/** `import()` as in a module in the notebook's folder; files of TypeScript there are left to tslab. */
function dynamicImport(root: string, cells: CellGlobal): (specifier: unknown) => Promise<unknown> {
  const load = vm.runInThisContext("(specifier, options) => import(specifier, options)", {
    filename: pathToFileURL(join(root, "notebook.js")).href,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }) as (specifier: string, options?: object) => Promise<unknown>;
  withoutWarnings(() => load("node:module"));
  return async (specifier: unknown, options?: object) => {
    const name = String(specifier);
    const isTslabs = name === "tslab" || (name.startsWith(".") && !existsSync(join(root, name)));
    if (isTslabs) return asModule(cells.require(name));
    try {
      return await load(isAbsolute(name) ? pathToFileURL(name).href : name, options);
    } catch (error) {
      const own = name === LIBRARY && isMissing(error, name) ? ownLibrary() : undefined;
      if (!own) throw error;
      return await load(pathToFileURL(own.module).href);
    }
  };
}

/** Node warns at the first use that it may change this way to import. */
function withoutWarnings(use: () => unknown): void {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  use();
  process.emitWarning = emitWarning;
}

function asModule(exports: unknown): unknown {
  const isModule = (exports as { __esModule?: unknown } | null)?.__esModule;
  return isModule ? exports : { ...(exports as object), default: exports };
}

function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code === "MODULE_NOT_FOUND" || code === "ERR_MODULE_NOT_FOUND") && message.includes(`'${name}'`);
}
