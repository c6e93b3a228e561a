import type { CompletionSource } from "@codemirror/autocomplete";
import type { Diagnostic } from "@codemirror/lint";
import type { Failure } from "../../kernels/errors/failure.ts";
import type { Downlevelled } from "../kernel/syntax.ts";

/** What the types say of cells, from the side of the page. Nothing is said until the compiler is loaded. */
export interface Types {
  /** What is wrong with the types of a cell that is about to run. */
  check(source: string): Promise<Failure | undefined>;
  /** The JavaScript of a cell that only TypeScript's own compiler emits; undefined for any other. */
  emit(source: string): Promise<Downlevelled | undefined>;
  /** Makes the names of a cell that has run known to later ones. */
  commit(source: string): void;
  /** Forgets all cells. */
  reset(): void;
  complete: CompletionSource;
  diagnose(source: string): Promise<Diagnostic[]>;
}

/** Opens the types of a page's cells. `script` is the worker with the compiler. */
export function openTypes(_script: URL): Types {
  return {
    check: async () => undefined,
    emit: async () => undefined,
    commit: () => undefined,
    reset: () => undefined,
    complete: () => null,
    diagnose: async () => [],
  };
}
