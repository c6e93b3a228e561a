import {
  clip,
  type Displayable,
  html,
  isDisplayable,
  type MimeBundle,
  pictureMarkup,
  raw,
  type SafeHtml,
  visible,
} from "../../display/index.ts";
import { attempted } from "../../host/attempted.ts";
import { allDisplaysSettled, bundleFrom, markupOf, metadataOf } from "../bundle.ts";
import { inspectSafely, isPlainObject } from "./plain-value.ts";
import { richForm } from "./rich-form.ts";

const MAX_DEPTH = 3;
const MAX_ENTRIES = 100;
const MAX_SHOWN = 20;
const MAX_TEXT_LENGTH = 20_000;
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

interface RenderedValue {
  html: SafeHtml;
  text: string;
}

/** Whether a value is an array or a plain object that holds, not too deep, something that shows itself. */
export function containsDisplayable(value: unknown, depth = MAX_DEPTH): boolean {
  return displayablesIn(value, depth).next().done === false;
}

/** Shows an array or a plain object with whatever shows itself in it, each in its place. Never rejects. */
export async function nestedBundle(value: unknown): Promise<MimeBundle> {
  const shown = [...displayablesIn(value, MAX_DEPTH)].slice(0, MAX_SHOWN);
  await allDisplaysSettled(shown);
  const bundles = new Map<Displayable, RenderedValue>();
  for (const each of shown) bundles.set(each, renderBundle(each, await bundleFrom(each)));
  const { html, text } = layOut(value, bundles, MAX_DEPTH);
  return { "text/html": html.toString(), "text/plain": text };
}

function* displayablesIn(value: unknown, depth: number): Generator<Displayable> {
  const form = richForm(value);
  if (form) yield form;
  else if (depth > 0)
    for (const [, entry] of entriesOf(value).slice(0, MAX_ENTRIES)) yield* displayablesIn(entry, depth - 1);
}

function entriesOf(value: unknown): [string, unknown][] {
  if (!Array.isArray(value) && !isPlainObject(value)) return [];
  return attempted(() => Object.entries(value)) ?? [];
}

function layOut(
  value: unknown,
  bundles: ReadonlyMap<Displayable, RenderedValue>,
  depth: number,
): RenderedValue {
  const form = richForm(value);
  if (form) return bundles.get(form) ?? preformatted("…");
  if (depth === 0 || !containsDisplayable(value, depth)) return preformatted(inspectSafely(value));
  const all = entriesOf(value);
  const parts = all
    .slice(0, MAX_ENTRIES)
    .map(([key, entry]) => ({ key: clip(key), shown: layOut(entry, bundles, depth - 1) }));
  if (isGallery(value))
    return gallery(
      value,
      parts.map(part => part.shown),
    );
  const left = all.length - parts.length;
  const more = left > 0 ? `+ ${left} more` : "";
  const rows = parts.map(
    ({ key, shown }) =>
      html`<div style="display:flex;gap:12px;align-items:flex-start;padding:4px 0"><pre style="margin:0;opacity:0.75;min-width:2em;text-align:right;white-space:pre-wrap">${key}</pre><div style="min-width:0;flex:1">${shown.html}</div></div>`,
  );
  const lines = parts.map(({ key, shown }) => {
    const label = `${visible(key)}: `;
    return label + shown.text.replaceAll("\n", `\n${" ".repeat(label.length)}`);
  });
  return {
    html: html`<div>${rows}${more && html`<div style="font-size:12px;opacity:0.75">${more}</div>`}</div>`,
    text: [...lines, ...(more ? [more] : [])].join("\n"),
  };
}

/** Whether a value is a list of nothing but what shows itself as a picture, such as charts. */
const isGallery = (value: unknown): value is readonly Displayable[] =>
  Array.isArray(value) && value.every(entry => isDisplayable(entry) && pictureMarkup in entry);

/** Pictures beside each other, as many in a row as there is room for. */
function gallery(all: readonly Displayable[], shown: readonly RenderedValue[]): RenderedValue {
  const cells = shown.map(({ html: picture }) => html`<div style="max-width:100%">${picture}</div>`);
  const more = all.length > shown.length ? `+ ${all.length - shown.length} more` : "";
  return {
    html: html`<div style="display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start">${cells}${more && html`<div>${more}</div>`}</div>`,
    text: [...shown.map(({ text }) => text), ...(more ? [more] : [])].join("\n\n"),
  };
}

function renderBundle(value: Displayable, bundle: MimeBundle): RenderedValue {
  const text = typeof bundle["text/plain"] === "string" ? bundle["text/plain"] : "";
  const markup = markupOf(value) ?? bundle["text/html"];
  if (typeof markup === "string") return { html: raw(markup), text };
  const mime = PICTURES.find(type => typeof bundle[type] === "string");
  if (!mime) return preformatted(text);
  const { width, alt = text } = Object(metadataOf(value)[mime]) as { width?: number; alt?: string };
  const size = width && width > 0 ? html` width="${width}"` : "";
  const data = String(bundle[mime]).replace(/[^A-Za-z0-9+/=]/g, "");
  const source = raw(`data:${mime};base64,${data}`);
  return { html: html`<img src="${source}" alt="${clip(alt, 2000)}"${size}>`, text };
}

function preformatted(text: string): RenderedValue {
  const safe = clip(visible(text), MAX_TEXT_LENGTH);
  return { html: html`<pre style="margin:0">${safe}</pre>`, text: safe };
}
