import type { Theme } from "./theme.ts";
import { themes } from "./theme-presets.ts";

let current: Theme = themes.notebook;

/** Returns the theme of all charts that have none of their own. */
export const currentTheme = () => current;

/** Makes a theme that of all charts that have none of their own, also of those that were made before. */
export function setTheme(theme: Theme): void {
  current = theme;
}
