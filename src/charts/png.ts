import { createRequire } from "node:module";
import { crc32, deflateSync } from "node:zlib";
import { KetbookError } from "../contract/index.ts";
import { formatNumber } from "../display/index.ts";
import { drawableText } from "./drawable-text.ts";
import { fontOptions } from "./fonts.ts";
import type { Theme } from "./theme.ts";
import { sizeOf } from "./vega/metrics.ts";

export const drawsPng = true as boolean;

/** A picture, and the size at which it is meant to be seen. */
export interface Png {
  bytes: Uint8Array;
  /** Returns the bytes. Throws a `KetbookError` if they are of a smaller picture than was asked for. */
  whole(): Uint8Array;
  /** Pixels of the page, not of the picture. */
  width: number;
  height: number;
}

/** Pixels of the picture per pixel of the page: ratios that keep whole pixels whole. */
const zooms = [2, 1.5];
/** A picture is part of a notebook's file: it is sharper than the page up to the given number of pixels. */
const maxSharpPixels = 1_000_000;
const maxPixels = 16_000_000;

function zoomOf(area: number): number {
  return zooms.find(zoom => area * zoom ** 2 <= maxSharpPixels) ?? Math.min(1, Math.sqrt(maxPixels / area));
}

/** Turns SVG into a PNG at once, in dots an inch, or else at twice the page's resolution, or less if it is large. */
export function svgToPng(
  svg: string,
  { dpi = null, font: textFont = "Inter" }: Partial<Pick<Theme, "dpi" | "font">> = {},
): Png {
  const { Resvg } = createRequire(import.meta.url)("@resvg/resvg-js") as typeof import("@resvg/resvg-js");
  const named = sizeOf(svg);
  const { width, height } = named.height > 0 ? named : new Resvg(svg, { font: { loadSystemFonts: false } });
  const maxZoom = Math.sqrt(maxPixels / (width * height));
  const value = dpi === null ? zoomOf(width * height) : Math.min(maxZoom, dpi / 96);
  const drawn = drawableText(svg, textFont, true);
  const font = fontOptions(textFont, drawn.needsSystemFonts);
  const image = new Resvg(drawn.svg, { font, fitTo: { mode: "zoom", value } }).render();
  const bytes = indexedPng({ width: image.width, height: image.height, data: image.pixels }, dpi);
  const wanted = dpi === null ? 1 : dpi / 96;
  const whole = () => {
    if (value >= wanted) return bytes;
    const size = [width, height].map(length => formatNumber(Math.round(length * wanted))).join(" × ");
    throw new KetbookError(
      `A PNG has at most ${formatNumber(maxPixels)} pixels, and this one would have ${size}. Choose a smaller size or dpi, or save it as .svg or .pdf.`,
    );
  };
  return { bytes, whole, width: Math.round(width), height: Math.round(height) };
}

/** Pixels in rows: four bytes each (red, green, blue, opacity), colours multiplied by opacity. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const maxColors = 256;
/** The levels above it take twice as long for a twentieth of the size. */
const compressionLevel = 7;

function words(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * index);
  return bytes;
}

const chunk = (type: string, ...parts: Uint8Array[]) => {
  const body = Buffer.concat([Buffer.from(type), ...parts]);
  return Buffer.concat([words(body.length - 4), body, words(crc32(body))]);
};

/** Returns red, green, blue and opacity of a colour, whose bytes stand from low to high. */
const channelsOf = (color: number) => [color & 255, (color >>> 8) & 255, (color >>> 16) & 255, color >>> 24];

/** Returns red, green and blue of a pixel as they are before opacity. */
function unpremultiply(color: number): number[] {
  const [red, green, blue, opacity] = channelsOf(color) as [number, number, number, number];
  return [red, green, blue].map(channel =>
    opacity === 0 ? 0 : Math.min(255, Math.round((channel * 255) / opacity)),
  );
}

function histogramOf(pixels: Uint32Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (let at = 0, end = 0; at < pixels.length; at = end) {
    const color = pixels[at]!;
    for (end = at + 1; end < pixels.length && pixels[end] === color; ) end++;
    counts.set(color, (counts.get(color) ?? 0) + end - at);
  }
  return counts;
}

