import {
  clip,
  type Displayable,
  displayable,
  html,
  type RenderedView,
  raw,
  show,
  terminalWidth,
} from "../display/index.ts";
import { rowsToCsv } from "../results/index.ts";
import { fontFamilies } from "./apply-theme.ts";
import { svgToPng } from "./png.ts";
import { savePicture } from "./save.ts";
import { currentTheme, themeColors } from "./theme.ts";
import { fonts } from "./vega-lite.ts";

/** A table or card that shows itself, and turns into files. */
export interface DisplayableView extends Displayable, RenderedView {
  /** Shows this now, wherever in a cell or script. */
  show(): void;
  /** The table or card as a page that needs no network. */
  toHTML(): string;
  /** The table or card as an SVG picture: the lines of its text form. */
  toSVG(): string;
  /**
   * Writes it to a file in the format of its extension: `.html`, `.svg`, `.pdf` or `.png` (the lines of its text
   * form), `.txt`, and a table `.csv` or `.json` too. Throws a `KetbookError` for another extension.
   */
  save(path: string): void;
}

/** Makes a table or card that turns into files, `toSVG` where its picture is another than the lines of the text form. */
export function displayableView(
  form: RenderedView,
  files: { toCSV?: () => string; toJSON?: () => unknown; toSVG?: () => string } = {},
): DisplayableView {
  const title = form.text.split("\n", 1)[0]!.trim();
  const { records } = form;
  const csv = files.toCSV ?? (records && (() => rowsToCsv(records())));
  const json = files.toJSON ?? records;
  const svg = files.toSVG ?? (() => viewSvg(form.text));
  const page = () => viewPage(title, form.html);
  return Object.assign(displayable(form), {
    show(this: Displayable) {
      show(this);
    },
    toHTML: page,
    toSVG: svg,
    save: (path: string) => {
      const { font, dpi } = currentTheme();
      savePicture(path, {
        ...{ title, font, svg },
        png: () => svgToPng(svg(), { dpi, font }).whole(),
        files: {
          ".html": page,
          ".txt": () => `${form.text}\n`,
          ...(csv && { ".csv": csv }),
          ...(json && { ".json": () => `${JSON.stringify(json(), null, 2)}\n` }),
        },
      });
    },
  });
}

const size = 12;
const cell = size * 0.602;
const lineHeight = 18;
const margin = 16;
const maxLines = 2000;
const maxColumns = 400;

function viewSvg(text: string): string {
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

function viewPage(title: string, markup: string): string {
  const font = raw(fontFamilies(currentTheme()));
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>:root { color-scheme: light dark } body { margin: 2rem; font: 14px/1.45 ${font} }</style></head>
<body>${raw(markup)}</body>
</html>
`.toString();
}
