/**
 * Makes names properties of the global object, before a script assigns to them. `later` have no value until the script
 * gives them one, but for those that have one from an earlier script; `initial` begin as undefined.
 */
export function declareGlobals(later: readonly string[], initial: readonly string[]): void {
  for (const name of initial) define(name, undefined);
  for (const name of later) {
    const known = Object.getOwnPropertyDescriptor(globalThis, name);
    if (known && "value" in known) continue;
    Object.defineProperty(globalThis, name, {
      get() {
        throw new ReferenceError(`${name} is not defined`);
      },
      set: value => define(name, value),
      configurable: true,
      enumerable: false,
    });
  }
}

function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}
