import { inspect } from "#host";
import { attempted } from "../host/attempted.ts";

/** The well-known symbol through which Jupyter kernels ask a value how it wants to be shown. */
export const jupyterDisplay: unique symbol = Symbol.for("Jupyter.display") as never;

/** The symbol under which a value says more about its bundle, such as the size of a picture. */
export const displayMetadata: unique symbol = Symbol.for("ketbook.display.metadata") as never;

/** The symbol under which a picture has a form for the middle of other markup, which is dark on dark pages. */
export const pictureMarkup: unique symbol = Symbol.for("ketbook.display.markup") as never;

/** The symbol under which a value has its text alone, where its bundle takes longer to make. */
export const plainForm: unique symbol = Symbol.for("ketbook.display.text") as never;

/** Output of a notebook: one representation per MIME type. A front end shows the richest one that it can draw. */
export interface MimeBundle {
  [mimeType: string]: unknown;
}

/** A value that shows itself in a notebook. */
export interface Displayable {
  /** Returns the mime bundle at once, without waiting for anything. */
  [jupyterDisplay](): MimeBundle;
  /**
   * @internal
   * Returns the metadata to send along, by mime type: `{ "image/png": { width, height } }` shows a picture of
   * twice the resolution at its true size.
   */
  [displayMetadata]?(): MimeBundle;
  /** @internal Returns markup with only inline styles; nothing where no pictures are made. */
  [pictureMarkup]?(): string | undefined;
  /** @internal Returns the text of its bundle; nothing where only the bundle has one. */
  [plainForm]?(): string | undefined;
}

/** A value whose picture improves later, such as a running job. Kernels update it in place. */
export interface SettlingDisplay extends Displayable {
  /**
   * Resolves (never rejects) when the bundle has become final: without `redraw`, as final as a moment makes it; with
   * it, at the very end, and whenever the bundle changes until then, `redraw` is called.
   */
  settled(redraw?: () => void): Promise<void>;
}

/** Whether what is shown of a value may become better later. */
export function isSettling(value: Displayable): value is SettlingDisplay {
  return typeof (value as Partial<SettlingDisplay>).settled === "function";
}

/** Whether a value shows itself. Never throws, whatever the value is. */
export function isDisplayable(value: unknown): value is Displayable {
  return typeof attempted(() => (value as Displayable | null)?.[jupyterDisplay]) === "function";
}

/** The two ways in which everything but a chart is shown. Both are safe to print as they are. */
export interface RenderedView {
  /** Markup with only inline styles, which survives the sanitizers of front ends. */
  html: string;
  /** Lines for a terminal, without control characters from data. */
  text: string;
  /** The rows of a table as they are written, by the headings of its columns. */
  records?: () => { [heading: string]: string }[];
}

/** Keeps signs of dollar in an element, as in `$5`, from being read as formulas: MathJax 2 and 3 skip one class each. */
export const untypeset = (element: string): string =>
  element.replace(/^<\w+/, '$& class="tex2jax_ignore mathjax_ignore"');

export function displayable(form: RenderedView): Displayable & RenderedView {
  return {
    html: form.html,
    text: form.text,
    toString: () => form.text,
    [jupyterDisplay]: () => ({ "text/html": untypeset(form.html), "text/plain": form.text }),
    [inspect.custom]: () => form.text,
  } as Displayable & RenderedView;
}

let showValue: ((value: Displayable) => void) | undefined;

/** Says how values are shown. The library does it when it is loaded, for the front end that it finds. */
export function setShow(show: (value: Displayable) => void): void {
  showValue = show;
}

export function show(value: Displayable): void {
  if (!showValue) throw new Error("Nothing shows values here: import ketbook as a whole.");
  showValue(value);
}
