import { legend } from "../channels.ts";
import { isView, type View } from "../interaction/views.ts";
import { series, untouched, wordsOf } from "../roles.ts";
import { dashed } from "../rows/plot-channels.ts";

type Scale = { domain: readonly unknown[]; range: readonly unknown[] };

const nameColumn = "name of the chart";

/** Returns the scales of a specification that give names colours of the palette. */
export function colorScales(value: unknown): Scale[] {
  if (Array.isArray(value)) return value.flatMap(colorScales);
  if (!isView(value) || value[untouched]) return [];
  const { color, data: _, datasets: __, ...rest } = value;
  const { scale } = Object(color) as { scale?: Scale };
  const isNamed =
    Array.isArray(scale?.domain) &&
    Array.isArray(scale.range) &&
    scale.domain.every(name => typeof name === "string");
  return [...(isNamed ? [scale as Scale] : []), ...Object.values(rest).flatMap(colorScales)];
}

/** Returns the scale on which each of some names has the colour of its place. */
export const scaleOfNames = (names: readonly unknown[]): Scale => ({
  domain: names,
  range: names.map((_, index) => series[index % series.length]),
});

/** Gives a scale the names and colours of another one, for words where it was one of words. */
export function recolorScale(scale: Scale, { domain, range }: Scale): void {
  const isOfWords = String(scale.range[0]).endsWith(wordsOf(""));
  Object.assign(scale, { domain, range: isOfWords ? range.map(color => wordsOf(String(color))) : range });
}

/** Gives views that lie over each other distinct colours, one per name; `names` name views without series in a legend. */
export function distinctColors(views: readonly View[], names: readonly string[] = []): View[] {
  const copies = structuredClone(views) as View[];
  const isPlain = copies.map(view => colorScales(view).length === 0);
  const known = new Set(copies.flatMap(view => colorScales(view).flatMap(({ domain }) => domain)));
  for (const [index, name] of names.entries()) if (isPlain[index]) known.add(name);
  const scale = scaleOfNames([...known]);
  for (const each of copies.flatMap(colorScales)) recolorScale(each, scale);
  const key = copies.every(hasLine) ? { ...legend, ...dashed } : { ...legend, symbolType: "circle" };
  let next = known.size;
  for (const [index, view] of copies.entries()) {
    if (!isPlain[index]) continue;
    const name = names[index];
    if (name === undefined) recolor(view, { value: series[next++ % series.length] });
    else {
      recolor(view, { field: nameColumn, type: "nominal", scale, legend: { ...key, columns: 4 } });
      const named = { calculate: JSON.stringify(name), as: nameColumn };
      view.transform = [named, ...(Array.isArray(view.transform) ? view.transform : [])];
    }
  }
  return copies;
}

const hasLine = ({ mark, layer }: View): boolean =>
  Object(mark).type === "line" || (Array.isArray(layer) && layer.some(hasLine));

function recolor(view: unknown, color: View): void {
  if (Array.isArray(view)) for (const part of view) recolor(part, color);
  if (!isView(view)) return;
  const { mark, encoding, layer } = view;
  if (isView(encoding) && isView(encoding.color) && encoding.color.value === series[0])
    encoding.color = color;
  if (isView(mark) && mark.color === series[0]) {
    delete mark.color;
    view.encoding = { ...(encoding as View), color };
  }
  recolor(layer, color);
}
