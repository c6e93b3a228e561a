import { DisplayableValue } from "./displayable-value.ts";
import { memoizeSuccess } from "./memoize.ts";

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

  /** @internal Begins now. A failure waits for whoever awaits it. */
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
