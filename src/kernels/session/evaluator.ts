import type { CellScope } from "../cells/declarations.ts";

export type Evaluated = { thrown: unknown } | { ended: true } | { terminated: true };

/** Runs scripts that share their top-level names. */
export interface Evaluator {
  /** Scope of its scripts' top-level names. */
  readonly scope: CellScope;
  /** Runs a script of a name; resolves when everything that it awaits at its top has settled. */
  evaluate(script: string, name: string): Promise<Evaluated>;
  /** Forgets the scripts that have not ended. They are never heard of again, whatever becomes of them. */
  forget(): void;
}
