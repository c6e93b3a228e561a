import type { Theme, ThemeName } from "./theme.ts";

const notebook: Theme = {
  base: "notebook",
  font: "Inter",
  fontSize: 11,
  colors: null,
  textColor: null,
  background: null,
  width: null,
  dpi: null,
  title: true,
  subtitle: true,
  axis: true,
  grid: true,
};

/** The themes by their names. */
export const themes: { readonly [name in ThemeName]: Theme } = {
  notebook,
  paper: {
    ...notebook,
    base: "paper",
    fontSize: 9.5,
    textColor: "#000000",
    background: "#ffffff",
    width: 3.4 * 96,
    dpi: 600,
    title: false,
    subtitle: false,
    grid: false,
  },
  slides: {
    ...notebook,
    base: "slides",
    fontSize: 20,
    background: "#ffffff",
    width: 960,
    dpi: 192,
    subtitle: false,
  },
  dark: {
    ...notebook,
    base: "dark",
    background: "#111111",
  },
};
