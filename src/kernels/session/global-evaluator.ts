import type { Evaluated, Evaluator } from "./evaluator.ts";

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
