/** The names of the themes. */
export const themeNames = ["notebook", "paper", "slides", "dark"] as const;

/** A look that has a name: for notebooks, for a column of a paper, for slides, for dark pages. */
export type ThemeName = (typeof themeNames)[number];

/**
 * How charts look. What is left out is as in the theme `base`.
 *
 * @example
 * theme({ base: "paper", width: "7in", subtitle: true })
 */
export interface ThemeOptions {
  /** The theme that is changed. Default: `"notebook"`. */
  base?: ThemeName;
  /**
   * Font of text: one that comes with the library, or a family with the paths of its faces (`.ttf` or `.otf`), which pictures
   * are drawn with and saved files embed. Default: `"Inter"`.
   */
  font?: "Inter" | "DejaVu Sans Mono" | { family: string; regular: string; bold?: string };
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

/** A theme with every choice made. */
export interface Theme {
  /** Name of the theme that it is or was made from. */
  readonly base: ThemeName;
  /** Font of text. */
  readonly font: NonNullable<ThemeOptions["font"]>;
  /** Size of the axes' labels in pixels. */
  readonly fontSize: number;
  /** Colours of series; null: those of the background. */
  readonly colors: readonly string[] | null;
  /** Colour of text; null: that of the front end in a notebook, and what is legible in a picture. */
  readonly textColor: string | null;
  /** Colour behind the chart; null: nothing in a notebook, and white in a picture. */
  readonly background: string | null;
  /** Width of the whole picture in pixels; null: what the chart needs. */
  readonly width: number | null;
  /** Resolution of PNG pictures in dots an inch; null: 192, less for very large ones. */
  readonly dpi: number | null;
  /** Whether charts have their title. */
  readonly title: boolean;
  /** Whether charts have the lines below the title. */
  readonly subtitle: boolean;
  /** Whether charts have axes. */
  readonly axis: boolean;
  /** Whether charts have lines across, at the ticks of their axes. */
  readonly grid: boolean;
}

/** Options of every chart. */
export interface ChartOptions {
  /** How the chart looks, in place of the theme of all charts. */
  theme?: ThemeName | ThemeOptions;
}
