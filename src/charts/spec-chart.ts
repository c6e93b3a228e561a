import { checkOptions, stringValue } from "../contract/index.ts";
import { clip, clipLines, singleLine, table } from "../display/index.ts";
import { applyTheme } from "./apply-theme.ts";
import { Chart } from "./chart.ts";
import { concatenations, isView, type View } from "./interaction/views.ts";
import { type ChartOptions, chartOptionChecks } from "./options.ts";
import { readSpec } from "./read-spec.ts";
import { renderSvg } from "./render.ts";
import { untouched } from "./roles.ts";
import { currentTheme } from "./theme.ts";
import type { VegaLiteSpec } from "./vega-lite.ts";

/** Options of a specification from outside. */
export type SpecChartOptions = ChartOptions & { description?: string };

/** Makes a chart of a Vega-Lite specification. Throws a `RangeError` for one that can't be drawn, or loads something. */
export function specChart(given: object, options: SpecChartOptions = {}): Chart<SpecChartOptions> {
  checkOptions(options, { ...chartOptionChecks, description: stringValue });
  const spec: VegaLiteSpec = { ...readSpec(given), [untouched]: true };
  try {
    renderSvg(applyTheme(spec, currentTheme(), "still"));
  } catch (error) {
    throw new RangeError(
      `This specification can't be drawn: ${clip(String((error as Error).message), 300)}`,
      { cause: error },
    );
  }
  const title = titleOf(spec);
  const description = singleLine(
    options.description ?? (typeof spec.description === "string" ? spec.description : title),
    500,
  );
  const shown = () => rowsTable(spec, title);
  return new Chart<SpecChartOptions>({
    title,
    description,
    spec,
    options,
    area: null,
    table: shown,
    text: columns => clipLines([shown().text], columns),
    rebuild: changed => specChart(given, { ...options, ...changed }),
  });
}

function titleOf({ title }: VegaLiteSpec): string {
  const words = typeof title === "object" && title !== null && "text" in title ? title.text : title;
  return singleLine(Array.isArray(words) ? words.join(" ") : (words ?? "Chart"), 80);
}

type Row = { [column: string]: unknown };

/** Returns the rows of a view and of those inside it; the same rows that several have, once. */
function rowsOf(view: View, known = new Set<string>()): unknown[] {
  const { values } = Object(view.data) as { values?: unknown };
  const text = JSON.stringify(values);
  const own = Array.isArray(values) && !known.has(text) ? values : [];
  known.add(text);
  const inner = ["layer", ...concatenations, "spec"].flatMap(member => view[member] ?? []);
  return [...own, ...inner.filter(isView).flatMap(each => rowsOf(each, known))];
}

function rowsTable(spec: VegaLiteSpec, title: string) {
  const rows = rowsOf(spec).map((row): Row => (isView(row) ? row : { value: row }));
  const names = [...new Set(rows.slice(0, 100).flatMap(row => Object.keys(row)))].slice(0, 12);
  return table<Row>({
    caption: title,
    rows,
    columns: names.map(name => ({
      label: name,
      align: typeof rows[0]?.[name] === "number" ? "right" : "left",
      value: row => (row[name] === undefined || row[name] === null ? null : singleLine(row[name])),
    })),
  });
}
