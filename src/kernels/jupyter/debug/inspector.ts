import { type Debugger, type InspectorNotification, type Runtime, Session } from "node:inspector";
import { RUNTIME } from "../../cells/declarations.ts";
import type { DebugSupport } from "./support.ts";

/** The inspector of a thread. It answers also while that thread is paused. */
export type Inspector = ReturnType<typeof connectInspector>;

/** The group of the values that a debugger has been shown. */
export const VALUES = "values";

export function connectInspector(to: "here" | "cells") {
  const session = new Session();
  if (to === "here") session.connect();
  else session.connectToMainThread();
  const ask = <T>(method: string, parameters: object = {}) =>
    new Promise<T>((resolve, reject) => {
      const answer = (error: Error | null, result?: object) => (error ? reject(error) : resolve(result as T));
      session.post(method, parameters, answer);
    });
  return {
    ask,
    /**
     * Evaluates in a frame; without one, among the variables of the cells, and without waiting for anything. Throws what
     * the expression throws, in one line.
     */
    async evaluate(
      expression: string,
      { call, ...options }: { call?: Debugger.CallFrame | undefined } & Readonly<Record<string, unknown>>,
    ): Promise<Runtime.RemoteObject> {
      const given = { expression, objectGroup: VALUES, silent: true, ...options };
      const { result, exceptionDetails: thrown } = await (call
        ? ask<Runtime.EvaluateReturnType>("Debugger.evaluateOnCallFrame", {
            callFrameId: call.callFrameId,
            ...given,
          })
        : ask<Runtime.EvaluateReturnType>("Runtime.evaluate", { disableBreaks: true, ...given }));
      if (!thrown) return result;
      const { description, value = thrown.text } = thrown.exception ?? {};
      throw new Error(String(description ?? value).split("\n")[0]);
    },
    on: <T>(event: string, take: (parameters: T) => void) =>
      void session.on(event, ({ params }: InspectorNotification<T>) => take(params)),
    /** Ends the connection; a thread that was paused through it runs again. */
    close: () => session.disconnect(),
  };
}

/** Calls what the thread of the cells offers to a debugger. What goes there and comes back is JSON. */
export async function callCells<T>(
  inspector: Inspector,
  method: keyof DebugSupport,
  ...given: readonly unknown[]
): Promise<T> {
  const list = given.map(each => JSON.stringify(each)).join(", ");
  const expression = `${RUNTIME}.debug.${method}(${list})`;
  return (await inspector.evaluate(expression, { returnByValue: true })).value;
}
