import { createRequire } from "node:module";
import { drawableText } from "./drawable-text.ts";
import { fontOptions } from "./fonts/options.ts";
import { indexedPng } from "./indexed-png.ts";
import type { Theme } from "./theme.ts";

/** Whether pictures can be drawn here. */
export const drawsPng = true as boolean;

/** A picture, and the size at which it is meant to be seen. */
export interface Png {
  bytes: Uint8Array;
  /** Pixels of the page, not of the picture. */
  width: number;
  height: number;
}

/** How many pixels stand for one of the page: such numbers that what lies on whole pixels there does so here. */
const zooms = [2, 1.5];
/** A picture is part of a notebook's file: it is sharper than the page up to so many pixels. */
const maxSharpPixels = 1_000_000;
const maxPixels = 16_000_000;

function zoomOf(area: number): number {
  return zooms.find(zoom => area * zoom ** 2 <= maxSharpPixels) ?? Math.min(1, Math.sqrt(maxPixels / area));
}

/**
 * Turns SVG into a PNG at once, with the fonts that come with the library and that of a theme: of a resolution in dots
 * an inch, or else of twice the page's resolution, or less when it is large.
 */
export function svgToPng(
  svg: string,
  { dpi = null, font: textFont = "Inter" }: Partial<Pick<Theme, "dpi" | "font">> = {},
): Png {
  const { Resvg } = createRequire(import.meta.url)("@resvg/resvg-js") as typeof import("@resvg/resvg-js");
  const { width, height } = new Resvg(svg, { font: { loadSystemFonts: false } });
  const maxZoom = Math.sqrt(maxPixels / (width * height));
  const value = dpi === null ? zoomOf(width * height) : Math.min(maxZoom, dpi / 96);
  const drawn = drawableText(svg, { textFont, isPlaced: true });
  const font = fontOptions(textFont, drawn.needsSystemFonts);
  const image = new Resvg(drawn.svg, { font, fitTo: { mode: "zoom", value } }).render();
  const bytes = indexedPng({ width: image.width, height: image.height, data: image.pixels }, dpi);
  return { bytes, width: Math.round(width), height: Math.round(height) };
}
