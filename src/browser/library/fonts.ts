import type { Theme } from "../../charts/theme.ts";

/** Throws a `RangeError` for a theme with font files, which a page does not have. */
export function checkFont(textFont: Theme["font"]): void {
  if (typeof textFont !== "string")
    throw new RangeError('font: a browser has no font files. Take "Inter" or "DejaVu Sans Mono".');
}
