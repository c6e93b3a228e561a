import {
  adviceFor,
  checkOptions,
  describeValue,
  finiteNumber,
  flag,
  must,
  type OptionCheck,
} from "../contract/index.ts";
import { categories, figures, neutrals } from "../display/index.ts";
import { series } from "./roles.ts";

const themeNames = ["notebook", "paper", "slides", "dark"] as const;

/** A look that has a name: for notebooks, for a column of a paper, for slides, for dark pages. */
export type ThemeName = (typeof themeNames)[number];

/**
 * Theme of charts. Missing members are those of the theme `base`.
 *
 * @example
 * theme({ base: "paper", width: "7in", subtitle: true })
 */
export interface ThemeOptions {
  /** The theme that is changed. Default: `"notebook"`. */
  base?: ThemeName;
  /**
   * Font of text: one that comes with the library, or a family with the paths of its faces (`.ttf` or `.otf`), which pictures
   * are drawn with and saved files embed. Default: `"Inter"`, and the serif `"STIX Two Text"` of the theme `"paper"`.
   */
  font?: "Inter" | "STIX Two Text" | "DejaVu Sans Mono" | { family: string; regular: string; bold?: string };
  /** Size of the axes' labels in pixels (3/4 of them are points); all else grows with it. Default: 11. */
  fontSize?: number;
  /** Up to ten colours of series: `#rrggbb`, or names of CSS such as `"teal"`. */
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

/** A theme with every choice made; null is what the chart or the front end decides. */
export type Theme = Readonly<
  Required<Omit<ThemeOptions, "colors" | "textColor" | "background" | "dpi" | "width">> & {
    [Choice in "colors" | "textColor" | "background" | "dpi"]: Required<ThemeOptions>[Choice] | null;
  } & {
    /** Width of the whole picture in pixels; null: what the chart needs. */
    width: number | null;
  }
>;

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

export const themes: { readonly [name in ThemeName]: Theme } = {
  notebook,
  paper: {
    ...notebook,
    base: "paper",
    font: "STIX Two Text",
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
  dark: { ...notebook, base: "dark", background: "#111111" },
};

/** Names of colours in CSS (CSS Color 4). */
const names = `aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen
darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue
darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite
forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory
khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen
lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime
limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue
mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive
olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum
powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue
slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke
yellow yellowgreen`;
const known: ReadonlySet<string> = new Set(names.split(/\s+/));

export const isColor = (value: unknown): value is string =>
  typeof value === "string" && (/^#(?:[0-9a-f]{3}){1,2}$/i.test(value) || known.has(value.toLowerCase()));

const pixelsOfUnit: { readonly [unit: string]: number } = {
  px: 1,
  pt: 4 / 3,
  in: 96,
  cm: 96 / 2.54,
  mm: 9.6 / 2.54,
};
const length = /^(\d+(?:\.\d+)?) ?(px|pt|in|cm|mm)$/;

function pixelsOf(given: unknown): number | undefined {
  const [, amount, unit] = typeof given === "string" ? (length.exec(given) ?? []) : [];
  const pixels =
    typeof given === "number" ? given : Number(amount) * (pixelsOfUnit[unit ?? ""] ?? Number.NaN);
  return pixels >= 60 && pixels <= 8000 ? pixels : undefined;
}

const hex = /^#[0-9a-f]{6}$/i;
const isHex = (value: unknown) => typeof value === "string" && hex.test(value);
const between = (min: number, max: number) =>
  must(
    `a number from ${min} to ${max}`,
    value => finiteNumber(value) === undefined && Number(value) >= min && Number(value) <= max,
  );
const ownFonts = ["Inter", "STIX Two Text", "DejaVu Sans Mono"];

const isFont = (value: unknown) =>
  ownFonts.includes(value as string) ||
  ["family", "regular"].every(member => typeof Object(value)[member] === "string");

const themeChecks: Readonly<Record<keyof ThemeOptions, OptionCheck>> = {
  base: must(themeNames.map(name => JSON.stringify(name)).join(" or "), value =>
    themeNames.includes(value as ThemeName),
  ),
  font: must('"Inter", "STIX Two Text", "DejaVu Sans Mono" or { family, regular: path, bold: path }', isFont),
  fontSize: between(4, 72),
  colors: must(
    'one to ten colours such as "#155ec1" or "teal"',
    value =>
      Array.isArray(value) && value.length > 0 && value.length <= series.length && value.every(isColor),
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

/** Completes a theme. Throws a `RangeError` for an unknown name or option, which lists the known ones. */
export function resolveTheme(given: ThemeName | ThemeOptions): Theme {
  if (typeof given === "string") {
    if (Object.hasOwn(themes, given)) return themes[given];
    throw new RangeError(`There is no theme ${describeValue(given)}: ${adviceFor(given, themeNames)}`);
  }
  checkOptions(given, themeChecks);
  const base = themes[given.base ?? "notebook"];
  const chosen = Object.entries(given).filter(([, value]) => value !== undefined);
  const width = given.width === undefined ? base.width : (pixelsOf(given.width) ?? null);
  const textColor = given.textColor ?? (given.background === undefined ? base.textColor : null);
  return Object.freeze({ ...base, ...Object.fromEntries(chosen), width, textColor }) as Theme;
}

/** Check of an option that is a theme: completing the theme reports the errors in it. */
export const themeCheck: OptionCheck = value => {
  if (typeof value !== "string" && (typeof value !== "object" || value === null))
    return `${themeNames.map(name => JSON.stringify(name)).join(", ")} or an object such as { base: "paper", width: "7in" }`;
  resolveTheme(value as ThemeName | ThemeOptions);
  return undefined;
};

let current: Theme = themes.notebook;

export const currentTheme = () => current;

/** Applies a theme to all charts without their own, including existing ones. */
export function setTheme(theme: Theme): void {
  current = theme;
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

export type ThemeColors = ReturnType<typeof themeColors>;

/** Returns the colours of a theme: a picture (`"still"`) has a ground, a front end (`"live"`) shows its own. */
export function themeColors({ background, textColor, colors }: Theme, medium: "live" | "still") {
  const isLive = medium === "live" && background === null;
  const ground = isLive ? "transparent" : (background ?? "#ffffff");
  const isClear = ground === "transparent";
  const side = !isClear && luminance(ground) < 0.18 ? "dark" : "light";
  const { text, textLesser, axis } = neutrals[side];
  const isLegible = isClear || contrast(textLesser, ground) >= 4.5;
  const own: readonly string[] = isClear ? categories.either : categories[side];
  return {
    background: ground,
    text: textColor ?? (isLive ? "currentColor" : text),
    secondaryText: textColor ?? (isLive ? "currentColor" : isLegible ? textLesser : text),
    neutral: axis,
    series: colors ?? own,
    /** The colours of series for words, which are legible on the background. */
    seriesWords: colors ?? (isClear ? own : own.map(color => shades[side][color] ?? color)),
    figure: (isClear ? glass : figures[side]) as { readonly [role: string]: string | readonly string[] },
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
