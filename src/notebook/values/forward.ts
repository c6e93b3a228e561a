/** Members of a value that a promise of it has too. */
export interface ForwardedMembers<T> {
  /** Each becomes a promise of the value's own. */
  properties: readonly (keyof T)[];
  /** Each calls the value's own once the value is there. */
  methods: readonly (keyof T)[];
}

type Methods = { readonly [name: PropertyKey]: (...args: unknown[]) => unknown };

/** Defines on a class of promises some members of the value that they resolve to. */
export function forwardMembers<T>(prototype: object, { properties, methods }: ForwardedMembers<T>): void {
  for (const name of properties)
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: PromiseLike<T>) {
        return this.then(value => value[name]);
      },
    });
  for (const name of methods)
    Object.defineProperty(prototype, name, {
      configurable: true,
      writable: true,
      async value(this: PromiseLike<T>, ...args: unknown[]) {
        return ((await this) as Methods)[name]!(...args);
      },
    });
}
