import { applyTheme, scaleOf } from "./apply-theme.ts";
import { renderSvg } from "./render.ts";
import type { Theme } from "./theme.ts";
import type { VegaLiteSpec } from "./vega-lite.ts";

const maxRounds = 4;

const sizeOf = (svg: string) => {
  const [, width = "0", height = "0"] =
    /^<svg[^>]*? width="([\d.]+)"[^>]*? height="([\d.]+)"/.exec(svg) ?? [];
  return { width: Number(width), height: Number(height) };
};

/**
 * Returns the specification whose picture is as wide as its theme says, labels and all: its own width is changed until it
 * is. The nearest there is, where the width does not decide.
 *
 * @param ofWidth - The same chart with another width of its area.
 */
export function fitWidth(
  spec: VegaLiteSpec,
  area: { width: number; across: number } | null,
  theme: Theme,
  withWidth: (width: number) => VegaLiteSpec,
): VegaLiteSpec {
  if (theme.width === null || area === null) return spec;
  const wanted = theme.width / scaleOf(theme);
  let fitted = spec;
  let { width } = area;
  for (let round = 0; round < maxRounds; round++) {
    const drawn = sizeOf(renderSvg(applyTheme(fitted, theme, "still"))).width / scaleOf(theme);
    const next = Math.max(40, Math.round(width + (wanted - drawn) / area.across));
    if (Math.abs(drawn - wanted) < area.across || next === width) break;
    width = next;
    fitted = withWidth(width);
  }
  return fitted;
}

/** Returns a picture with another width, everything in it larger or smaller by as much. */
export function scaleSvg(svg: string, width: number): string {
  const size = sizeOf(svg);
  if (!(size.width > 0) || size.width === width) return svg;
  const height = Math.round(((size.height * width) / size.width) * 100) / 100;
  return svg
    .replace(` width="${size.width}"`, ` width="${width}"`)
    .replace(` height="${size.height}"`, ` height="${height}"`);
}
