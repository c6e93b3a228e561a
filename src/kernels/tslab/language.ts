import type ts from "@tslab/typescript-for-tslab";
import type { CellDiagnostic, Converted, TslabModules, TypeScript } from "./internals.ts";
import { resolveModules } from "./resolution.ts";
import { cellTransform } from "./transform.ts";

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

type Diagnose = (program: ts.Program, files: ts.SourceFile[]) => ts.Diagnostic[];
type Builder = ts.EmitAndSemanticDiagnosticsBuilderProgram;

const CELL = /[\\/]__tslab__\.[tj]sx?$/;
const EARLIER = /[\\/]__prev__\.d\.ts$/;
const MAP_COMMENT = /\n\/\/# sourceMappingURL=[^\n]*\n?$/;
const ABOUT_EXPORTS = [2527, 2742, 7056, 9005, 9006];
const AWAIT_OUTSIDE = 1308;

/** Hooks tslab's compiler. Returns the parts that this version lacks. */
export function hookLanguage({ typescript, converter }: TslabModules, language: Language): string[] {
  const maps = new Map<"cell" | "module", string>();
  let run = 0;
  const lacking = typescript ? hookTypeScript(typescript, maps, () => run) : ["the compiler"];
  if (typeof converter?.createConverter !== "function") return [...lacking, "createConverter"];
  const create = converter.createConverter;
  converter.createConverter = options => {
    const inner = language.guard(() => create(options));
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
      maps.clear();
      run = language.onCompile();
      const converted = language.guard(() => inner.convert(earlier, source));
      const { diagnostics, output } = converted;
      if (diagnostics.length === 0) earlier = converted.declOutput ?? "";
      const steps = (["module", "cell"] as const)
        .map(step => maps.get(step))
        .filter(map => map !== undefined);
      const changed = language.onCompiled({ source, diagnostics, maps: steps }, output);
      return changed === undefined ? converted : { ...converted, output: changed };
    }
  };
  return lacking;
}

function hookTypeScript(
  typescript: Partial<TypeScript>,
  maps: Map<"cell" | "module", string>,
  run: () => number,
): string[] {
  const { createWatchCompilerHost: createHost, transpileModule: transpile } = typescript;
  const internal = typescript as { getPreEmitDiagnosticsOfFiles?: Diagnose };
  const { getPreEmitDiagnosticsOfFiles: diagnose } = internal;
  if (typeof createHost !== "function") return ["createWatchCompilerHost"];
  let cellText: string | undefined;

  const hookedHost = (roots: string[], options: ts.CompilerOptions, ...rest: unknown[]) => {
    const create = createHost as unknown as (...values: unknown[]) => ts.WatchCompilerHost<Builder>;
    const host = create(roots, { ...options, sourceMap: true }, ...rest);
    resolveModules(typescript as TypeScript, host);
    let tell: ((builder: Builder) => void) | undefined;
    Object.defineProperty(host, "afterProgramCreate", {
      get: () => tell && ((builder: Builder) => tell?.(withTransforms(builder))),
      set: (next: typeof tell) => {
        tell = next;
      },
    });
    return host;
  };
  typescript.createWatchCompilerHost = hookedHost as unknown as TypeScript["createWatchCompilerHost"];

  function withTransforms(builder: Builder): Builder {
    const emit = ((file?: ts.SourceFile, write?: ts.WriteFileCallback, ...rest: unknown[]) => {
      const isCell = CELL.test(file?.fileName ?? "");
      const [token, onlyTypes, transformers] = rest as [
        ts.CancellationToken?,
        boolean?,
        ts.CustomTransformers?,
      ];
      const writeText: ts.WriteFileCallback = (name, text, ...others) => {
        if (name.endsWith(".map")) return void (isCell && maps.set("cell", text));
        const own = name.endsWith(".js") ? text.replace(MAP_COMMENT, "\n") : text;
        if (isCell && name.endsWith(".js")) cellText = own;
        write?.(name, own, ...others);
      };
      const program = builder.getProgram();
      const checker = program.getTypeChecker();
      const before = cellTransform(typescript as TypeScript, {
        checker,
        run: run(),
        isEarlier: ({ fileName }) => EARLIER.test(fileName),
      });
      const own = isCell ? { ...transformers, before: [before] } : transformers;
      if (!isCell) return builder.emit(file, write && writeText, token, onlyTypes, own);
      // Its types are written even where a part of them has no name that could be written.
      const emitAll = program.emit as (...values: unknown[]) => ts.EmitResult;
      return emitAll(file, write && writeText, token, onlyTypes, own, true);
    }) as Builder["emit"];
    return { ...builder, emit };
  }

  if (transpile) {
    typescript.transpileModule = (text, options) => {
      const compilerOptions = { ...options.compilerOptions, sourceMap: true };
      const made = transpile(text, { ...options, compilerOptions });
      if (text === cellText && made.sourceMapText) maps.set("module", made.sourceMapText);
      return { ...made, outputText: made.outputText.replace(MAP_COMMENT, "\n") };
    };
  }

  if (typeof diagnose !== "function") return ["getPreEmitDiagnosticsOfFiles"];
  internal.getPreEmitDiagnosticsOfFiles = (program, files) =>
    [...diagnose(program, files), ...forAwaits(typescript as TypeScript, files)].filter(
      ({ code, file }) => !CELL.test(file?.fileName ?? "") || !isAboutExports(code),
    );
  return [];
}

/** What TypeScript says of the types that a module exports is no matter of a cell, which nobody imports. */
function isAboutExports(code: number): boolean {
  return (code >= 4000 && code < 4200) || ABOUT_EXPORTS.includes(code);
}

/**
 * tslab makes a cell asynchronous where TypeScript complains of an `await` at its top. Of `for await` it does not
 * complain, so the same is said of those.
 */
function forAwaits(typescript: TypeScript, files: readonly ts.SourceFile[]): ts.Diagnostic[] {
  const { isForOfStatement, isFunctionLike, isClassLike, forEachChild } = typescript;
  const found: ts.Diagnostic[] = [];
  for (const file of files) {
    if (!CELL.test(file.fileName) || !/\bfor\s+await\b/.test(file.text)) continue;
    const visit = (node: ts.Node): void => {
      if (isForOfStatement(node) && node.awaitModifier) {
        const start = node.awaitModifier.getStart(file);
        found.push({
          file,
          start,
          length: node.awaitModifier.end - start,
          category: typescript.DiagnosticCategory.Error,
          code: AWAIT_OUTSIDE,
          messageText: "",
        });
      }
      if (!isFunctionLike(node) && !isClassLike(node)) forEachChild(node, visit);
    };
    forEachChild(file, visit);
  }
  return found;
}
