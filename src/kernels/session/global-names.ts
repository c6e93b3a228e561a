/**
 * Makes names properties of the global object, before a script assigns to them. `later` have no value until the script
 * gives them one, but for those that have one from an earlier script; `initial` begin as undefined.
 */
export function declareGlobals(later: readonly string[], initial: readonly string[]): void {
  for (const name of initial) defineGlobal(name, undefined);
  for (const name of later) {
    const known = Object.getOwnPropertyDescriptor(globalThis, name);
    if (known && "value" in known) continue;
    Object.defineProperty(globalThis, name, {
      get() {
        throw new ReferenceError(`${name} is not defined`);
      },
      set: value => defineGlobal(name, value),
      configurable: true,
      enumerable: false,
    });
  }
}

/** Gives the global object a property that lists of its properties leave out. */
export function defineGlobal(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}
