import { html, raw } from "../display/html.ts";
import { clip, terminalWidth } from "../display/text.ts";
import { fontFamilies } from "./apply-theme.ts";
import { currentTheme } from "./current-theme.ts";
import { themeColors } from "./theme-colors.ts";
import { fonts } from "./vega-lite.ts";

const size = 12;
const cell = size * 0.602;
const lineHeight = 18;
const margin = 16;
const maxLines = 2000;
const maxColumns = 400;

/** Draws the text form of a table or card as a picture: its lines in a monospaced font, the first one bold. */
export function viewSvg(text: string): string {
  const { background, text: ink } = themeColors(currentTheme(), "still");
  const all = text.split("\n");
  const lines = all.slice(0, maxLines).map(line => clip(line, maxColumns));
  if (all.length > maxLines) lines.push("…");
  const columns = Math.max(1, ...lines.map(terminalWidth));
  const [width, height] = [Math.ceil(columns * cell + 2 * margin), lines.length * lineHeight + 2 * margin];
  const drawn = lines.map((line, index) => {
    const weight = index === 0 && lines.length > 1 ? raw(' font-weight="600"') : "";
    return line.trim() === ""
      ? ""
      : html`<text x="${margin}" y="${margin + (index + 0.72) * lineHeight}" xml:space="preserve"${weight}>${line}</text>`;
  });
  const ground =
    background === "transparent"
      ? ""
      : html`<rect width="${width}" height="${height}" fill="${background}"/>`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${ground}<g font-family="${fonts.mono}" font-size="${size}" fill="${ink}">${drawn}</g></svg>`.toString();
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** Writes markup of a table or card as a page that needs no network, light or dark as its reader likes. */
export function viewPage(title: string, markup: string): string {
  const font = raw(fontFamilies(currentTheme()));
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>:root { color-scheme: light dark } body { margin: 2rem; font: 14px/1.45 ${font} }</style></head>
<body>${raw(markup)}</body>
</html>
`.toString();
}
