import { Session } from "node:inspector";
import vm from "node:vm";
import { RUNTIME } from "../cells/declarations.ts";
import type { Evaluator } from "../session/evaluator.ts";

/** Runs scripts in V8's REPL mode. */
export interface ReplEvaluator extends Evaluator {
  /**
   * Calls a function so that its termination stays inside: anyone who called it continues. Answers whether it was
   * terminated. Throws what the function throws.
   */
  contain(work: () => void): boolean;
}

interface RemoteObject {
  type: string;
  objectId?: string;
  value?: unknown;
  unserializableValue?: string;
}

interface Answer {
  result: RemoteObject;
  exceptionDetails?: { text: string; exception?: RemoteObject };
}

interface Passage {
  work?: (() => void) | undefined;
  failed?: { error: unknown } | undefined;
  thrown?: unknown;
  evaluate?: () => void;
}

const GROUP = "cell";

/** Makes a debugger hear of a script before it runs. */
const ANNOUNCED = "//# sourceMappingURL=cell";

const GUARD = new vm.Script(`${RUNTIME}.passage.evaluate()`, { filename: "node:ketbook" });

/**
 * Opens an evaluator in this thread. `passage` must be reachable as a property of the scripts' runtime; `watched` hears
 * whether a SIGINT ends what runs.
 */
export function openEvaluator(
  passage: Passage & { pass?: () => void },
  watched: (watched: boolean) => void = () => undefined,
): ReplEvaluator {
  let session = connect();
  const containing = connect();
  passage.pass = () => {
    const { work } = passage;
    try {
      work?.();
    } catch (error) {
      passage.failed = { error };
    }
  };

  function post<T>(
    method: string,
    parameters: object,
    then: (error: Error | null, answer: T) => void,
    through = session,
  ): void {
    through.post(method, parameters, then as (error: Error | null, answer?: object) => void);
  }

  function thrownBy(remote: RemoteObject | undefined): unknown {
    if (!remote) return undefined;
    const { objectId, value, unserializableValue } = remote;
    const argument = objectId ? { objectId } : unserializableValue ? { unserializableValue } : { value };
    post<Answer>("Runtime.evaluate", { expression: RUNTIME, objectGroup: GROUP }, (_, { result }) => {
      const functionDeclaration = "function (thrown) { this.passage.thrown = thrown }";
      post(
        "Runtime.callFunctionOn",
        { objectId: result.objectId, functionDeclaration, arguments: [argument] },
        () => {},
      );
    });
    const { thrown } = passage;
    passage.thrown = undefined;
    return thrown;
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

  return {
    // V8 reports a script whose end can never come at a moment when Node can't hear it, and dies of that.
    forget() {
      session.disconnect();
      session = connect();
    },
    scope: "script",
    evaluate: (script, name) =>
      new Promise(resolve => {
        const expression = `${script}\n;void 0\n${ANNOUNCED}\n//# sourceURL=${name}`;
        const parameters = { expression, replMode: true, awaitPromise: true, objectGroup: GROUP };
        const end = (error: Error | null, answer: Answer) => {
          if (error) resolve({ terminated: true });
          else if (answer.exceptionDetails) resolve({ thrown: thrownBy(answer.exceptionDetails.exception) });
          else resolve({ ended: true });
          post("Runtime.releaseObjectGroup", { objectGroup: GROUP }, () => {});
        };
        runGuarded(() => post<Answer>("Runtime.evaluate", parameters, end));
      }),
    contain(work) {
      const before = passage.work;
      passage.work = work;
      passage.failed = undefined;
      let terminated = true;
      post<Answer>(
        "Runtime.evaluate",
        { expression: `${RUNTIME}.passage.pass()` },
        (error, answer) => {
          terminated = error !== null || answer.exceptionDetails !== undefined;
        },
        containing,
      );
      passage.work = before;
      const { failed } = passage as Passage;
      passage.failed = undefined;
      if (failed) throw failed.error;
      return terminated;
    },
  };
}

function connect(): Session {
  const session = new Session();
  session.connect();
  return session;
}
