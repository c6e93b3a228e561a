import {
  checkOptions,
  finiteNumber,
  flag,
  must,
  nearestName,
  type OptionCheck,
  shownValue,
} from "../contract/options.ts";
import { ink, lesserInk, neutral, series } from "../display/palette.ts";
import { luminance } from "./luminance.ts";

const themeNames = ["notebook", "paper", "slides", "dark"] as const;

/** A look that has a name: for notebooks, for a column of a paper, for slides, for dark pages. */
export type ThemeName = (typeof themeNames)[number];

/** A font from files of this machine: drawn in pictures, and embedded in what is saved. */
export interface FontFiles {
  /** Name of the family, such as `"STIX Two Text"`. */
  family: string;
  /** Path of the regular face (`.ttf` or `.otf`). */
  regular: string;
  /** Path of the bold face. Default: the regular one. */
  bold?: string;
}

/**
 * How charts look. What is left out is as in the theme `base`.
 *
 * @example
 * theme({ base: "paper", width: "7in", subtitle: true })
 */
export interface ThemeOptions {
  /** The theme that is changed. Default: `"notebook"`. */
  base?: ThemeName;
  /** Font of words: one that comes with the library, or one from files. Default: `"Inter"`. */
  font?: "Inter" | "DejaVu Sans Mono" | FontFiles;
  /** Size of the axes' labels in pixels (3/4 of them are points); all else grows with it. Default: 11. */
  fontSize?: number;
  /** Up to four colours of series, as `#rrggbb`. */
  colors?: readonly string[];
  /** Colour of text, as `#rrggbb`. Default: what is legible on the background. */
  textColor?: string;
  /** Colour behind the chart, as `#rrggbb`, or `"transparent"`. */
  background?: string;
  /** Width of the whole picture: pixels, or a length such as `"3.4in"`, `"86mm"`. Default: what the chart needs. */
  width?: number | string;
  /** Resolution of PNG pictures in dots an inch. Default: 192, less for very large ones. */
  dpi?: number;
  /** Whether charts have their title. */
  title?: boolean;
  /** Whether charts have the lines below the title. */
  subtitle?: boolean;
  /** Whether charts have axes. */
  axis?: boolean;
  /** Whether charts have lines across, at the ticks of their axes. */
  grid?: boolean;
}

/** A theme with every choice made. */
export interface Theme {
  /** Name of the theme that it is or was made from. */
  readonly base: ThemeName;
  /** Font of words. */
  readonly font: FontFiles | string;
  /** Size of the axes' labels in pixels. */
  readonly fontSize: number;
  /** Colours of series. */
  readonly colors: readonly string[];
  /** Colour of text; null: that of the front end in a notebook, and what is legible in a picture. */
  readonly textColor: string | null;
  /** Colour behind the chart; null: nothing in a notebook, and white in a picture. */
  readonly background: string | null;
  /** Width of the whole picture in pixels; null: what the chart needs. */
  readonly width: number | null;
  /** Resolution of PNG pictures in dots an inch; null: 192, less for very large ones. */
  readonly dpi: number | null;
  /** Whether charts have their title. */
  readonly title: boolean;
  /** Whether charts have the lines below the title. */
  readonly subtitle: boolean;
  /** Whether charts have axes. */
  readonly axis: boolean;
  /** Whether charts have lines across, at the ticks of their axes. */
  readonly grid: boolean;
}

/** What every chart can be told. */
export interface ChartOptions {
  /** How the chart looks, in place of the theme of all charts. */
  theme?: ThemeName | ThemeOptions;
}

const notebook: Theme = {
  base: "notebook",
  font: "Inter",
  fontSize: 11,
  colors: series,
  textColor: null,
  background: null,
  width: null,
  dpi: null,
  title: true,
  subtitle: true,
  axis: true,
  grid: true,
};

const themes: { readonly [name in ThemeName]: Theme } = {
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
    colors: ["#4FA8DD", "#F28E4B", "#3FBF97", "#DB9BC0"],
    background: "#111111",
  },
};

const pixelsOfUnit: { readonly [unit: string]: number } = {
  px: 1,
  pt: 4 / 3,
  in: 96,
  cm: 96 / 2.54,
  mm: 9.6 / 2.54,
};
const length = /^(\d+(?:\.\d+)?) ?(px|pt|in|cm|mm)$/;

