/** Makes a property of an object that is computed when it is read first. */
export function setWhenRead<T extends object, K extends keyof T>(
  object: T,
  name: K,
  compute: () => T[K],
): void {
  const define = (descriptor: PropertyDescriptor) =>
    Object.defineProperty(object, name, { enumerable: true, configurable: true, ...descriptor });
  define({
    get() {
      const value = compute();
      define({ value, writable: true });
      return value;
    },
    set(value: unknown) {
      define({ value, writable: true });
    },
  });
}
