import type { Displayable } from "../display/bundle.ts";
import { displayable, type RenderedView } from "../display/rendered-view.ts";
import { show } from "../display/show.ts";
import { rowsToCsv } from "../results/index.ts";
import { currentTheme } from "./current-theme.ts";
import { svgToPng } from "./png.ts";
import { savePicture } from "./save.ts";
import { viewPage, viewSvg } from "./view-picture.ts";

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
   * form), `.txt`, and a table `.csv` or `.json` too. Throws a `RangeError` for another extension.
   */
  save(path: string): void;
}

/** What of a value stands in files beside its picture. */
export interface ViewFiles {
  toCSV?: () => string;
  toJSON?: () => unknown;
  /** Draws the picture, where it is another than the lines of the text form. */
  toSVG?: () => string;
}

/** Makes a form show itself and save itself. */
export function displayableView(form: RenderedView, files: ViewFiles = {}): DisplayableView {
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
        png: () => svgToPng(svg(), { dpi, font }).bytes,
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
