import {
  checkOptions,
  describeValue,
  finiteNumber,
  flag,
  must,
  nearestName,
  type OptionCheck,
} from "../contract/options.ts";
import { isColor } from "./css-colors.ts";
import { series } from "./roles.ts";
import { type Theme, type ThemeName, type ThemeOptions, themeNames } from "./theme.ts";
import { themes } from "./theme-presets.ts";

const pixelsOfUnit: { readonly [unit: string]: number } = {
  px: 1,
  pt: 4 / 3,
  in: 96,
  cm: 96 / 2.54,
  mm: 9.6 / 2.54,
};
const length = /^(\d+(?:\.\d+)?) ?(px|pt|in|cm|mm)$/;

/** Returns a length in pixels; `undefined` for what is no length. */
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

/** Completes a theme. Throws a `RangeError` that says what there is for a name or an option that is not there. */
export function resolveTheme(given: ThemeName | ThemeOptions): Theme {
  if (typeof given === "string") {
    if (Object.hasOwn(themes, given)) return themes[given];
    const nearest = nearestName(given, themeNames);
    throw new RangeError(
      `There is no theme ${describeValue(given)}: ${nearest ? `did you mean ${JSON.stringify(nearest)}?` : `there are ${themeNames.join(", ")}.`}`,
    );
  }
  checkOptions(given, themeChecks);
  const base = themes[given.base ?? "notebook"];
  const chosen = Object.entries(given).filter(([, value]) => value !== undefined);
  const width = given.width === undefined ? base.width : (pixelsOf(given.width) ?? null);
  const textColor = given.textColor ?? (given.background === undefined ? base.textColor : null);
  return Object.freeze({ ...base, ...Object.fromEntries(chosen), width, textColor }) as Theme;
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
