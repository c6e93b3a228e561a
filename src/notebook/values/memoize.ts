/** Makes a function that does its work once: all calls share the promise, until it fails; the next call tries again. */
export function memoizeSuccess<T>(work: () => Promise<T>): Memoized<T> {
  let promise: Promise<T> | undefined;
  return {
    get isStarted() {
      return promise !== undefined;
    },
    get() {
      if (!promise) {
        const begun = work();
        promise = begun;
        begun.catch(() => {
          if (promise === begun) promise = undefined;
        });
      }
      return promise;
    },
    forget() {
      promise = undefined;
    },
  };
}

/** Work that is done once. */
export interface Memoized<T> {
  /** Whether the work has begun and has not failed. */
  readonly isStarted: boolean;
  /** Begins the work, or answers the promise of what was begun. */
  get(): Promise<T>;
  /** Lets the next call do the work anew. */
  forget(): void;
}
