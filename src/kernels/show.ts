import type { Displayable, SettlingDisplay } from "../display/bundle.ts";
import { setShow } from "../display/show.ts";
import { frontEnd } from "./detect.ts";
import type { DisplayOptions, FrontEnd } from "./front-end.ts";
import { runningKernel } from "./running-kernel.ts";
import { bundleOf, metadataOf } from "./text.ts";

/**
 * Shows a value where this process shows things: as a rich output in a notebook, otherwise as text. A value that
 * settles later is shown at once, replaced in place, and followed while it updates; where nothing can be replaced, it
 * is shown when settled.
 */
export function show(value: Displayable): void {
  const target = frontEnd();
  if (!isSettling(value)) {
    displayOn(target, value);
  } else if (target.canUpdate) {
    const id = crypto.randomUUID();
    const draw = (options: DisplayOptions) => displayOn(target, value, { id, ...options });
    draw({ state: "pending" });
    const redraw = () => draw({ update: true });
    whenSettled(value, () => {
      redraw();
      follow(value, redraw);
    });
  } else {
    whenSettled(value, () => displayOn(target, value));
  }
}

/** Shows the present bundle of a value on a front end. */
export function displayOn(target: FrontEnd, value: Displayable, options: DisplayOptions = {}): void {
  target.display(bundleOf(value), { ...options, metadata: metadataOf(value) });
}

function isSettling(value: Displayable): value is SettlingDisplay {
  return typeof (value as Partial<SettlingDisplay>).settled === "function";
}

/** Draws a value that is still updating, such as a job, whenever it has changed. */
export function follow(value: SettlingDisplay, draw: () => void): void {
  let changed = false;
  const redraw = () => {
    changed = true;
    draw();
  };
  const end = () => {
    if (changed) draw();
  };
  Promise.resolve()
    .then(() => value.settled(redraw))
    .then(end, end);
}

function whenSettled(value: SettlingDisplay, then: () => void): void {
  const shown = Promise.resolve()
    .then(() => value.settled())
    .then(then, then);
  runningKernel()?.hold(shown);
}

setShow(show);
