import { categories, figures, neutrals } from "../display/index.ts";
import type { Theme } from "./theme.ts";

export interface ThemeColors {
  background: string;
  text: string;
  secondaryText: string;
  neutral: string;
  series: readonly string[];
  /** The colours of series for words, which are legible on the background. */
  seriesWords: readonly string[];
  figure: { readonly [role: string]: string | readonly string[] };
}

/** Text colours in place of colours that are too pale for text. */
const shades: { readonly [side in "light" | "dark"]: { readonly [color: string]: string } } = {
  light: { "#cb5e35": "#bb5630", "#06a672": "#058158", "#c08b01": "#966c01", "#4088b3": "#37789e" },
  dark: { "#8d66bd": "#936fc1", "#d0392f": "#d85548", "#6f7680": "#777e87" },
};

/** Colours on an unknown ground: spheres let it through. */
const glass = {
  ...figures.light,
  ...{
    sphere0: "rgba(128,128,128,0.02)",
    sphere1: "rgba(128,128,128,0.08)",
    sphere2: "rgba(128,128,128,0.22)",
  },
  ...{ wash: "rgba(128,128,128,0.07)", box: "Canvas", onBox: "CanvasText" },
};

/** Returns the colours of a theme: a picture (`"still"`) has a ground, a front end (`"live"`) shows its own. */
export function themeColors({ background, textColor, colors }: Theme, medium: "live" | "still"): ThemeColors {
  if (medium === "live" && background === null)
    return {
      background: "transparent",
      text: textColor ?? "currentColor",
      secondaryText: textColor ?? "currentColor",
      neutral: neutrals.light.axis,
      series: colors ?? categories.either,
      seriesWords: colors ?? categories.either,
      figure: glass,
    };
  const ground = background ?? "#ffffff";
  const side = ground !== "transparent" && luminance(ground) < 0.18 ? "dark" : "light";
  const { text, textLesser, axis } = neutrals[side];
  const isLegible = ground === "transparent" || contrast(textLesser, ground) >= 4.5;
  return {
    background: ground,
    text: textColor ?? text,
    secondaryText: textColor ?? (isLegible ? textLesser : text),
    neutral: axis,
    series: colors ?? (ground === "transparent" ? categories.either : categories[side]),
    seriesWords:
      colors ??
      (ground === "transparent"
        ? categories.either
        : categories[side].map(color => shades[side][color] ?? color)),
    figure: ground === "transparent" ? glass : figures[side],
  };
}

/** Relative luminance of a colour `#rrggbb`: 0 for black, 1 for white (WCAG 2). */
export function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map(at => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** Contrast of two colours `#rrggbb`, from 1 to 21 (WCAG 2): text needs 4.5. */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

const inkOn = (color: string) =>
  contrast(color, "#000000") >= contrast(color, "#ffffff") ? "#000000" : "#ffffff";

/** Returns black or white, whichever is more legible, for each colour of a ramp and each halfway to the next. */
export function inksOn(ramp: readonly string[]): string[] {
  const channels = (color: string) => [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16));
  return ramp.flatMap((color, index) => {
    const next = ramp[index + 1];
    if (next === undefined) return inkOn(color);
    const other = channels(next);
    const middle = channels(color).map((value, place) => Math.round((value + other[place]!) / 2));
    return [inkOn(color), inkOn(`#${middle.map(value => value.toString(16).padStart(2, "0")).join("")}`)];
  });
}
