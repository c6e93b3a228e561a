import { readFileSync } from "node:fs";
import { outlinedText, unescaped } from "./drawable-text.ts";
import { type FontFace, familyNames, fontFaces, isBoldTag, serif } from "./fonts.ts";
import type { Theme } from "./theme.ts";
import { subsetFont } from "./true-type.ts";

function faceRule({ family, weight, path }: FontFace, characters: Iterable<string>): string {
  const part = subsetFont(path, characters);
  const [type, data] = part ? ["woff2", part] : ["otf", readFileSync(path)];
  return `@font-face{font-family:'${family}';font-weight:${weight};src:url(data:font/${type};base64,${Buffer.from(data).toString("base64")})}`;
}

/** Returns each character of a text once, which may be a page of millions. */
function charactersOf(text: string): string[] {
  const seen = new Uint8Array(0x110000);
  for (let at = 0; at < text.length; at++) {
    const codePoint = text.codePointAt(at)!;
    if (codePoint > 0xffff) at++;
    seen[codePoint] = 1;
  }
  const characters: string[] = [];
  for (let point = seen.indexOf(1); point >= 0; point = seen.indexOf(1, point + 1))
    characters.push(String.fromCodePoint(point));
  return characters;
}

/** Returns the fonts of a page's charts that its text names, of each the glyphs for this text and for numbers, which scripts make. */
export function pageFonts(
  text: string,
  textFont: Theme["font"] = text.includes(serif) ? serif : "Inter",
): string {
  const characters = charactersOf(`${text}0123456789.,−×%⁻⁰¹²³⁴⁵⁶⁷⁸⁹π/`);
  return fontFaces(textFont)
    .filter(({ family }) => family !== "DejaVu Sans" && text.includes(family))
    .map(face => faceRule(face, characters))
    .join("\n");
}

/** Puts the fonts of a picture into it, of each the glyphs that it needs, so it looks the same everywhere. */
export function embedFonts(drawing: string, textFont: Theme["font"]): string {
  const svg = outlinedText(drawing, textFont);
  const characters = Array.from(svg.matchAll(/>([^<]+)</g), ([, text = ""]) => unescaped(text)).join("");
  const lists = Array.from(svg.matchAll(/font-family="([^"]*)"/g), ([, list = ""]) => familyNames(list));
  const named = new Set(lists.flat());
  const used = fontFaces(textFont).filter(
    ({ family, weight }) => named.has(family) && (weight === 400 || isBoldTag(svg)),
  );
  const rules = used.map(face => faceRule(face, characters)).join("");
  return rules === "" ? svg : svg.replace(/^<svg[^>]*>/, tag => `${tag}<style>${rules}</style>`);
}
