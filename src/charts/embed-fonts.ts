import { readFileSync } from "node:fs";
import { outlinedText } from "./drawable-text.ts";
import { type FontFace, fontFaces, serif } from "./fonts.ts";
import type { Theme } from "./theme.ts";
import { fontAt, subsetFont } from "./true-type.ts";

const entities: { readonly [name: string]: string } = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

export function charactersOf(svg: string): string {
  return Array.from(svg.matchAll(/>([^<]+)</g), ([, text = ""]) =>
    text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (_, hex, decimal, name) => {
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
      return name ? (entities[name] ?? "") : String.fromCodePoint(code);
    }),
  ).join("");
}

function faceRule({ family, weight, path }: FontFace, characters: string): string {
  const part = subsetFont(fontAt(path), characters);
  const [type, data] = part ? ["woff2", part] : ["otf", readFileSync(path)];
  return `@font-face{font-family:'${family}';font-weight:${weight};src:url(data:font/${type};base64,${Buffer.from(data).toString("base64")})}`;
}

/** Returns the fonts of a page's charts that its text names, of each the glyphs for this text and for numbers, which scripts make. */
export function pageFonts(
  text: string,
  textFont: Theme["font"] = text.includes(serif) ? serif : "Inter",
): string {
  return fontFaces(textFont)
    .filter(({ family }) => family !== "DejaVu Sans" && text.includes(family))
    .map(face => faceRule(face, `${text}0123456789.,−×%⁻⁰¹²³⁴⁵⁶⁷⁸⁹π/`))
    .join("\n");
}

/** Puts the fonts of a picture into it, of each the glyphs that it needs, so it looks the same everywhere. */
export function embedFonts(drawing: string, textFont: Theme["font"]): string {
  const svg = outlinedText(drawing, textFont);
  const characters = charactersOf(svg);
  const named = new Set(
    Array.from(svg.matchAll(/font-family="([^"]*)"/g), ([, list = ""]) => list.split(",")).flatMap(families =>
      families.map(family => family.replaceAll(/&quot;|'/g, "").trim()),
    ),
  );
  const hasBold = /font-weight="(?:bold|[6-9]00)"/.test(svg);
  const used = fontFaces(textFont).filter(
    ({ family, weight }) => named.has(family) && (weight === 400 || hasBold),
  );
  const rules = used.map(face => faceRule(face, characters)).join("");
  return rules === "" ? svg : svg.replace(/^<svg[^>]*>/, tag => `${tag}<style>${rules}</style>`);
}