function squaredDistance(one: number, other: number): number {
  const red = (one & 255) - (other & 255);
  const green = ((one >>> 8) & 255) - ((other >>> 8) & 255);
  const blue = ((one >>> 16) & 255) - ((other >>> 16) & 255);
  const opacity = (one >>> 24) - (other >>> 24);
  return red * red + green * green + blue * blue + opacity * opacity;
}

/** Number of colours of a full palette that are the most frequent ones; the others are those furthest from all. */
const frequent = 192;
/** Squared distance of colours that are told apart. */
const visibleDistance = 12;
/** Share of the pixels that may be of another colour: the edges of letters. */
const maxChanged = 0.02;

/**
 * Returns a palette of the most frequent colours and those that stand out most, the nearest of each colour, and how many
 * pixels have visibly another colour in it.
 */
function paletteOf(counts: ReadonlyMap<number, number>) {
  const colors = Uint32Array.from(counts.keys());
  if (colors.length <= maxColors)
    return {
      palette: [...colors],
      places: new Map([...colors].map((color, place) => [color, place])),
      changed: 0,
    };
  const byFrequency = [...colors].sort((one, other) => counts.get(other)! - counts.get(one)!);
  const palette: number[] = [];
  const nearest = new Uint8Array(colors.length);
  const far = new Float64Array(colors.length).fill(Number.POSITIVE_INFINITY);
  for (let place = 0; place < maxColors; place++) {
    const chosen = place < frequent ? byFrequency[place]! : colors[furthest(far)]!;
    palette.push(chosen);
    for (let index = 0; index < colors.length; index++) {
      const away = squaredDistance(colors[index]!, chosen);
      if (away < far[index]!) [far[index], nearest[index]] = [away, place];
    }
  }
  const changed = colors.reduce(
    (sum, color, index) => sum + (far[index]! > visibleDistance ? counts.get(color)! : 0),
    0,
  );
  return { palette, places: new Map([...colors].map((color, index) => [color, nearest[index]!])), changed };
}

function furthest(far: Float64Array): number {
  let found = 0;
  for (let index = 1; index < far.length; index++) if (far[index]! > far[found]!) found = index;
  return found;
}

/** Writes pixels as a PNG with a palette, a quarter of the size, unless that would visibly change them, as in ramps. */
export function indexedPng({ width, height, data }: Pixels, dpi: number | null = null): Uint8Array {
  const aligned = data.byteOffset % 4 === 0 ? data : data.slice();
  const pixels = new Uint32Array(aligned.buffer, aligned.byteOffset, width * height);
  const counts = histogramOf(pixels);
  const { palette, places, changed } = paletteOf(counts);
  const isDirect = changed > maxChanged * width * height;
  const bytes = isDirect ? 4 : 1;
  const rows = Buffer.alloc((bytes * width + 1) * height);
  for (let pixel = 0, at = 0, end = 0; pixel < pixels.length; pixel = end) {
    if (pixel % width === 0) at++;
    const color = pixels[pixel]!;
    const rowEnd = pixel - (pixel % width) + width;
    for (end = pixel + 1; end < rowEnd && pixels[end] === color; ) end++;
    const written = isDirect ? Uint8Array.of(...unpremultiply(color), color >>> 24) : places.get(color)!;
    rows.fill(written, at, at + bytes * (end - pixel));
    at += bytes * (end - pixel);
  }
  const dots = dpi === null ? 0 : Math.round(dpi / 0.0254);
  return new Uint8Array(
    Buffer.concat([
      signature,
      chunk("IHDR", words(width, height), Uint8Array.of(8, isDirect ? 6 : 3, 0, 0, 0)),
      ...(isDirect ? [] : [chunk("PLTE", Uint8Array.from(palette.flatMap(unpremultiply)))]),
      ...(isDirect ? [] : [chunk("tRNS", Uint8Array.from(palette.map(color => color >>> 24)))]),
      ...(dpi === null ? [] : [chunk("pHYs", words(dots, dots), Uint8Array.of(1))]),
      chunk("IDAT", deflateSync(rows, { level: compressionLevel })),
      chunk("IEND"),
    ]),
  );
}
