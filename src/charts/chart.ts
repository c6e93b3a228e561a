import { inspect, terminalColumns, toBase64 } from "#host";
import { checkOptions, type OptionCheck, rethrowAsKetbookError } from "../contract/index.ts";
import {
  clip,
  clipLines,
  type Displayable,
  displayMetadata,
  html,
  jupyterDisplay,
  type MimeBundle,
  pictureMarkup,
  plainForm,
  type RenderedView,
  raw,
  show,
} from "../display/index.ts";
import { rowsToCsv } from "../results/index.ts";
import { applyTheme, captioned, fitWidth, scaleSvg } from "./apply-theme.ts";
import { type DisplayableView, displayableView } from "./displayable-view.ts";
import { interactive } from "./interaction/interactive.ts";
import type { ChartOptions } from "./options.ts";
import { chartPage } from "./page.ts";
import { drawsPng, type Png, svgToPng } from "./png.ts";
import { checkEffect, editSpec, type SpecEdit } from "./read-spec.ts";
import { renderSvg } from "./render.ts";
import { recolored } from "./roles.ts";
import type { Plot } from "./rows/columns.ts";
import { savePicture } from "./save.ts";
import { currentTheme, resolveTheme, type Theme, themes } from "./theme.ts";
import { type VegaLiteSpec, vegaLiteSchema } from "./vega-lite.ts";

const defaultColumns = 80;

/** Front ends draw SVG, in which text takes the colour of the page, whenever that changes. */
const usermeta = { embedOptions: { renderer: "svg" } };

/** A chart: it shows itself in notebooks and terminals, and turns into other forms. It never changes. */
export class Chart<Options extends object = object> implements Displayable {
  readonly #source: ChartSource<Options>;
  readonly #edits: readonly SpecEdit[];
  readonly #own: Theme | undefined;
  /** The picture in the theme in which it was drawn last. */
  #png: { theme: Theme; png: Png } | undefined;

  /** @internal */
  constructor(source: ChartSource<Options>, edits: readonly SpecEdit[] = []) {
    const { theme } = Object(source.options) as ChartOptions;
    this.#source = { ...source, spec: captioned(source) };
    this.#edits = edits;
    this.#own = theme === undefined ? undefined : resolveTheme(theme);
  }

