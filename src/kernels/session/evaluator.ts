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

/** Opens an evaluator of scripts whose top-level names are properties of the global object. */
export function openGlobalEvaluator(): Evaluator {
  // biome-ignore lint/security/noGlobalEval: cells are programs of the user, and this is where they run.
  const evaluateGlobally = globalThis.eval;
  let session = {};
  return {
    scope: "global",
    forget() {
      session = {};
    },
    evaluate: (script, name) =>
      new Promise(resolve => {
        const began = session;
        const end = (evaluated: Evaluated) => {
          if (session === began) resolve(evaluated);
        };
        try {
          const cell = evaluateGlobally(`${script}\n//# sourceURL=${name}`) as () => Promise<void>;
          cell().then(
            () => end({ ended: true }),
            (thrown: unknown) => end({ thrown }),
          );
        } catch (thrown) {
          end({ thrown });
        }
      }),
  };
}
