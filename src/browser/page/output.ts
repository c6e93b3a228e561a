import createPurifier from "dompurify";
import { stripVTControlCharacters, toBase64 } from "#host";
import {
  bundlesOf,
  type ErrorOutput,
  type Notebook,
  type Output,
  type RichOutput,
} from "../../ipynb/index.ts";
import { openProse } from "../../ipynb/prose/index.ts";
import { element } from "./element.ts";
import { nameIn } from "./keeper.ts";

type Bundle = Readonly<Record<string, unknown>>;

const CHART = "application/vnd.vegalite.v5+json";
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const MAX_TEXT = 200_000;

/** Draws a Vega-Lite specification in an element, live: it reacts to pointer and keyboard. */
type DrawChart = (figure: HTMLElement, spec: object) => Promise<void>;

/** Faces that text is measured in before it is drawn. */
const FACES = ["12px Inter", "600 12px Inter"];

let drawChart: DrawChart | undefined;

async function loadCharts(): Promise<DrawChart> {
  const { drawFigure, pageTooltip } = await import("../../charts/vega/index.ts");
  const tooltip = pageTooltip();
  return async (figure, spec) => {
    await Promise.allSettled(FACES.map(face => document.fonts.load(face)));
    return drawFigure(figure, spec, tooltip);
  };
}

/** One output of a cell, as an element that can only be looked at. */
export function outputElement(output: Output): HTMLElement {
  if (output.output_type === "stream") return element("pre", { class: output.name }, plain(output.text));
  if (output.output_type === "error") return errorElement(output);
  const shown = element("div", { class: "rich" });
  void fill(shown, output);
  return shown;
}

function errorElement({ ename, evalue, traceback }: ErrorOutput): HTMLElement {
  const trace = plain(traceback.join("\n"));
  const heading = `${ename}: ${evalue}`;
  const rest = trace.startsWith(heading) ? trace.slice(heading.length).trimStart() : trace;
  // Lines after the first may be a program's, with a caret under the place.
  const [sentence, ...lines] = plain(evalue).split("\n");
  const title = element("p", {}, element("strong", {}, ename), ` ${sentence}`);
  const details = [lines.join("\n").replace(/^\n+|\s+$/g, ""), rest].filter(text => text !== "").join("\n\n");
  return element(
    "div",
    { class: "error", role: "alert" },
    title,
    details !== "" && element("pre", {}, details),
  );
}

async function fill(shown: HTMLElement, { data, metadata }: RichOutput): Promise<void> {
  const bundle = data as Bundle;
  const text = plain(textOf(bundle["text/plain"]) ?? "");
  const mime = PICTURES.find(each => typeof bundle[each] === "string");
  const file = stillOf(metadata);
  const src = mime ? `data:${mime};base64,${textOf(bundle[mime])}` : file;
  const still = src && picture(src, text, (metadata as Bundle)[mime ?? "image/png"]);
  if (still && file) still.classList.add("still");
  const spec = bundle[CHART];
  if (typeof spec === "object" && spec !== null)
    return fillChart(shown, spec, still || element("pre", {}, text));
  const html = textOf(bundle["text/html"]);
  if (html !== undefined) return shown.replaceChildren(sanitized(html));
  if (still) return shown.replaceChildren(still);
  const svg = textOf(bundle["image/svg+xml"]);
  if (svg !== undefined)
    return shown.replaceChildren(picture(`data:image/svg+xml,${encodeURIComponent(svg)}`, text));
  const markdown = textOf(bundle["text/markdown"]);
  if (markdown !== undefined) return shown.replaceChildren(sanitized(openProse().render(markdown)));
  shown.replaceChildren(
    element("pre", {}, text || plain(textOf(bundle["text/latex"]) ?? JSON.stringify(data, undefined, 2))),
  );
}

/** Puts a chart into its place, in which its still or text is while the first one's Vega is loaded, and stays where that fails. */
async function fillChart(shown: HTMLElement, spec: object, still: HTMLElement): Promise<void> {
  const { description } = spec as { description?: unknown };
  try {
    if (!drawChart) shown.replaceChildren(still);
    drawChart ??= await loadCharts();
    const figure = element("figure", {
      "data-chart": "",
      tabindex: "0",
      role: "group",
      "aria-label": String(description ?? "Chart"),
    });
    shown.replaceChildren(figure);
    await drawChart(figure, spec);
  } catch {
    shown.replaceChildren(still);
  }
}

