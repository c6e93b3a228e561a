import { inspect } from "node:util";
import { type Displayable, displayMetadata, jupyterDisplay, type MimeBundle } from "../display/bundle.ts";
import { show } from "../kernels/show.ts";
import { plainText } from "../kernels/text.ts";
import { displayableOf, type Face } from "./shown.ts";

/** Rows in the order of the service: an array that shows itself as a table. */
export abstract class ShownList<Row> extends Array<Row> implements Displayable {
  /** What the usual methods of arrays make from this list is a plain array. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** @internal */
  protected abstract face(): Face;

  [jupyterDisplay](): MimeBundle {
    return displayableOf(this.face())[jupyterDisplay]();
  }

  /** @internal */
  [displayMetadata](): MimeBundle {
    return displayableOf(this.face())[displayMetadata]?.() ?? {};
  }

  /** Shows the table now, wherever in a cell or script. */
  show(): void {
    show(this);
  }

  /** @internal */
  [inspect.custom](): string {
    return plainText(this);
  }
}
