import { createRequire } from "node:module";
import { fontFiles } from "./fonts.ts";
import { indexedPng } from "./indexed-png.ts";

/** A picture, and the size at which it is meant to be seen. */
export interface Png {
  bytes: Uint8Array;
  /** Pixels of the page, not of the picture. */
  width: number;
  height: number;
}

const sharpness = 2;
const maxPixels = 16_000_000;

/** Turns SVG into a PNG of twice the resolution, at once, with the fonts that come with the library. */
export function svgToPng(svg: string): Png {
  const { Resvg } = createRequire(import.meta.url)("@resvg/resvg-js") as typeof import("@resvg/resvg-js");
  const font = {
    loadSystemFonts: false,
    fontFiles: fontFiles(),
    defaultFontFamily: "Inter",
    sansSerifFamily: "Inter",
    monospaceFamily: "DejaVu Sans Mono",
  };
  const { width, height } = new Resvg(svg, { font: { loadSystemFonts: false } });
  const zoom = Math.min(sharpness, Math.sqrt(maxPixels / (width * height)));
  const image = new Resvg(svg, { font, fitTo: { mode: "zoom", value: zoom } }).render();
  const bytes = indexedPng({ width: image.width, height: image.height, data: image.pixels });
  return { bytes, width: Math.round(width), height: Math.round(height) };
}
