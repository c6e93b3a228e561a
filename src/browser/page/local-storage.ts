/** Returns what is kept under a name; undefined where nothing is, or the browser keeps nothing for pages. */
export const read = (key: string): string | undefined =>
  attempt(() => localStorage.getItem(key)) ?? undefined;

/** Keeps a string under a name. Returns whether there was room for it. */
export const write = (key: string, value: string): boolean =>
  attempt(() => localStorage.setItem(key, value)) !== null;

/** Removes what is kept under a name. Returns whether it could. */
export const remove = (key: string): boolean => attempt(() => localStorage.removeItem(key)) !== null;

/** The names that begin with something, under which this browser keeps something. */
export const keysIn = (prefix: string): string[] =>
  (attempt(() => Object.keys(localStorage)) ?? []).filter(key => key.startsWith(prefix));

/** Returns the result of a function of the browser's storage, or null if the browser refuses it. */
function attempt<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}
