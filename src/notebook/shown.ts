import { inspect } from "node:util";
import { type Displayable, jupyterDisplay, type MimeBundle } from "../display/bundle.ts";
import { displayable, type Form } from "../display/index.ts";
import { show } from "../kernels/show.ts";
import { plainText } from "../kernels/text.ts";

/** The bundle of a form that is made when it is asked for. */
export function formBundle(form: Form): MimeBundle {
  return displayable(form)[jupyterDisplay]();
}

/** A value that shows itself: richly in a notebook, as text elsewhere. */
export abstract class Shown implements Displayable {
  abstract [jupyterDisplay](): MimeBundle;

  /** Shows this value now, wherever in a cell or script. */
  show(): void {
    show(this);
  }

  /** @internal */
  [inspect.custom](): string {
    return plainText(this);
  }
}
