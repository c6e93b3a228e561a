import { type InspectorNotification, type Runtime, Session } from "node:inspector";
import { RUNTIME } from "../../cells/declarations.ts";
import type { DebugSupport } from "./support.ts";

/** The inspector of a thread. It answers also while that thread is paused. */
export type Inspector = ReturnType<typeof connectInspector>;

/** Connects to the inspector of this thread, or of the one that runs cells. */
export function connectInspector(to: "here" | "cells") {
  const session = new Session();
  if (to === "here") session.connect();
  else session.connectToMainThread();
  return {
    ask: <T>(method: string, parameters: object = {}) =>
      new Promise<T>((resolve, reject) => {
        const answer = (error: Error | null, result?: object) =>
          error ? reject(error) : resolve(result as T);
        session.post(method, parameters, answer);
      }),
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
  const { result, exceptionDetails } = await inspector.ask<Runtime.EvaluateReturnType>("Runtime.evaluate", {
    expression: `${RUNTIME}.debug.${method}(${given.map(each => JSON.stringify(each)).join(", ")})`,
    returnByValue: true,
    silent: true,
    disableBreaks: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as T;
}
