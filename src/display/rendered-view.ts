import { inspect } from "#host/inspect";
import { type Displayable, jupyterDisplay } from "./bundle.ts";

/** The two ways in which everything but a chart is shown. Both are safe to print as they are. */
export interface RenderedView {
  /** Markup with inline styles alone, which survives the sanitizers of front ends. */
  html: string;
  /** Lines for a terminal, without control characters from data. */
  text: string;
  /** The rows of a table as they are written, by the headings of its columns. */
  records?: () => { [heading: string]: string }[];
}

/** Makes a form show itself, in notebooks and terminals alike. */
export function displayable(form: RenderedView): Displayable & RenderedView {
  return {
    html: form.html,
    text: form.text,
    toString: () => form.text,
    [jupyterDisplay]: () => ({ "text/html": form.html, "text/plain": form.text }),
    [inspect.custom]: () => form.text,
  } as Displayable & RenderedView;
}
