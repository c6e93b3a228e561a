import { categories, figures, neutrals } from "../display/palette.ts";
import { contrast, luminance } from "./luminance.ts";
import type { Theme } from "./theme.ts";

/** Colours of series, text and ground. */
export interface ThemeColors {
  background: string;
  text: string;
  secondaryText: string;
  neutral: string;
  series: readonly string[];
  /** The colours of series for words, which are legible on the background. */
  seriesWords: readonly string[];
  /** Colours of states and maps. */
  figure: { readonly [role: string]: string | readonly string[] };
}

/** What words have in place of colours that are too pale for them. */
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

/**
 * Returns the colours of a theme. In a front end (`"live"`) those of a theme that leaves them open are the front end's
 * own; a picture has a ground of its own, since no colour is legible on white and on black alike.
 */
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
