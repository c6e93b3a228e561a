type Evaluated = { thrown: unknown } | { ended: true } | { terminated: true };

/** Runs scripts that share their top-level names. */
export type Evaluator = ReturnType<typeof openGlobalEvaluator>;

/** Calls a script, which is an asynchronous function; undefined where it was terminated. */
type Begin = (script: string, name: string) => Promise<void> | undefined;

// biome-ignore lint/security/noGlobalEval: cells are programs of the user, and this is where they run.
const evaluateGlobally = globalThis.eval;
const begin: Begin = (script, name) => evaluateGlobally(`${script}\n//# sourceURL=${name}`)();

/** Opens an evaluator of scripts whose top-level names are properties of the global object. */
export function openGlobalEvaluator(start: Begin = begin) {
  let session = {};
  return {
    /** Forgets the scripts that have not ended. They are never heard of again, whatever becomes of them. */
    forget() {
      session = {};
    },
    /** Runs a script of a name; resolves when everything that it awaits at its top has settled. */
    evaluate: (script: string, name: string) =>
      new Promise<Evaluated>(resolve => {
        const began = session;
        const end = (evaluated: Evaluated) => {
          if (session === began) resolve(evaluated);
        };
        try {
          const run = start(script, name);
          if (!run) end({ terminated: true });
          else
            run.then(
              () => end({ ended: true }),
              (thrown: unknown) => end({ thrown }),
            );
        } catch (thrown) {
          end({ thrown });
        }
      }),
  };
}
