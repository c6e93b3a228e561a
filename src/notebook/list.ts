import type { Displayable, jupyterDisplay } from "../display/bundle.ts";
import { type Face, type Shown, waysToShow } from "./shown.ts";

/** Rows in the order of the service: an array that shows itself as a table. */
export abstract class ShownList<Row> extends Array<Row> implements Displayable {
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

  /** @internal */
  protected abstract face(): Face;
}
