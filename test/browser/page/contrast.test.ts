import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const style = readFileSync(new URL("../../../site/style.css", import.meta.url), "utf8");
const colours = new Map(
  Array.from(
    style.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g),
    ([, name, light, dark]) => [name!, { light: light!, dark: dark! }] as const,
  ),
);

/** Relative luminance of a colour of three or six hexadecimal digits, by WCAG 2. */
function luminance(colour: string): number {
  const digits = colour.length === 4 ? colour.slice(1).replace(/./g, "$&$&") : colour.slice(1);
  const [red, green, blue] = [0, 2, 4].map(at => {
    const value = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

test.each(
  (["light", "dark"] as const).flatMap(scheme =>
    [
      ...["text", "soft", "accent", "error"].map(name => [name, "page"]),
      ...["text", "soft", "accent", "comment", "string", "number", "keyword", "call"].map(name => [
        name,
        "code",
      ]),
      ["error", "error-back"],
      ["text", "error-back"],
    ].map(([text, back]) => [scheme, text!, back!] as const),
  ),
)("in a %s page, the colour “%s” is read on “%s” with a contrast of 4.5 or more", (scheme, text, back) => {
  expect(contrast(colours.get(text)![scheme], colours.get(back)![scheme])).toBeGreaterThanOrEqual(4.5);
});
