import { type CompilerState, hookCompiler } from "./compiler.ts";
import type { CellDiagnostic, Converted, TslabModules } from "./internals.ts";

/** A cell as the compiler left it. */
export interface CompiledCell {
  source: string;
  diagnostics: readonly CellDiagnostic[];
  /** The source maps of the steps that made its program, the last one first. */
  maps: string[];
}

/** Stands between tslab and its compiler. */
export interface Language {
  /** Hears of each cell before it is compiled, and gives it a number of its own. */
  onCompile: () => number;
  /** Hears of each cell that has been compiled, and may change the program that is to be run. */
  onCompiled: (cell: CompiledCell, output: string | undefined) => string | undefined;
  /** The compiler's own work goes through here, and must not be broken off. */
  guard<T>(work: () => T): T;
}

/** Hooks tslab's compiler. Returns the parts that this version lacks. */
export function hookLanguage({ typescript, converter }: TslabModules, language: Language): string[] {
  const state: CompilerState = { maps: {}, run: 0 };
  const lacking = typescript ? hookCompiler(typescript, state) : ["the compiler"];
  if (typeof converter?.createConverter !== "function") return [...lacking, "createConverter"];
  const create = converter.createConverter;
  converter.createConverter = options => {
    const inner = language.guard(() => create(options));
    const { names } = state;
    // Of a cell that fails while it runs, tslab would forget what it has declared.
    let earlier = "";
    return {
      close: inner.close,
      inspect: (_, ...values) => language.guard(() => inner.inspect(earlier, ...values)),
      complete: (_, ...values) => language.guard(() => inner.complete(earlier, ...values)),
      addModule: (...values) => language.guard(() => inner.addModule(...values)),
      convert,
    };

    function convert(_: string, source: string): Converted {
      state.maps = {};
      state.run = language.onCompile();
      const converted = language.guard(() => {
        names?.read(source);
        return inner.convert(earlier, source);
      });
      const { diagnostics, output } = converted;
      if (diagnostics.length === 0) earlier = converted.declOutput ?? "";
      const { module, cell } = state.maps;
      const maps = [module, cell].filter(map => map !== undefined);
      const changed = language.onCompiled({ source, diagnostics, maps }, output);
      return changed === undefined ? converted : { ...converted, output: changed };
    }
  };
  return lacking;
}
