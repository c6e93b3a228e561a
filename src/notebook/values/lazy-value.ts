import type { Displayable, SettlingDisplay } from "../../display/bundle.ts";
import { displayable, html, visible } from "../../display/index.ts";
import { LazyPromise } from "./lazy-promise.ts";

/**
 * A value that is fetched when it is first needed: by `await`, or by being shown. It is fetched once; after a
 * failure, the next `await` tries again.
 */
export class LazyValue<T extends Displayable> extends LazyPromise<T> {
  readonly #what: string;
  readonly #fetch: () => Promise<T>;
  #value: T | null = null;
  #rendering: Displayable | undefined;

  /** @internal */
  constructor(what: string, fetch: () => Promise<T>) {
    super();
    this.#what = what;
    this.#fetch = fetch;
  }

  /** @internal What is fetched, such as `Devices`. */
  get title(): string {
    return this.#what;
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
    return this.#rendering ?? notice(`${this.#what} …`);
  }

  /** @internal Resolves when what is shown has become final. */
  async settled(redraw?: () => void): Promise<void> {
    try {
      const value: Displayable & Partial<SettlingDisplay> = await this.start();
      this.#rendering = value;
      await value.settled?.(redraw);
    } catch (error) {
      this.#rendering = notice(`${this.#what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function notice(text: string): Displayable {
  return displayable({
    html: html`<div style="white-space:pre-wrap">${text}</div>`.toString(),
    text: visible(text),
  });
}
