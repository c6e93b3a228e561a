import { type Displayable, displayable, html, type SettlingDisplay, visible } from "../../display/index.ts";
import { DisplayableValue } from "./displayable-value.ts";

/** Makes a function that does its work once: all calls share the promise, until it fails; the next call tries again. */
export function memoizeSuccess<T>(work: () => Promise<T>) {
  let promise: Promise<T> | undefined;
  return {
    get isStarted(): boolean {
      return promise !== undefined;
    },
    get(): Promise<T> {
      if (!promise) {
        const begun = work();
        promise = begun;
        begun.catch(() => {
          if (promise === begun) promise = undefined;
        });
      }
      return promise;
    },
    forget(): void {
      promise = undefined;
    },
  };
}

/**
 * A promise that begins its work when somebody first asks for its value: by `await`, `then`, `catch` or `finally`.
 * The work is done once; after a failure, the next `await` tries again.
 */
export abstract class LazyPromise<T> extends DisplayableValue implements Promise<T> {
  readonly #work = memoizeSuccess(() => this.work());

  /** @internal Does the work. */
  protected abstract work(): Promise<T>;

  /** @internal Whether the work has begun and has not failed. */
  get isStarted(): boolean {
    return this.#work.isStarted;
  }

  /** @internal Begins now. A failure waits for an `await`. */
  start(): Promise<T> {
    return this.#work.get();
  }

  /** Calls a function with the value, or another one with the error, as of any promise. */
  // biome-ignore lint/suspicious/noThenProperty: being awaitable is the point
  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    // biome-ignore lint/suspicious/noExplicitAny: as TypeScript has it of any promise
    onRejected?: ((reason: any) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.start().then(onFulfilled, onRejected);
  }

  /** Calls a function with the error when there is one, as of any promise. */
  // biome-ignore lint/suspicious/noExplicitAny: as TypeScript has it of any promise
  catch<B = never>(onRejected?: ((reason: any) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.start().catch(onRejected);
  }

  /** Calls a function at the end, however it ends, as of any promise. */
  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.start().finally(onFinally);
  }

  /** Name of a promise for `Object.prototype.toString`. */
  get [Symbol.toStringTag](): string {
    return "Promise";
  }
}

/**
 * A value that is fetched when it is first needed: by `await`, or by being shown. It is fetched once; after a
 * failure, the next `await` tries again.
 */
export class LazyValue<T extends Displayable> extends LazyPromise<T> {
  /** @internal What is fetched, such as `Devices`. */
  readonly title: string;
  readonly #fetch: () => Promise<T>;
  #value: T | null = null;
  #rendering: Displayable | undefined;

  /** @internal */
  constructor(title: string, fetch: () => Promise<T>) {
    super();
    this.title = title;
    this.#fetch = fetch;
  }

  /** @internal */
  protected override async work(): Promise<T> {
    this.#value = await this.#fetch();
    return this.#value;
  }

  /** The value once it has been fetched, and null before. */
  toJSON(): T | null {
    return this.#value;
  }

  /** @internal */
  protected override render(): Displayable {
    return this.#rendering ?? notice(`${this.title} …`);
  }

  /** @internal Resolves when what is shown has become final. */
  async settled(redraw?: () => void): Promise<void> {
    try {
      const value: Displayable & Partial<SettlingDisplay> = await this.start();
      this.#rendering = value;
      await value.settled?.(redraw);
    } catch (error) {
      this.#rendering = notice(`${this.title}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function notice(text: string): Displayable {
  return displayable({
    html: html`<div style="white-space:pre-wrap">${text}</div>`.toString(),
    text: visible(text),
  });
}

/** Defines on a class of promises some members of the objects that they resolve to: getters as promises, methods that wait first. */
export function forwardMembers<T extends object>(pending: object, of: T, names: readonly (keyof T)[]): void {
  type Waiting = PromiseLike<{ readonly [name: PropertyKey]: (...args: unknown[]) => unknown }>;
  for (const name of names)
    Object.defineProperty(pending, name, {
      configurable: true,
      ...(Object.getOwnPropertyDescriptor(of, name)!.get
        ? {
            get(this: PromiseLike<T>) {
              return this.then(value => value[name]);
            },
          }
        : {
            writable: true,
            async value(this: Waiting, ...args: unknown[]) {
              return (await this)[name]!(...args);
            },
          }),
    });
}
