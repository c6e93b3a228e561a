/** Returns the result of a function; undefined where it throws. */
export function attempted<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
