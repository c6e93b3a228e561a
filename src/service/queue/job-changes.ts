/** Lets requests wait for a job to change. */
export interface JobChanges {
  /** Resolves when the job is next said to have changed, or after so many milliseconds. */
  next(seq: number, ms: number): Promise<void>;
  /** Says that a job has changed. */
  notify(seq: number): void;
  /** Lets nobody wait any more. */
  close(): void;
}

/** Requests that may wait at the same time; others are answered at once. */
const MAX_WAITING = 10_000;

/** Makes the changes of the jobs of one process. */
export function createJobChanges(): JobChanges {
  const waiting = new Map<number, Set<() => void>>();
  let size = 0;
  let isClosed = false;

  const notify = (seq: number) => {
    for (const resolve of waiting.get(seq) ?? []) resolve();
  };

  return {
    notify,
    next(seq, ms) {
      if (isClosed || size >= MAX_WAITING) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      const resolvers = waiting.get(seq) ?? new Set();
      waiting.set(seq, resolvers.add(resolve));
      size += 1;
      return promise.finally(() => {
        clearTimeout(timer);
        size -= 1;
        resolvers.delete(resolve);
        if (resolvers.size === 0) waiting.delete(seq);
      });
    },
    close() {
      isClosed = true;
      for (const seq of waiting.keys()) notify(seq);
    },
  };
}
