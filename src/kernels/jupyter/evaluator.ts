import { Session } from "node:inspector";
import vm from "node:vm";
import { RUNTIME } from "../cells/declarations.ts";
import { openGlobalEvaluator } from "../session/evaluator.ts";

/** Runs scripts, which can be terminated without harm to the process. */
export type ContainingEvaluator = ReturnType<typeof openEvaluator>;

interface Passage {
  work?: (() => void) | undefined;
  failed?: { error: unknown } | undefined;
  pass?: () => void;
  evaluate?: () => void;
}

/** Makes a debugger hear of a script before it runs. */
const ANNOUNCED = "//# sourceMappingURL=cell";

const GUARD = new vm.Script(`${RUNTIME}.passage.evaluate()`, { filename: "node:ketbook" });

/**
 * Opens an evaluator in this thread. `passage` must be reachable as a property of the scripts' runtime; `watched` hears
 * whether a SIGINT ends what runs.
 */
export function openEvaluator(passage: Passage, watched: (watched: boolean) => void = () => undefined) {
  const session = new Session();
  session.connect();
  passage.pass = () => {
    try {
      passage.work?.();
    } catch (error) {
      passage.failed = { error };
    }
  };

  /**
   * Calls a function so that its termination stays inside: anyone who called it continues. Answers whether it was
   * terminated. Throws what the function throws.
   */
  function contain(work: () => void): boolean {
    const before = passage.work;
    passage.work = work;
    passage.failed = undefined;
    let terminated = true;
    session.post("Runtime.evaluate", { expression: `${RUNTIME}.passage.pass()` }, (error, answer) => {
      terminated = error !== null || answer.exceptionDetails !== undefined;
    });
    passage.work = before;
    const { failed } = passage as Passage;
    passage.failed = undefined;
    if (failed) throw failed.error;
    return terminated;
  }

  /** Evaluates where a SIGINT terminates also what looks for no messages, such as a power of large integers. */
  function runGuarded(evaluate: () => void): void {
    if (process.platform === "win32") {
      evaluate();
      return;
    }
    passage.evaluate = () => {
      watched(true);
      evaluate();
      watched(false);
    };
    try {
      GUARD.runInThisContext({ breakOnSigint: true });
    } catch {
      // It was terminated, which the evaluation has told.
    } finally {
      watched(false);
    }
  }

  const evaluator = openGlobalEvaluator((script, filename) => {
    let run: Promise<void> | undefined;
    const work = () => {
      run = vm.runInThisContext(`${script}\n${ANNOUNCED}`, { filename })();
    };
    runGuarded(() => {
      try {
        if (contain(work)) run = undefined;
      } catch (thrown) {
        run = Promise.reject(thrown);
      }
    });
    return run;
  });
  return { ...evaluator, contain };
}
