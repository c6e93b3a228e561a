/** Waits for its turn, and resolves to what ends the turn. */
export type Mutex = () => Promise<() => void>;

/** Makes a mutex that gives turns in the order in which they were asked for. */
export function createMutex(): Mutex {
  let last: Promise<void> = Promise.resolve();
  return () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const turn = last.then(() => resolve);
    last = promise;
    return turn;
  };
}
