import { type Displayable, isSettling, type SettlingDisplay, setShow } from "../display/bundle.ts";
import { frontEnd } from "./detect.ts";
import type { DisplayOptions, FrontEnd } from "./front-end.ts";
import { runningKernel } from "./running-kernel.ts";
import { bundleOf, metadataOf } from "./text.ts";

/**
 * Shows a value where this process shows things: as a rich output in a notebook, otherwise as text. A value that
 * settles later is shown after at most `patience` milliseconds, replaced in place, and followed while it updates; where
 * nothing can be replaced, it is shown when settled.
 */
export function show(value: Displayable, patience = 0): void {
  const target = frontEnd();
  if (!isSettling(value)) {
    displayOn(target, value);
    return;
  }
  const settled = Promise.resolve()
    .then(() => value.settled())
    .catch(() => undefined);
  const shown = target.canUpdate
    ? showInPlace(target, value, settled, patience)
    : settled.then(() => displayOn(target, value));
  runningKernel()?.hold(shown);
}

async function showInPlace(
  target: FrontEnd,
  value: SettlingDisplay,
  settled: Promise<void>,
  patience: number,
): Promise<void> {
  const id = crypto.randomUUID();
  const draw = (options: DisplayOptions) => displayOn(target, value, { id, ...options });
  const redraw = () => draw({ update: true });
  const tooLong = () => new Promise<boolean>(resolve => setTimeout(resolve, patience, false));
  const isFinal = patience > 0 && (await Promise.race([settled.then(() => true), tooLong()]));
  draw(isFinal ? {} : { state: "pending" });
  if (!isFinal) {
    await settled;
    redraw();
  }
  follow(value, redraw);
}

/** Shows the present bundle of a value on a front end. */
export function displayOn(target: FrontEnd, value: Displayable, options: DisplayOptions = {}): void {
  target.display(bundleOf(value), { ...options, metadata: metadataOf(value) });
}

/** Draws a value that is still updating, such as a job, whenever it has changed. */
function follow(value: SettlingDisplay, draw: () => void): void {
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

setShow(value => show(value));
