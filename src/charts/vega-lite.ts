/** Fonts of text and of outcomes: the shipped ones first, so a page and a picture look alike. */
export const fonts = {
  words: "Inter, system-ui, -apple-system, Segoe UI, sans-serif",
  serif: "STIX Two Text, STIX Two Math, Cambria, Georgia, serif",
  mono: "DejaVu Sans Mono, Menlo, Consolas, monospace",
} as const;

/** A Vega-Lite specification: plain data, written for version 5. */
export interface VegaLiteSpec {
  /** Address of the JSON schema that the specification follows. */
  readonly $schema: string;
  readonly [member: string]: unknown;
}

export const vegaLiteSchema = "https://vega.github.io/schema/vega-lite/v5.json";