function picture(src: string, text: string, about?: unknown): HTMLElement {
  const { width, height, alt = text } = (about ?? {}) as { [name: string]: unknown };
  const image = element("img", { loading: "lazy", src, alt: String(alt).slice(0, 2000) });
  if (typeof width === "number" && typeof height === "number") Object.assign(image, { width, height });
  return image;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function plain(text: string): string {
  const shown = stripVTControlCharacters(text);
  return shown.length > MAX_TEXT
    ? `${shown.slice(0, MAX_TEXT)}\n… (${shown.length - MAX_TEXT} more characters)`
    : shown;
}

const FILE = /^pictures\/[\da-f]{16}\.png$/;
const PNG = "image/png";

/** The address of a picture in a separate file, loaded when it comes into view; undefined for none. */
function stillOf(metadata: RichOutput["metadata"]): string | undefined {
  const { file } = (metadata[PNG] ?? {}) as { file?: unknown };
  return typeof file === "string" && FILE.test(file)
    ? new URL(`notebooks/${file}`, document.baseURI).href
    : undefined;
}

/** Puts the pictures that are in files of the site into the outputs of a notebook, which is to be saved. */
export async function embedPictures(notebook: Notebook): Promise<void> {
  for (const { data, metadata } of bundlesOf(notebook)) {
    const still = stillOf(metadata);
    const response = still === undefined ? undefined : await fetch(still);
    if (!response?.ok) continue;
    const bytes = new Uint8Array(await response.arrayBuffer());
    data[PNG] = toBase64(bytes);
    const { file: _, ...size } = metadata[PNG] as { file?: string };
    metadata[PNG] = size;
  }
}

const EMBEDDED = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/;

/** Classes of program tokens, the only ones that are kept. */
const HIGHLIGHTED = /^t-[a-z]+(?: t-[a-z]+)*$/;

/** A style that loads something, or lies over the page. */
const REACHES_OUT = /[\\@]|url|(?:image|image-set|src)\s*\(|position\s*:\s*(?:fixed|sticky|absolute)/i;

const purifier = createPurifier(globalThis as unknown as Window & typeof globalThis);
purifier.addHook("afterSanitizeAttributes", node => {
  if (node.tagName === "IMG" && !EMBEDDED.test(node.getAttribute("src") ?? "")) node.remove();
  if (node.tagName !== "A") return;
  const href = node.getAttribute("href") ?? "";
  if (href.startsWith("#")) node.setAttribute("href", `#${ANCHOR}${href.slice(1)}`);
  else {
    node.setAttribute("target", "_blank");
    node.setAttribute("rel", "noopener noreferrer");
  }
});

purifier.addHook("uponSanitizeAttribute", (_node, attribute) => {
  const { attrName, attrValue } = attribute;
  if (attrName === "class") attribute.keepAttr = HIGHLIGHTED.test(attrValue);
  if (attrName === "style") attribute.keepAttr = !REACHES_OUT.test(attrValue);
});

/** Makes untrusted HTML text, tables, bars and embedded pictures; nothing of it runs, loads or sends. */
export const sanitized = (html: string): DocumentFragment =>
  purifier.sanitize(html, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: "style form input textarea select button video audio source dialog template".split(" "),
    FORBID_ATTR: ["id", "name", "srcset", "background", "action", "ping"],
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });

/** Prefix of heading ids, which keeps them apart from the page's own. */
const ANCHOR = "at-";

/** Names the headings of a piece of prose, as Jupyter does. */
export function nameHeadings(prose: DocumentFragment): void {
  for (const heading of prose.querySelectorAll("h1, h2, h3"))
    heading.id = ANCHOR + (heading.textContent ?? "").trim().replace(/\s+/g, "-");
}

/** Scrolls to headings that links name. The address stays: it may be that of the notebook. */
export function listenToAnchors(root: HTMLElement): void {
  root.addEventListener("click", event => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href^='#']");
    if (!link) return;
    event.preventDefault();
    Array.from(root.querySelectorAll("[id]"))
      .find(({ id }) => new URL(`#${id}`, location.href).hash === link.hash)
      ?.scrollIntoView();
  });
}

/** Opens notebooks of the site that links name, by the page's address or by their place beside the notebook that is open. */
export function listenToLinks(open: (name: string) => void): void {
  document.addEventListener("click", event => {
    const link = (event.target as Element).closest("a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const base = new URL(document.baseURI);
    const folder = new URL("notebooks/", base);
    const href = link.getAttribute("href")!;
    const beside = new URL(`${nameIn(location.search) ?? ""}.ipynb`, folder);
    if (!URL.canParse(href, beside)) return;
    const to = new URL(href, beside);
    const name = href.startsWith("?")
      ? nameIn(href)
      : to.href.startsWith(folder.href) && to.pathname.endsWith(".ipynb")
        ? decodeURI(to.pathname.slice(folder.pathname.length, -".ipynb".length))
        : undefined;
    if (name === undefined) return;
    event.preventDefault();
    open(name);
  });
}
