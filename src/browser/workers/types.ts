import type { TypeAnswer, TypeRequest, TypeRequestName, TypeRequests } from "../types/protocol.ts";
import { startWorker } from "./worker.ts";

/** The worker that knows types, from the side of the page. */
export interface Types {
  /** Loads the worker, once. */
  load(): void;
  isLoaded(): boolean;
  /** Asks the worker, and loads it where it is not there. Rejects where it has no answer. */
  ask<Name extends TypeRequestName>(
    type: Name,
    question: TypeRequests[Name]["question"],
  ): Promise<TypeRequests[Name]["answer"]>;
}

/** Opens the worker that knows types; its script is loaded when it is needed. `onLoad` hears when it is. */
export function openTypes(script: URL, onLoad: () => void): Types {
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  let worker: Worker | undefined;
  let serial = 0;

  function load(): Worker {
    if (worker) return worker;
    const started = startWorker(script, "Ketbook types");
    worker = started.worker;
    worker.onmessage = ({ data }: MessageEvent<TypeAnswer>) => {
      started.forget();
      const { resolve, reject } = waiting.get(data.id)!;
      waiting.delete(data.id);
      if ("error" in data) reject(new Error(data.error));
      else resolve(data.answer);
    };
    worker.onerror = event => {
      event.preventDefault();
      for (const { reject } of waiting.values()) reject(new Error("The types could not be loaded."));
      waiting.clear();
    };
    onLoad();
    return worker;
  }

  return {
    load: () => void load(),
    isLoaded: () => worker !== undefined,
    ask: (type, question) =>
      new Promise((resolve, reject) => {
        serial += 1;
        waiting.set(serial, { resolve: resolve as (answer: unknown) => void, reject });
        load().postMessage({ id: serial, type, question } satisfies TypeRequest);
      }),
  };
}