/** A length in pixels; `undefined` for what is no length. */
function pixelsOf(given: unknown): number | undefined {
  const [, amount, unit] = typeof given === "string" ? (length.exec(given) ?? []) : [];
  const pixels =
    typeof given === "number" ? given : Number(amount) * (pixelsOfUnit[unit ?? ""] ?? Number.NaN);
  return pixels >= 60 && pixels <= 8000 ? pixels : undefined;
}

const hex = /^#[0-9a-f]{6}$/i;
const isHex = (value: unknown) => typeof value === "string" && hex.test(value);
const between = (least: number, most: number) =>
  must(
    `a number from ${least} to ${most}`,
    value => finiteNumber(value) === undefined && Number(value) >= least && Number(value) <= most,
  );
const ownFonts = ["Inter", "DejaVu Sans Mono"];

const isFont = (value: unknown) =>
  ownFonts.includes(value as string) ||
  ["family", "regular"].every(member => typeof Object(value)[member] === "string");

const themeChecks: Readonly<Record<keyof ThemeOptions, OptionCheck>> = {
  base: must(themeNames.map(name => JSON.stringify(name)).join(" or "), value =>
    themeNames.includes(value as ThemeName),
  ),
  font: must('"Inter", "DejaVu Sans Mono" or { family, regular: path, bold: path }', isFont),
  fontSize: between(4, 72),
  colors: must(
    'one to four colours such as "#0072B2"',
    value => Array.isArray(value) && value.length > 0 && value.length <= series.length && value.every(isHex),
  ),
  textColor: must('a colour such as "#1f2328"', isHex),
  background: must(
    'a colour such as "#ffffff", or "transparent"',
    value => value === "transparent" || isHex(value),
  ),
  width: must(
    'pixels, or a length such as "3.4in" or "86mm", from 60 to 8000 pixels',
    value => pixelsOf(value) !== undefined,
  ),
  dpi: between(36, 2400),
  title: flag,
  subtitle: flag,
  axis: flag,
  grid: flag,
};

/** Completes a theme. Throws a `RangeError` that says what there is for a name or an option that is not there. */
export function resolveTheme(given: ThemeName | ThemeOptions): Theme {
  if (typeof given === "string") {
    if (Object.hasOwn(themes, given)) return themes[given];
    const nearest = nearestName(given, themeNames);
    throw new RangeError(
      `There is no theme ${shownValue(given)}: ${nearest ? `did you mean ${JSON.stringify(nearest)}?` : `there are ${themeNames.join(", ")}.`}`,
    );
  }
  checkOptions(given, themeChecks);
  const base = themes[given.base ?? "notebook"];
  const chosen = Object.entries(given).filter(([, value]) => value !== undefined);
  const width = given.width === undefined ? base.width : (pixelsOf(given.width) ?? null);
  const textColor = given.textColor ?? (given.background === undefined ? base.textColor : null);
  return Object.freeze({ ...base, ...Object.fromEntries(chosen), width, textColor }) as Theme;
}

let current: Theme = notebook;

/** The theme of all charts that have none of their own. */
export const currentTheme = () => current;

/** Makes a theme that of all charts that have none of their own, also of those that were made before. */
export function setTheme(theme: Theme): void {
  current = theme;
}

/** What an option that is a theme must be: the theme itself says what is wrong in it. */
export const themeCheck: OptionCheck = value => {
  if (typeof value !== "string" && (typeof value !== "object" || value === null))
    return `${themeNames.map(name => JSON.stringify(name)).join(", ")} or an object such as { base: "paper", width: "7in" }`;
  resolveTheme(value as ThemeName | ThemeOptions);
  return undefined;
};

/** What the options of every chart must be. */
export const chartOptionChecks = { theme: themeCheck } as const;

/** Colours of text and of what lies below it. */
export interface Ground {
  background: string;
  text: string;
  lesserText: string;
  neutral: string;
}

/**
 * The colours of a theme's text. In a front end (`"live"`) those of a theme that leaves them open are the front end's
 * own; a picture has a ground of its own, since no colour is legible on white and on black alike.
 */
export function groundOf({ background, textColor }: Theme, medium: "live" | "still"): Ground {
  if (medium === "live" && background === null)
    return {
      background: "transparent",
      text: textColor ?? "currentColor",
      lesserText: textColor ?? "currentColor",
      neutral,
    };
  const ground = background ?? "#ffffff";
  const isDark = ground !== "transparent" && luminance(ground) < 0.18;
  const side = isDark ? "onDark" : "onLight";
  return {
    background: ground,
    text: textColor ?? ink[side],
    lesserText: textColor ?? lesserInk[side],
    neutral: isDark ? "#8c8c8c" : neutral,
  };
}
