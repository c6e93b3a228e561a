import { Interrupted } from "../errors/interrupted.ts";
import { isThenable } from "../values/thenable.ts";
import type { AwaitPlace } from "./positions.ts";

const MOST_PLACES = 5;

/** Stops the cell that runs. */
export interface Interrupts {
  /** Opens a cell. The promise rejects when it is interrupted. */
  begin(): Promise<never>;
  /** Closes the cell. */
  end(): void;
  /** Interrupts the cell that runs; nothing happens when none does. */
  interrupt(): void;
  /** Aborts when the cell that runs is interrupted. */
  signal(): AbortSignal | undefined;
  /** Makes waiting for a value end when the cell is interrupted. Remembers where that was, if it fails. */
  settle(value: unknown, ...place: AwaitPlace | []): unknown;
  /** Makes waiting for each value of an iterable end when the cell is interrupted. */
  settleEach(
    values: AsyncIterable<unknown> | Iterable<unknown>,
    ...place: AwaitPlace | []
  ): AsyncIterable<unknown>;
  /** Where the cells waited for what failed with an error, the innermost place first. */
  placesOf(error: object): readonly AwaitPlace[];
}

/** Keeps track of the running cell and of what it waits for. */
export function openInterrupts(): Interrupts {
  let running: AbortController | undefined;
  const waiting = new Set<(reason: Interrupted) => void>();
  const places = new WeakMap<object, AwaitPlace[]>();

  function remember(error: unknown, place: AwaitPlace | []): void {
    if (typeof error !== "object" || error === null || place.length === 0) return;
    const known = places.get(error) ?? [];
    if (known.length < MOST_PLACES) places.set(error, [...known, place]);
  }

  function settle(value: unknown, ...place: AwaitPlace | []): unknown {
    if (!running || !isThenable(value)) return value;
    return new Promise((resolve, reject) => {
      const settled = <T>(then: (value: T) => void) => {
        return (value: T) => {
          waiting.delete(reject);
          then(value);
        };
      };
      waiting.add(reject);
      value.then(
        settled(resolve),
        settled(error => {
          remember(error, place);
          reject(error);
        }),
      );
    });
  }

  return {
    begin() {
      running = new AbortController();
      const { promise, reject } = Promise.withResolvers<never>();
      promise.catch(() => undefined);
      running.signal.addEventListener("abort", () => reject(running?.signal.reason));
      return promise;
    },
    end() {
      running = undefined;
      waiting.clear();
    },
    interrupt() {
      if (!running) return;
      const reason = new Interrupted();
      for (const stop of waiting) stop(reason);
      running.abort(reason);
    },
    signal: () => running?.signal,
    settle,
    settleEach: (values, ...place) => ({
      [Symbol.asyncIterator]: () => settledIterator(values, value => settle(value, ...place)),
    }),
    placesOf: error => places.get(error) ?? [],
  };
}

function settledIterator(
  values: AsyncIterable<unknown> | Iterable<unknown>,
  settle: (value: unknown) => unknown,
): AsyncIterator<unknown> {
  if (!(Symbol.asyncIterator in values)) return awaited(values, settle);
  const iterator = values[Symbol.asyncIterator]();
  return {
    next: async () => (await settle(iterator.next())) as IteratorResult<unknown>,
    ...(iterator.return && { return: value => iterator.return!(value) }),
  };
}

async function* awaited(
  values: Iterable<unknown>,
  settle: (value: unknown) => unknown,
): AsyncGenerator<unknown> {
  for (const value of values) yield await settle(value);
}
