import { stripVTControlCharacters } from "node:util";
import sanitize from "sanitize-html";
import { chartFigure } from "../../charts/html/index.ts";
import type { ErrorOutput, Output } from "../../ipynb/index.ts";
import { escapeHtml, type Prose } from "../../ipynb/prose/index.ts";

const TAGS =
  "a abbr b blockquote br caption code col colgroup dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 " +
  "hr i img kbd li meter ol p picture pre progress s samp section small source span strong sub summary sup table tbody td tfoot th " +
  "thead time tr u ul var wbr";
const ATTRIBUTES =
  "align alt aria-hidden aria-label cellpadding colspan datetime dir height high lang low max min open optimum role " +
  "rowspan scope span start style title valign value width";
/** Elements that go with all they contain. */
const DROPPED =
  "embed frame frameset head iframe math noscript object option script style svg template textarea title xmp";

/** Properties that style an element and what is in it, and that neither move it nor cover others. */
const PROPERTIES =
  "align-content align-items align-self background background-color background-image background-position " +
  "background-repeat background-size border border-bottom border-bottom-color border-bottom-style " +
  "border-bottom-width border-collapse border-color border-left border-left-color border-left-style " +
  "border-left-width border-radius border-right border-right-color border-right-style border-right-width " +
  "border-spacing border-style border-top border-top-color border-top-style border-top-width border-width " +
  "box-sizing caption-side color column-gap direction display flex flex-basis flex-direction flex-grow flex-shrink " +
  "flex-wrap font font-family font-size font-style font-variant-numeric font-weight gap grid-auto-flow grid-column " +
  "grid-row grid-template-columns grid-template-rows height hyphens justify-content justify-items justify-self " +
  "list-style list-style-type max-height max-width min-height min-width object-fit opacity order overflow " +
  "overflow-wrap overflow-x overflow-y padding padding-bottom padding-left padding-right padding-top row-gap " +
  "table-layout tab-size text-align text-decoration text-overflow text-transform user-select vertical-align " +
  "white-space width word-break word-wrap";
const SPACING =
  "letter-spacing line-height margin margin-bottom margin-left margin-right margin-top word-spacing";

const FUNCTIONS = "calc|clamp|color-mix|hsla?|light-dark|linear-gradient|max|min|minmax|repeat|rgba?|var";
const VALUE = new RegExp(`^(?:[\\w\\s#%.,'"+*/)-]|(?<![\\w-])(?:${FUNCTIONS})\\()*$`, "i");
const NOT_NEGATIVE = /^(?:(?:auto|normal|\d*\.?\d+(?:ch|em|ex|pt|px|rem|%)?)\s*){1,4}$/i;
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=\s]*$/;
const MAX_DEPTH = 200;

const allow = (names: string, pattern: RegExp) =>
  Object.fromEntries(names.split(" ").map(name => [name, [pattern]]));

const OPTIONS: Parameters<typeof sanitize>[1] = {
  allowedTags: TAGS.split(" "),
  nonTextTags: DROPPED.split(" "),
  allowedAttributes: { "*": ATTRIBUTES.split(" "), a: ["href"], img: ["src"], source: ["media", "srcset"] },
  allowedSchemes: ["http", "https", "mailto"],
  allowedSchemesByTag: { img: ["data"], source: ["data"] },
  allowProtocolRelative: false,
  allowedStyles: { "*": { ...allow(PROPERTIES, VALUE), ...allow(SPACING, NOT_NEGATIVE) } },
  exclusiveFilter: ({ tag, attribs }) =>
    (tag === "img" && !PICTURE.test(attribs.src ?? "")) ||
    (tag === "source" && !PICTURE.test(attribs.srcset ?? "")),
};

/**
 * Keeps of an HTML fragment what shows text, tables, bars and embedded pictures, and nothing that could run, load,
 * send or cover anything. Every element that is opened gets closed.
 */
export function sanitizeHtml(fragment: string): string {
  let depth = 0;
  const onOpenTag = () => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new RangeError(`nested more than ${MAX_DEPTH} elements deep`);
  };
  const onCloseTag = () => {
    depth -= 1;
  };
  try {
    return sanitize(fragment, { ...OPTIONS, onOpenTag, onCloseTag });
  } catch (error) {
    if (depth <= MAX_DEPTH) throw error;
    return `<p>[HTML that is ${(error as RangeError).message} is left out.]</p>`;
  }
}

type Fields = Record<string, unknown>;

const CHART = "application/vnd.vegalite.v5+json";
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** One output as HTML that needs nothing from outside. */
export function outputHtml(output: Output, prose: Prose): string {
  switch (output.output_type) {
    case "stream":
      return `<pre class="${output.name}">${plain(output.text)}</pre>`;
    case "error":
      return errorHtml(output);
    default:
      return `<div class="rich">${preferredHtml(output.data, output.metadata, prose)}</div>`;
  }
}

function errorHtml({ ename, evalue, traceback }: ErrorOutput): string {
  const heading = `${ename}: ${evalue}`;
  const trace = stripVTControlCharacters(traceback.join("\n"));
  const rest = trace.startsWith(heading) ? trace.slice(heading.length).replace(/^\n/, "") : trace;
  const title = `<p><strong>${escapeHtml(ename)}</strong> ${plain(evalue)}</p>`;
  return `<div class="error">${title}${rest.trim() && `<pre>${plain(rest)}</pre>`}</div>`;
}

function preferredHtml(data: Fields, metadata: Fields, prose: Prose): string {
  const text = (mime: string) => (typeof data[mime] === "string" ? (data[mime] as string) : undefined);
  const html = text("text/html");
  if (html !== undefined) return sanitizeHtml(html);
  const picture = PICTURES.find(mime => text(mime) !== undefined);
  const caption = text("text/plain") ?? "";
  if (picture) {
    const still = pictureHtml(`data:${picture};base64,${base64(data[picture])}`, metadata[picture], caption);
    return chartHtml(data[CHART], still, caption);
  }
  const svg = text("image/svg+xml");
  if (svg !== undefined) {
    return pictureHtml(
      `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`,
      undefined,
      caption,
    );
  }
  const markdown = text("text/markdown");
  if (markdown !== undefined) return prose.render(markdown);
  const fallback = text("text/plain") ?? text("text/latex") ?? JSON.stringify(data, undefined, 2);
  return `<pre>${plain(fallback)}</pre>`;
}

/** A chart with its picture and its text form; only the picture if no specification came with it. */
function chartHtml(spec: unknown, still: string, text: string): string {
  if (typeof spec !== "object" || spec === null || Array.isArray(spec)) return still;
  const { description } = spec as Fields;
  const words = typeof description === "string" ? description : text.slice(0, 200);
  const lines = text && `<details><summary>Text</summary><pre tabindex="0">${plain(text)}</pre></details>`;
  return chartFigure({ description: words, spec, still }) + lines;
}

function pictureHtml(source: string, metadata: unknown, caption: string): string {
  const { width: given, alt } = Object(metadata) as Fields;
  const width = Number(given);
  const words = typeof alt === "string" ? alt : caption;
  const size = Number.isFinite(width) && width > 0 ? ` width="${width}"` : "";
  return `<img src="${source}" alt="${escapeHtml(words.slice(0, 2000))}"${size}>`;
}

function base64(value: unknown): string {
  return String(value).replace(/[^A-Za-z0-9+/=]/g, "");
}

function plain(text: string): string {
  return escapeHtml(stripVTControlCharacters(text));
}
