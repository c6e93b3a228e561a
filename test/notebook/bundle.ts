import { type Displayable, jupyterDisplay, type MimeBundle } from "../../src/display/bundle.ts";

/** What a notebook would show of a value. */
export function bundleOf(value: Displayable): MimeBundle {
  return value[jupyterDisplay]();
}
