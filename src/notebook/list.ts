import type { Displayable, jupyterDisplay } from "../display/bundle.ts";
import { formatNumber } from "../display/index.ts";
import { type Face, type Shown, waysToShow } from "./shown.ts";

/** Rows in the order of the service: an array that shows itself as a table. */
export abstract class ShownList<Row> extends Array<Row> implements Displayable {
  #total: number | null = null;

  declare [jupyterDisplay]: Shown[typeof jupyterDisplay];

  /** Shows the table now, wherever in a cell or script. */
  declare show: Shown["show"];

  static {
    Object.defineProperties(ShownList.prototype, waysToShow);
  }

  /** @internal What the usual methods of arrays make from this list is a plain array. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** Rows that there are at the service, of which these may be the first; null where that is not known. */
  get total(): number | null {
    return this.#total;
  }

  /** @internal */
  set total(total: number) {
    this.#total = total;
  }

  /** What the list holds, in one line: `50 of 1,177 jobs`. */
  override toString(): string {
    const { length, total } = this;
    const of = total !== null && total > length ? ` of ${formatNumber(total)}` : "";
    return `${formatNumber(length)}${of} ${this.noun()}`;
  }

  /** @internal The word for the rows, such as `jobs`. */
  protected abstract noun(): string;

  /** @internal */
  protected abstract face(): Face;
}
