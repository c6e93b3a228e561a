import { type Displayable, isSettling, type SettlingDisplay, setShow } from "../display/index.ts";
import { bundleOf, metadataOf } from "./bundle.ts";
import { frontEnd } from "./detect.ts";
import { type DisplayOptions, type FrontEnd, runningKernel } from "./front-end.ts";

interface ShowOptions extends Pick<DisplayOptions, "id" | "update"> {
  /** Time to wait for a value that settles, in milliseconds; default: 0. */
  patience?: number;
  /** Whether the output is still this value's to change; default: always. */
  isCurrent?(): boolean;
}

/**
 * Shows a value where this process shows things: as a rich output in a notebook, otherwise as text. A value that
 * settles later is shown after at most `patience` milliseconds, replaced in place, and followed while it updates; where
 * nothing can be replaced, it is shown when settled.
 */
export function show(value: Displayable, options: ShowOptions = {}): void {
  const target = frontEnd();
  if (!isSettling(value)) {
    displayOn(target, value, options);
    return;
  }
  const settled = Promise.resolve()
    .then(() => value.settled())
    .catch(() => undefined);
  const shown = target.canUpdate
    ? showInPlace(target, value, settled, options)
    : settled.then(() => displayOn(target, value));
  runningKernel()?.hold(shown);
}

async function showInPlace(
  target: FrontEnd,
  value: SettlingDisplay,
  settled: Promise<void>,
  { patience = 0, id = crypto.randomUUID(), update = false, isCurrent = () => true }: ShowOptions,
): Promise<void> {
  const draw = (options: DisplayOptions) => {
    if (isCurrent()) displayOn(target, value, { id, ...options });
  };
  const redraw = () => draw({ update: true });
  const tooLong = () => new Promise<boolean>(resolve => setTimeout(resolve, patience, false));
  const isFinal = patience > 0 && (await Promise.race([settled.then(() => true), tooLong()]));
  draw({ update, ...(!isFinal && { state: "pending" }) });
  if (!isFinal) {
    await settled;
    redraw();
  }
  follow(value, redraw);
}

export function displayOn(target: FrontEnd, value: Displayable, options: DisplayOptions = {}): void {
  const { id, update, state } = options;
  const bundle = bundleOf(value);
  if (Object.keys(bundle).length === 0) return;
  target.display(bundle, {
    ...(id !== undefined && { id }),
    ...(update !== undefined && { update }),
    ...(state && { state }),
    metadata: metadataOf(value),
  });
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
