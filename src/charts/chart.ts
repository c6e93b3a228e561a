import { writeFileSync } from "node:fs";
import { extname } from "node:path";
import { inspect } from "node:util";
import { type Displayable, displayMetadata, jupyterDisplay, type MimeBundle } from "../display/bundle.ts";
import { displayable, type Form } from "../display/form.ts";
import { chartPage } from "./page.ts";
import { type Png, svgToPng } from "./png.ts";
import { renderSvg } from "./render.ts";
import type { VegaLiteSpec } from "./theme.ts";

/** What a chart is made from. */
export interface ChartSource<Options extends object> {
  /** What the chart shows, in a sentence: the text alternative of its picture. */
  description: string;
  title: string;
  spec: VegaLiteSpec;
  /** The same data as a table. */
  table: () => Form;
  /** The same picture in lines of at most `columns` characters. */
  text: (columns: number) => string;
  /** Draws the same data with some options changed. */
  again(options: Options): Chart<Options>;
}

const defaultColumns = 80;

/** A chart: it shows itself in notebooks and terminals, and turns into other forms. It never changes. */
export class Chart<Options extends object = object> implements Displayable {
  readonly #source: ChartSource<Options>;
  #svg: string | undefined;
  #png: Png | undefined;

  /** @internal */
  constructor(source: ChartSource<Options>) {
    this.#source = source;
  }

  /** The same chart with some options changed: `chart.with({ top: 8 })`. */
  with(options: Options): Chart<Options> {
    return this.#source.again(options);
  }

  /** The Vega-Lite specification, as plain data. */
  get spec(): VegaLiteSpec {
    return this.#source.spec;
  }

  /** The chart as an SVG document. */
  toSVG(): string {
    this.#svg ??= renderSvg(this.spec);
    return this.#svg;
  }

  /** The chart as a PNG picture with a transparent background, of up to twice the resolution of the page. */
  toPNG(): Uint8Array {
    return this.#picture().bytes;
  }

  /**
   * The chart and its table as a page that needs no network. The chart answers to the pointer; where scripts are off,
   * the same picture stands still.
   */
  toHTML(): string {
    const { title, description, spec } = this.#source;
    return chartPage({ title, description, spec, svg: this.toSVG(), table: this.#source.table().html });
  }

  /** The chart's data as a table that shows itself. */
  table(): Displayable & Form {
    return displayable(this.#source.table());
  }

  /** The specification, so that `JSON.stringify(chart)` writes it. */
  toJSON(): VegaLiteSpec {
    return this.spec;
  }

  /** The chart as lines of text, at most `columns` characters wide (80 when nothing is said). */
  toText(columns: number = defaultColumns): string {
    return this.#source.text(columns);
  }

  /**
   * Writes the chart to a file in the form that its name ends in: `.png`, `.svg`, `.html`, `.json` (the
   * specification) or `.txt`. Throws a `RangeError` for another ending.
   */
  save(path: string): void {
    const ending = extname(path).toLowerCase();
    const write = {
      ".png": () => this.toPNG(),
      ".svg": () => this.toSVG(),
      ".html": () => this.toHTML(),
      ".json": () => `${JSON.stringify(this.spec, null, 2)}\n`,
      ".txt": () => `${this.toText()}\n`,
    }[ending];
    if (!write)
      throw new RangeError(
        `A chart can't be saved as "${ending}": end the name in .png, .svg, .html, .json or .txt.`,
      );
    writeFileSync(path, write());
  }

  /** What the chart shows, in a sentence. */
  toString(): string {
    return this.#source.description;
  }

  #picture(): Png {
    this.#png ??= svgToPng(this.toSVG());
    return this.#png;
  }

  [jupyterDisplay](): MimeBundle {
    return {
      "application/vnd.vegalite.v5+json": this.spec,
      "image/png": Buffer.from(this.toPNG()).toString("base64"),
      "text/plain": this.toText(),
    };
  }

  /** @internal */
  [displayMetadata](): MimeBundle {
    const { width, height } = this.#picture();
    return { "image/png": { width, height } };
  }

  /** @internal */
  [inspect.custom](): string {
    return this.toText(process.stdout.columns || defaultColumns);
  }
}