  /**
   * The same chart with some options changed: `chart.with({ top: 8 })`, `chart.with({ theme: "paper" })`.
   *
   * @throws KetbookError for an unknown option, or an invalid value.
   */
  with(options: Options & ChartOptions): Chart<Options> {
    return rethrowAsKetbookError("with", () => new Chart(this.#source.rebuild(options).#source, this.#edits));
  }

  /**
   * The same chart with its Vega-Lite specification changed, for anything without an option. The change is made again
   * whenever the chart is drawn in another way.
   *
   * @example
   * chart.edit(spec => { spec.title.fontSize = 20; })
   * @throws RangeError when the changed specification is none, loads something, or shows the same as before.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: what is changed in place returns nothing
  // biome-ignore lint/suspicious/noExplicitAny: the members of a specification are of every kind
  edit(change: (spec: { [member: string]: any }) => object | void): Chart<Options> {
    const edited = this.changed(change);
    checkEffect(this.#draw("still"), edited.#draw("still"));
    return edited;
  }

  /** @internal The chart with a change that may be none. */
  changed(change: SpecEdit): Chart<Options> {
    return new Chart(this.#source, [...this.#edits, change]);
  }

  /**
   * The Vega-Lite specification with its theme, as frozen plain data: `edit` changes a copy of it. Front ends
   * add interactive parts, such as a legend.
   */
  get spec(): VegaLiteSpec {
    return this.#draw("live");
  }

  get #interactive(): VegaLiteSpec {
    const { spec } = this;
    return { ...interactive(spec), usermeta: { ...(spec.usermeta as object), ...usermeta } };
  }

  /** @internal The specification without its theme, for compositions of charts. */
  get bareSpec(): VegaLiteSpec {
    const { spec } = this.#source;
    return this.#edits.reduce(editSpec, spec);
  }

  /** @internal */
  get source(): ChartSource<Options> {
    return this.#source;
  }

  /** @internal Pixels of the width that an option sets, and how many such widths stand side by side; null without one. */
  get area(): { width: number; across: number } | null {
    const { area, spec } = this.#source;
    if (area !== undefined) return area;
    return typeof spec.width === "number" ? { width: spec.width, across: 1 } : null;
  }

  get #theme(): Theme {
    return this.#own ?? currentTheme();
  }

  #draw(medium: "live" | "still"): VegaLiteSpec {
    const { spec, rebuild } = this.#source;
    const withWidth = (width: number) => rebuild({ width } as unknown as Options).#source.spec;
    const fitted = fitWidth(spec, this.area, this.#theme, withWidth);
    return deepFreeze(this.#edits.reduce(editSpec, applyTheme(fitted, this.#theme, medium)));
  }

  /** The chart as an SVG document, on its own ground. */
  toSVG(): string {
    const { width } = this.#theme;
    const svg = renderSvg(this.#draw("still"));
    return width === null ? svg : scaleSvg(svg, width);
  }

  /** The chart as a PNG picture: of the theme's resolution, or up to twice that of the page. Throws a `KetbookError` above 16 million pixels. */
  toPNG(): Uint8Array {
    return this.#picture().whole();
  }

  /** The chart and its table as a page that needs no network. The chart is interactive; without scripts it is a static picture. */
  toHTML(): string {
    const { title, description } = this.#source;
    const spec = this.#interactive;
    const { font } = this.#theme;
    return chartPage({
      ...{ title, description, spec, font, svg: renderSvg(spec) },
      table: this.#source.table().html,
    });
  }

  /** The chart's data as a table that shows itself. */
  table(): DisplayableView {
    return displayableView(this.#source.table());
  }

  /**
   * The chart's data as CSV (RFC 4180): a row a bar, point or cell, with a header.
   *
   * @example
   * histogram({ "00": 503, "11": 497 }).toCSV()
   */
  toCSV(): string {
    return rowsToCsv(recordsOf(this.#source));
  }

  /** The specification, so `JSON.stringify(chart)` writes it. */
  toJSON(): VegaLiteSpec {
    return this.spec;
  }

  /** The chart as lines of text, at most `columns` characters wide (default: 80). */
  toText(columns: number = defaultColumns): string {
    const { title, subtitle = [] } = this.#source;
    const text = this.#source.text(columns);
    return typeof text === "string" ? text : clipLines([title, ...[subtitle].flat(), ...text], columns);
  }

  /** Shows this chart now, wherever in a cell or script. */
  show(): void {
    show(this);
  }

  /**
   * Writes the chart to a file in the format of its extension: `.svg` and `.pdf`
   * (vectors, the fonts within), `.png`, `.html` (a page that needs no network), `.json` (the specification), `.csv` (the data) or `.txt`.
   *
   * @throws KetbookError for another extension, or a path that cannot be written.
   */
  save(path: string): void {
    const { font } = this.#theme;
    savePicture(path, {
      title: this.#source.title,
      font,
      svg: () => this.toSVG(),
      png: () => this.toPNG(),
      files: {
        ".html": () => this.toHTML(),
        ".csv": () => this.toCSV(),
        ".json": () => `${JSON.stringify(this.spec, null, 2)}\n`,
        ".txt": () => `${this.toText()}\n`,
      },
    });
  }

  /** A sentence that describes the chart. */
  toString(): string {
    return this.#source.description;
  }

  #picture(): Png {
    const theme = this.#theme;
    if (this.#png?.theme !== theme) this.#png = { theme, png: svgToPng(this.toSVG(), theme) };
    return this.#png.png;
  }

  [jupyterDisplay](): MimeBundle {
    return {
      "application/vnd.vegalite.v5+json": this.#interactive,
      ...(drawsPng && { "image/png": toBase64(this.#picture().bytes) }),
      "text/plain": this.toText(),
    };
  }

  /** @internal */
  [displayMetadata](): MimeBundle {
    if (!drawsPng) return {};
    const { width, height } = this.#picture();
    return { "image/png": { width, height, alt: this.#source.description } };
  }

  /** @internal */
  [pictureMarkup](): string | undefined {
    if (!drawsPng) return undefined;
    const source = (chart: Chart<Options>) =>
      raw(`data:image/png;base64,${toBase64(chart.#picture().bytes)}`);
    const { background, ...theme } = this.#theme;
    const chosen = Object.fromEntries(Object.entries(theme).filter(([, choice]) => choice !== null));
    const dark = () => this.with({ theme: { ...chosen, background: themes.dark.background } } as never);
    const onDark =
      background === null && html`<source media="(prefers-color-scheme: dark)" srcset="${source(dark())}">`;
    return html`<picture>${onDark}<img src="${source(this)}" alt="${clip(this.#source.description, 2000)}" width="${this.#picture().width}" style="max-width:100%;height:auto"></picture>`.toString();
  }

  /** @internal */
  [plainForm](): string {
    return this.toText();
  }

  /** @internal */
  [inspect.custom](): string {
    return this.toText(terminalColumns() || defaultColumns);
  }
}

/** A chart for some options, before it is drawn in one form or another. */
export interface Figure {
  /** A sentence that describes the chart: the text alternative of its picture. */
  description: string;
  title: string;
  /** Lines below the title. */
  subtitle?: string | readonly string[];
  /** The specification without the members that all charts share; its own title takes precedence. */
  spec: { readonly [member: string]: unknown };
  /** Colour of the first series, in place of the theme's. */
  color?: string | undefined;
  table(): RenderedView;
  /** The same data as records of numbers and strings, for files. Default: the rows of the table as they are written. */
  records?(): readonly object[];
  /** Returns the lines below title and subtitle, or the whole text, for lines of the given number of characters. */
  text(columns: number): string | readonly string[];
  /** Rows on two axes, from which charts over each other have one text form. */
  plot?: Plot;
  /**
   * Pixels of the width that the option `width` sets, and how many such widths stand side by side; null where there is
   * no such option. Default: that of the specification, once.
   */
  area?: { width: number; across: number } | null;
}

/** Returns a figure's data as records. */
export const recordsOf = ({ records, table }: Figure): readonly object[] =>
  records?.() ?? table().records?.() ?? [];

export interface ChartSource<Options extends object> extends Figure {
  spec: VegaLiteSpec;
  options: Options & ChartOptions;
  rebuild(options: Options): Chart<Options>;
}

/** Draws a chart, and draws it again when its options change. Throws a `RangeError` for an unknown option. */
export function drawChart<Options extends ChartOptions>(
  checks: Readonly<Record<keyof Options & string, OptionCheck>>,
  options: Options,
  draw: (options: Options) => Figure,
): Chart<Options> {
  checkOptions(options, checks);
  const figure = draw(options);
  const { title, subtitle = [], description, color } = figure;
  const spec = {
    $schema: vegaLiteSchema,
    title: { text: title, ...(subtitle.length > 0 && { subtitle }) },
    ...figure.spec,
    description,
  };
  return new Chart({
    ...figure,
    spec: color === undefined ? spec : recolored(spec, color),
    options,
    rebuild: changed => drawChart(checks, { ...options, ...changed }, draw),
  });
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
