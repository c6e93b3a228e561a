import type { Displayable } from "./bundle.ts";

let showValue: ((value: Displayable) => void) | undefined;

/** Says how values are shown. The library does it when it is loaded, for the front end that it finds. */
export function setShow(show: (value: Displayable) => void): void {
  showValue = show;
}

/** Shows a value where this process shows things. */
export function show(value: Displayable): void {
  if (!showValue) throw new Error("Nothing shows values here: import ketbook as a whole.");
  showValue(value);
}
