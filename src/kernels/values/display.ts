import { inspect, toBase64 } from "#host";
import {
  clip,
  type Displayable,
  displayMetadata,
  isSettling,
  jupyterDisplay,
  type MimeBundle,
  type SettlingDisplay,
} from "../../display/index.ts";
import { attempted } from "../../host/attempted.ts";
import { bundleFrom, bundleOf, isThenable, metadataOf } from "../bundle.ts";
import { frontEnd } from "../detect.ts";
import { runningKernel } from "../front-end.ts";
import { show } from "../show.ts";
import { containsDisplayable, nestedBundle } from "./nested-values.ts";
import { plainBundle } from "./plain-value.ts";
import { contentLabel, fileType, richForm } from "./rich-form.ts";

/** An output that has been displayed, and can be replaced in its place. */
export interface DisplayHandle {
  /** The output's name in the Jupyter protocol (`display_id`). */
  readonly id: string;
  /** Shows another value in the place of the one before, in the same form: markup after `display.html`. */
  update(value: unknown): void;
  /** Removes the output. */
  clear(): void;
}

/**
 * Displays values as outputs of the cell that runs. Outside of a notebook, their text is printed.
 *
 * @example
 * const progress = display("0%");
 * for (let done = 1; done <= 4; done += 1) progress.update(`${done * 25}%`);
 */
export interface Display {
  /**
   * Displays a value as a cell's last value is shown: charts and other values that show themselves, the bytes of a
   * picture, elements, arrays of them, records as a table, a promise when it has settled; others as text.
   */
  (value: unknown): DisplayHandle;
  /** Displays HTML. */
  html(markup: string): DisplayHandle;
  /** Displays Markdown. */
  markdown(text: string): DisplayHandle;
  /** Displays LaTeX. */
  latex(text: string): DisplayHandle;
  /** Displays an SVG picture. */
  svg(markup: string): DisplayHandle;
  /** Displays text. */
  text(text: string): DisplayHandle;
  /** Has the front end run JavaScript, where it allows that. */
  javascript(code: string): DisplayHandle;
  /** Displays a PNG picture, given as bytes or in base64. */
  png(picture: Uint8Array | string): DisplayHandle;
  /** Displays a JPEG picture, given as bytes or in base64. */
  jpeg(picture: Uint8Array | string): DisplayHandle;
  /** Displays a GIF picture, given as bytes or in base64. */
  gif(picture: Uint8Array | string): DisplayHandle;
  /** Displays a PDF document, given as bytes or in base64. */
  pdf(document: Uint8Array | string): DisplayHandle;
  /** Displays a value as JSON, which front ends show as a tree. */
  json(value: unknown): DisplayHandle;
  /** Displays content of any MIME type; bytes are sent in base64. */
  raw(mimeType: string, content: unknown): DisplayHandle;
  /** Empties the output of the cell that runs. With `wait`, it is emptied when the next output arrives. */
  clear(options?: { wait?: boolean }): void;
}

type Form = (value: unknown) => Displayable;

const TEXTS = {
  html: "text/html",
  markdown: "text/markdown",
  latex: "text/latex",
  svg: "image/svg+xml",
  text: "text/plain",
  javascript: "application/javascript",
} as const;
const BINARIES = {
  png: "image/png",
  jpeg: "image/jpeg",
  gif: "image/gif",
  pdf: "application/pdf",
} as const;
const MAX_TEXT_LENGTH = 10_000;
const EMPTY: MimeBundle = { "text/html": "", "text/plain": "" };

/** Opens a display whose outputs all have one place, the newest of them; without an `id`, each has its own. */
function openDisplay(id?: string): Display {
  let placed = false;

  function handle(form: Form, value: unknown): DisplayHandle {
    const own = id ?? crypto.randomUUID();
    let newest = 0;
    const draw = (given: unknown, update: boolean) => {
      newest += 1;
      const turn = newest;
      show(form(given), { id: own, update, isCurrent: () => turn === newest });
    };
    draw(value, id !== undefined && placed);
    placed = true;
    const shown: DisplayHandle & Displayable = {
      id: own,
      // As a cell's last value it adds nothing to what it has displayed.
      [jupyterDisplay]: () => ({}),
      update: given => draw(given, true),
      clear() {
        newest += 1;
        const target = frontEnd();
        if (target.canUpdate) target.display(EMPTY, { id: own, update: true, state: "cleared" });
      },
    };
    return shown;
  }

  const texts = Object.entries(TEXTS).map(([name, mime]) => [
    name,
    (text: string) => handle(given => fixed(textBundle(name, mime, given)), text),
  ]);
  const binaries = Object.entries(BINARIES).map(([name, mime]) => [
    name,
    (data: Uint8Array | string) => handle(given => fixed(binaryBundle(name, mime, given)), data),
  ]);
  return Object.assign((value: unknown) => handle(formOf, value), {
    ...(Object.fromEntries(texts) as Pick<Display, keyof typeof TEXTS>),
    ...(Object.fromEntries(binaries) as Pick<Display, keyof typeof BINARIES>),
    json: (value: unknown) => handle(given => fixed(jsonBundle(given)), value),
    raw: (mime: string, content: unknown) => handle(given => fixed(rawBundle(mime, given)), content),
    clear: ({ wait = false } = {}) => runningKernel()?.clear?.(wait),
  });
}

