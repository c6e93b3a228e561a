import type { Downlevelled, FindDownlevelled } from "./syntax.ts";
import { needsCompiler } from "./syntax.ts";

/** Has TypeScript's own compiler, which is in another worker, emit what nothing here can. */
export interface CompilerClient {
  find: FindDownlevelled;
  /** Asks for what the compiler makes of a source, where that is needed. */
  prepare(source: string): Promise<void>;
  /** Takes in an answer; undefined where the compiler can't be had. */
  take(id: number, emitted: Downlevelled | undefined): void;
}

/** Opens a client of the compiler. `ask` sends it a source. */
export function openCompilerClient(ask: (id: number, source: string) => void): CompilerClient {
  const waiting = new Map<number, (emitted: Downlevelled | undefined) => void>();
  let known: { source: string; emitted: Downlevelled } | undefined;
  let serial = 0;
  return {
    find: source => (known?.source === source ? known.emitted : undefined),
    async prepare(source) {
      if (!needsCompiler(source)) return;
      serial += 1;
      const { promise, resolve } = Promise.withResolvers<Downlevelled | undefined>();
      waiting.set(serial, resolve);
      ask(serial, source);
      const emitted = await promise;
      known = emitted && { source, emitted };
    },
    take(id, emitted) {
      waiting.get(id)?.(emitted);
      waiting.delete(id);
    },
  };
}
