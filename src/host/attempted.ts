/** Returns the result of a function; undefined where it throws. */
export function attempted<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** Runs a function. Returns whether it ended without throwing. */
export const succeeds = (run: () => unknown): boolean => attempted(() => [run()]) !== undefined;
