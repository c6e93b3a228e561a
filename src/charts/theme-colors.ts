import { ink, lesserInk, neutral } from "../display/palette.ts";
import { luminance } from "./luminance.ts";
import type { Theme } from "./theme.ts";

/** Colours of text and of what lies below it. */
export interface ThemeColors {
  background: string;
  text: string;
  secondaryText: string;
  neutral: string;
}

/**
 * Returns the colours of a theme's text. In a front end (`"live"`) those of a theme that leaves them open are the front end's
 * own; a picture has a ground of its own, since no colour is legible on white and on black alike.
 */
export function themeColors({ background, textColor }: Theme, medium: "live" | "still"): ThemeColors {
  if (medium === "live" && background === null)
    return {
      background: "transparent",
      text: textColor ?? "currentColor",
      secondaryText: textColor ?? "currentColor",
      neutral,
    };
  const ground = background ?? "#ffffff";
  const isDark = ground !== "transparent" && luminance(ground) < 0.18;
  const side = isDark ? "onDark" : "onLight";
  return {
    background: ground,
    text: textColor ?? ink[side],
    secondaryText: textColor ?? lesserInk[side],
    neutral: isDark ? "#8c8c8c" : neutral,
  };
}
