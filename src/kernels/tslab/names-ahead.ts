import type ts from "@tslab/typescript-for-tslab";
import type { TypeScript } from "./internals.ts";

interface Internals {
  bindSourceFile?(file: ts.SourceFile, options: ts.CompilerOptions): void;
}

type Builder = ts.EmitAndSemanticDiagnosticsBuilderProgram;

/** Answers what names a cell declares before it is checked. */
export interface NamesAhead {
  /** Reads the cell that is compiled next. */
  read(source: string): void;
}

/**
 * Spares a cell the first of two programs that tslab makes of it. That one serves to learn which names the cell
 * declares, for which parsing the cell alone is enough; the program that checks it is the second one.
 */
export function namesAhead(
  typescript: TypeScript,
  host: ts.WatchCompilerHost<Builder>,
  options: ts.CompilerOptions,
  fileName: string,
): NamesAhead {
  const { bindSourceFile } = typescript as Internals;
  const { setTimeout: schedule, clearTimeout: cancel } = host;
  if (!bindSourceFile || !schedule || !cancel) return { read: () => undefined };
  let ahead: ts.SourceFile | undefined;
  let spared: unknown;

  host.setTimeout = (update, milliseconds) => {
    const scheduled: unknown = schedule(() => {
      if (!ahead) return update();
      const file = ahead;
      ahead = undefined;
      spared = scheduled;
      host.afterProgramCreate?.({ getSourceFile: () => file } as unknown as Builder);
    }, milliseconds);
    return scheduled;
  };
  // The compiler cancels the update that it has not seen happen; tslab knows nothing of it any more.
  host.clearTimeout = scheduled => {
    if (scheduled !== spared) cancel(scheduled);
  };

  return {
    read(source) {
      const text = `export {};\n${source}`;
      const file = typescript.createSourceFile(fileName, text, options.target ?? 9, true);
      bindSourceFile(file, options);
      const { locals } = file as { locals?: ReadonlyMap<unknown, unknown> };
      ahead = locals && locals.size > 0 ? file : undefined;
    },
  };
}
