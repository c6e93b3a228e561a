import { inspect } from "node:util";
import {
  type Displayable,
  displayMetadata,
  isDisplayable,
  jupyterDisplay,
  type MimeBundle,
} from "../../display/bundle.ts";
import { displayable, type Form } from "../../display/index.ts";
import { show } from "../../kernels/show.ts";
import { plainText } from "../../kernels/text.ts";

/** What a value looks like: a form of its own, or something else that shows itself, such as a chart. */
export type Face = Form | Displayable;

/** The displayable that a face is or makes. */
export function displayableOf(face: Face): Displayable {
  return isDisplayable(face) ? face : displayable(face);
}

/** A value that shows itself: richly in a notebook, as text elsewhere. */
export abstract class Shown implements Displayable {
  /** @internal */
  protected abstract face(): Face;

  [jupyterDisplay](): MimeBundle {
    return displayableOf(this.face())[jupyterDisplay]();
  }

  /** @internal */
  [displayMetadata](): MimeBundle {
    return displayableOf(this.face())[displayMetadata]?.() ?? {};
  }

  /** Shows this value now, wherever in a cell or script. */
  show(): void {
    show(this);
  }

  /** What this is, in one line. */
  toString(): string {
    return plainText(this).trimStart().split("\n", 1)[0]!.trimEnd();
  }

  /** @internal */
  [inspect.custom](): string {
    return plainText(this);
  }
}

const { constructor: _, toString: __, ...ways } = Object.getOwnPropertyDescriptors(Shown.prototype);

/** The methods of `Shown`, for a class that has a face and can't extend it. */
export const waysToShow: PropertyDescriptorMap = ways;
