import type ts from "@tslab/typescript-for-tslab";
import type { TypeScript } from "./internals.ts";
import { type NamesAhead, namesAhead } from "./names-ahead.ts";
import { resolveModules } from "./resolution.ts";
import { cellTransform } from "./transform.ts";

type Diagnose = (program: ts.Program, files: ts.SourceFile[]) => ts.Diagnostic[];
type Builder = ts.EmitAndSemanticDiagnosticsBuilderProgram;

const CELL = /[\\/]__tslab__\.[tj]sx?$/;
const EARLIER = /[\\/]__prev__\.d\.ts$/;
const MAP_COMMENT = /\n\/\/# sourceMappingURL=[^\n]*\n?$/;
const ABOUT_EXPORTS = [2527, 2742, 7056, 9005, 9006];
const AWAIT_OUTSIDE = 1308;

/** What the hooks in the compiler are told, and what they tell. */
export interface CompilerState {
  /** The number of the cell that is compiled. */
  run: number;
  /** The source maps of the cell that was compiled last: to its module, and from there to the program that runs. */
  maps: { cell?: string; module?: string };
  /** Reads the names of cells ahead, for the converter that was made last. */
  names?: NamesAhead;
}

/** Hooks the compiler that tslab uses. Returns the parts that this version lacks. */
export function hookCompiler(typescript: Partial<TypeScript>, state: CompilerState): string[] {
  const { createWatchCompilerHost: createHost, transpileModule: transpile } = typescript;
  const internal = typescript as { getPreEmitDiagnosticsOfFiles?: Diagnose };
  const { getPreEmitDiagnosticsOfFiles: diagnose } = internal;
  if (typeof createHost !== "function") return ["createWatchCompilerHost"];
  let cellText: string | undefined;

  const hookedHost = (roots: string[], options: ts.CompilerOptions, ...rest: unknown[]) => {
    const fileName = roots.find(name => CELL.test(name));
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
    if (fileName) state.names = namesAhead(typescript as TypeScript, host, options, fileName);
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
        if (name.endsWith(".map")) {
          if (isCell) state.maps.cell = text;
          return;
        }
        const own = name.endsWith(".js") ? text.replace(MAP_COMMENT, "\n") : text;
        if (isCell && name.endsWith(".js")) cellText = own;
        write?.(name, own, ...others);
      };
      const program = builder.getProgram();
      const checker = program.getTypeChecker();
      const before = cellTransform(typescript as TypeScript, {
        checker,
        run: state.run,
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
      if (text === cellText && made.sourceMapText) state.maps.module = made.sourceMapText;
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