/** Displays values as outputs of the cell that runs; see {@link Display}. */
export const display: Display = openDisplay();

/** The part of tslab's module that its notebooks use, for kernels in which tslab itself can't work. */
export const tslab = { display, newDisplay: (): Display => openDisplay(crypto.randomUUID()) };

/**
 * Writes values to the console, and displays those among them that have a rich form, in their order. A first value with
 * placeholders such as `%s` stays text with all that follows.
 */
export function writeOrDisplay(write: (...values: unknown[]) => void, values: readonly unknown[]): void {
  const [first] = values;
  const isFormat = typeof first === "string" && /%[sdifjoOc]/.test(first);
  let plain: unknown[] = [];
  const flush = () => {
    if (plain.length > 0) write(...plain);
    plain = [];
  };
  if (isFormat || !values.some(richForm)) {
    write(...values);
    return;
  }
  for (const value of values) {
    if (!richForm(value)) plain.push(value);
    else {
      flush();
      display(value);
    }
  }
  flush();
}

const fixed = (bundle: MimeBundle, metadata: MimeBundle = {}): Displayable => ({
  [jupyterDisplay]: () => bundle,
  [displayMetadata]: () => metadata,
});

function formOf(value: unknown): Displayable {
  const form = richForm(value);
  if (form && isSettling(form)) return form;
  if (form) {
    const bundle = bundleOf(form);
    return isThenable(bundle) ? later(bundleFrom(form)) : fixed(bundle, metadataOf(form));
  }
  if (isThenable(value)) return later(Promise.resolve(value).then(settledBundle, rejectedBundle));
  return containsDisplayable(value) ? later(nestedBundle(value)) : fixed(plainBundle(value));
}

async function settledBundle(value: unknown): Promise<MimeBundle> {
  const form = formOf(value);
  if (isSettling(form)) await form.settled();
  return bundleFrom(form);
}

const rejectedBundle = (error: unknown): MimeBundle => ({
  "text/plain": `This promise was rejected: ${error instanceof Error ? error.message : inspect(error)}`,
});
function later(bundle: Promise<MimeBundle>): SettlingDisplay {
  let now = EMPTY;
  const ready = bundle.then(made => {
    now = made;
  });
  return { [jupyterDisplay]: () => now, settled: () => ready };
}

function textBundle(name: string, mime: string, text: unknown): MimeBundle {
  if (typeof text !== "string")
    throw new TypeError(`display.${name} expects a string, not ${inspect(text, { depth: 0 })}.`);
  return {
    [mime]: text,
    "text/plain":
      mime === "text/html" ? textOf(text) : mime === "image/svg+xml" ? contentLabel(mime, text.length) : text,
  };
}

function binaryBundle(name: string, mime: string, data: unknown): MimeBundle {
  if (typeof data !== "string" && !(data instanceof Uint8Array))
    throw new TypeError(`display.${name} expects bytes or base64, not ${inspect(data, { depth: 0 })}.`);
  const decoded = (base64: string) => Uint8Array.from(atob(base64), character => character.charCodeAt(0));
  const bytes = typeof data === "string" ? attempted(() => decoded(data)) : data;
  const found = bytes && fileType(bytes);
  if (found !== mime)
    throw new TypeError(
      `display.${name} was given ${found ? `a ${found}` : "bytes of another format"}. Use display(…) for any picture.`,
    );
  return rawBundle(mime, bytes);
}

function jsonBundle(value: unknown): MimeBundle {
  const text = JSON.stringify(value, undefined, 2) as string | undefined;
  if (text === undefined) throw new TypeError(`${inspect(value, { depth: 0 })} has no JSON form.`);
  return { "application/json": JSON.parse(text), "text/plain": clip(text, MAX_TEXT_LENGTH) };
}

function rawBundle(mime: string, content: unknown): MimeBundle {
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(mime))
    throw new TypeError(`${JSON.stringify(mime)} is not a MIME type. Use one such as "text/html".`);
  if (content instanceof Uint8Array)
    return { [mime]: toBase64(content), "text/plain": contentLabel(mime, content.length) };
  const text = typeof content === "string" ? content : inspect(content);
  return { "text/plain": clip(text, MAX_TEXT_LENGTH), [mime]: content };
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  nbsp: " ",
  amp: "&",
};
const textOf = (markup: string): string =>
  clip(markup, MAX_TEXT_LENGTH)
    .replace(/<(style|script)\b[\s\S]*?<\/\1\s*>/gi, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(\w+|#39);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s+/g, " ")
    .trim();
