import { createRequire } from "node:module";
import { fontOptions } from "./fonts/options.ts";
import { type FontRun, fontRuns, runWidth, systemFamily, type TextFont, writtenRun } from "./fonts/runs.ts";
import type { Theme } from "./theme.ts";
import { textWidth } from "./vega/metrics.ts";

/** A picture of which every character can be drawn. */
export interface DrawableSvg {
  svg: string;
  /** Whether some of its text needs fonts of this machine besides those of the library. */
  needsSystemFonts: boolean;
}

/** How text is made drawable. */
export interface DrawableOptions {
  /** The font of the theme. Default: `"Inter"`. */
  textFont?: Theme["font"];
  /**
   * Whether each run of a font has a place of its own, as Resvg needs it: it draws all that stands in one place in the
   * font that has most of it. Default: false.
   */
  isPlaced?: boolean;
}

const texts = /<(?:g|svg)\b[^>]*font-family="([^"]*)"|(<text\b[^>]*>)([^<]*(?:<tspan[^>]*>[^<]*<\/tspan>)*)/g;

/**
 * Makes sure that every character of a picture can be drawn: those that the font of a `<text>` lacks with another font of
 * the library, else with one of this machine, and where that has none as their code points, such as `‹U+1F514›`.
 */
export function drawableText(
  svg: string,
  { textFont = "Inter", isPlaced = false }: DrawableOptions = {},
): DrawableSvg {
  if (!/>[^<]*[^\n\t -~<][^<]*</.test(svg)) return { svg, needsSystemFonts: false };
  let inherited = "";
  let needsSystemFonts = false;
  const drawable = svg.replace(texts, (whole, families?: string, tag?: string, body = "") => {
    inherited = families ?? inherited;
    if (!tag) return whole;
    const font: TextFont = {
      families: /font-family="([^"]*)"/.exec(tag)?.[1] ?? inherited,
      isBold: /font-weight="(?:bold|[6-9]00)"/.test(tag),
      textFont,
    };
    const written = body.replace(/(^|>)([^<]+)/g, (_: string, before: string, text: string) => {
      const runs = fontRuns(text, font);
      needsSystemFonts ||= runs.some(({ family }) => family === systemFamily);
      const isAlone = isPlaced && runs.length > 1 && text === body;
      return before + (isAlone ? placedRuns(runs, tag, font) : flowingRuns(text, runs));
    });
    return tag + written;
  });
  return { svg: drawable, needsSystemFonts };
}

const minShare = 0.6;
/** How much wider letters may be that come from another font. */
const fallbackMargin = 1.15;

/** How much smaller text is where code points make it longer, so that it keeps its room. */
function shareOf(text: string, runs: readonly FontRun[]): number {
  if (!runs.some(({ isCodePoint }) => isCodePoint)) return 1;
  const after = textWidth({}, runs.map(writtenRun).join("")) * fallbackMargin;
  return Math.min(1, Math.max(minShare, textWidth({}, text) / after));
}

function flowingRuns(text: string, runs: readonly FontRun[]): string {
  const written = runs.map(run =>
    run.family ? `<tspan font-family="${run.family}">${writtenRun(run)}</tspan>` : writtenRun(run),
  );
  const share = shareOf(text, runs);
  return share < 1
    ? `<tspan font-size="${share.toFixed(2)}em">${written.join("")}</tspan>`
    : written.join("");
}

const attributeOf = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];

/** Writes each run at its place, as wide as the widths of its letters say. */
function placedRuns(runs: readonly FontRun[], tag: string, font: TextFont): string {
  const share = shareOf(runs.map(({ text }) => text).join(""), runs);
  const size = Number.parseFloat(attributeOf(tag, "font-size") ?? "12") * share;
  const widths = runs.map(run => runWidth(run, font) * size);
  const total = widths.reduce((sum, width) => sum + width, 0);
  const anchor = { middle: 0.5, end: 1 }[attributeOf(tag, "text-anchor") ?? ""] ?? 0;
  let x = Number.parseFloat(attributeOf(tag, "x") ?? "0") - anchor * total;
  return runs
    .map((run, index) => {
      const family = run.family ? ` font-family="${run.family}"` : "";
      const smaller = share < 1 ? ` font-size="${size.toFixed(2)}px"` : "";
      const written = `<tspan x="${x.toFixed(2)}" text-anchor="start" xml:space="preserve"${family}${smaller}>${writtenRun(run)}</tspan>`;
      x += widths[index]!;
      return written;
    })
    .join("");
}

/** Returns a picture of which text that only fonts of this machine have stands as outlines, so that it needs none of them. */
export function outlinedText(svg: string, textFont: Theme["font"] = "Inter"): string {
  const { svg: drawable, needsSystemFonts } = drawableText(svg, { textFont });
  if (!needsSystemFonts) return drawable;
  const { Resvg } = createRequire(import.meta.url)("@resvg/resvg-js") as typeof import("@resvg/resvg-js");
  const font = fontOptions(textFont, true);
  const group = /<g [^>]*font-family="[^>]*>/.exec(drawable)?.[0] ?? "<g>";
  return drawable.replace(/<text\b[^>]*>.*?<\/text>/gs, text => {
    if (!text.includes(`font-family="${systemFamily}"`)) return text;
    const plain = text.replace(/<\/?tspan[^>]*>/g, "");
    const { svg: placed } = drawableText(plain, { textFont, isPlaced: true });
    const alone = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000">${group}${placed}</g></svg>`;
    const [, outlines = ""] = /<defs\/>(.*)<\/svg>/s.exec(new Resvg(alone, { font }).toString()) ?? [];
    return outlines.trim();
  });
}
