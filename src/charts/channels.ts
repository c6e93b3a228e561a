import { clipMiddle, formatMagnitude, formatPercent } from "../display/index.ts";
import { maxLength } from "./options.ts";
import { lines } from "./outcome-label.ts";
import { inked, neutral } from "./roles.ts";
import { textWidth } from "./vega/metrics.ts";
import { fonts } from "./vega-lite.ts";

const letterWidth = 6.7;
/** Characters of a label; of a longer one its beginning and its end are written. */
const maxLabel = 24;

/** Expression of a name as a label: the tooltip has all of a long one. */
export const nameLabels = {
  labelExpr: `length(datum.label) > ${maxLabel} ? slice(datum.label, 0, ${maxLabel / 2}) + '…' + slice(datum.label, ${1 - maxLabel / 2}) : datum.label`,
};

/** Returns the content of a tooltip: the words of some fields under their titles. */
export const tips = (titles: { readonly [field: string]: string }) =>
  Object.entries(titles).map(([field, title]) => ({ field, type: "nominal", title }));

export const pixels = (field: string) => ({ field, type: "quantitative", scale: null, axis: null });

/** Returns a channel whose values are taken as they are, such as areas and shapes. */
export const asIs = (field: string, type: "quantitative" | "nominal" = "quantitative") => ({
  ...{ field, type, scale: null, legend: null },
});

/** Channels of a mark: the name of a field, a number for all rows, or a channel of Vega-Lite. */
export interface Channels {
  readonly [channel: string]: string | number | object | undefined;
}

/** Returns a mark as a layer: its look, its channels, and `more`, such as its data. Fields are numbers, those of text words. */
export function mark(type: string, look: object, channels: Channels = {}, more: object = {}) {
  const encoding = Object.entries(channels).map(([name, channel]) => {
    if (typeof channel === "number") return [name, { value: channel }];
    if (typeof channel !== "string") return [name, channel];
    const kind = name === "text" || name === "detail" ? "nominal" : "quantitative";
    return [name, name.endsWith("2") ? { field: channel } : { field: channel, type: kind }];
  });
  return { ...more, mark: { type, ...look }, encoding: Object.fromEntries(encoding) };
}

/** Data of a layer, with one row by default. */
export const inline = (values: readonly object[] = [{}]) => ({ data: { values } });

/** The rows of a layer for which an expression holds. */
export const only = (filter: string, ...steps: readonly object[]) => ({ transform: [{ filter }, ...steps] });

/** Channel of marks that do not answer to the pointer. */
export const silent = { tooltip: { value: null } };

/** Returns a layer with words at places in pixels, which are neither read out nor answer to the pointer. */
export const notes = (values: readonly { text: string; x: number; y: number }[]) =>
  mark(
    "text",
    { color: neutral, fontSize: 11, aria: false },
    { x: pixels("x"), y: pixels("y"), text: "text", ...silent },
    inline(values),
  );

export const note = (text: string, x: number | "width", y: number, look: object = {}) =>
  mark(
    "text",
    { text, color: neutral, fontSize: 11, aria: false, ...look },
    { x: { value: x }, y, ...silent },
    inline(),
  );

/** Returns those of some names, `step` pixels each, that an axis has room for. */
export function spacedNames(names: readonly string[], step: number, height: number) {
  const every = Math.ceil(height / step);
  return every > 1 ? { values: names.filter((_, index) => index % every === 0) } : {};
}

const minStepOfTwo = 48;

/** Returns the layout of names below an axis, `step` pixels each: level in one or two lines, else upright where they have room. */
export function levelNames(names: readonly string[], step: number) {
  const room = step - 6;
  if (names.every(name => textWidth({}, name) <= room)) return { labelAngle: 0 };
  if (step < minStepOfTwo) return { labelAngle: -90, ...nameLabels, ...spacedNames(names, step, 14) };
  const lines = names.map(name => {
    const most = Math.floor((name.length * room * 0.94) / Math.max(1, textWidth({}, name)));
    if (name.length <= most) return [name];
    const short = clipMiddle(name, 2 * most);
    const breaks = [...short.matchAll(/[ :\-_/.…]/g)].map(({ index }) => index + 1);
    const half =
      breaks.filter(at => at <= most && short.length - at <= most).at(-1) ?? Math.ceil(short.length / 2);
    return [short.slice(0, half).trim(), short.slice(half).trim()];
  });
  return {
    labelAngle: 0,
    labelExpr: `${JSON.stringify(lines)}[indexof(${JSON.stringify(names)}, datum.value)]`,
  };
}

export function labelWidth(labels: readonly string[]): number {
  return Math.min(maxLabel, Math.max(0, ...labels.map(label => label.length))) * letterWidth + 12;
}

/** Rounds to significant digits (default: 6): more than a picture shows, and fewer bytes in its specification. */
export const round = (value: number, digits: number = 6) => Number(value.toPrecision(digits));

/** Returns how numbers that differ are written: with as few significant digits as tell them apart, at least `least`. */
export function writtenApart(numbers: readonly number[], least: number): (value: number) => string {
  for (let digits = least; digits <= 15; digits++) {
    const written = (value: number) => formatMagnitude(round(value, digits));
    if (new Set(numbers.map(written)).size === numbers.length) return written;
  }
  return String;
}

/** Returns a size in whole pixels between two bounds; the lower one for anything but a number. */
export function clampPixels(pixels: number, min: number, max: number = maxLength): number {
  return Number.isFinite(pixels) ? Math.round(Math.min(max, Math.max(min, pixels))) : min;
}

/** Returns views of a width, and those for narrow pages where that is wide. */
export function withNarrow<Views extends { width: number }>(
  views: (width: number) => Views,
  width: number,
  narrow: number = 330,
) {
  const wide = views(width);
  return { ...wide, ...(wide.width > narrow && { usermeta: { narrow: views(narrow) } }) };
}

/** Returns a width near `width` with whole pixels per thing: what is drawn alike has the same pixels, and compresses. */
export function wholeSteps(width: number, count: number): number {
  return count > 0 ? count * Math.max(1, Math.round(width / count)) : width;
}

/** Returns the nearest number that is one of some steps, such as 1, 2 and 5, times a power of ten: not below (1) or not above (-1) it. */
export function niceNumber(value: number, side: 1 | -1, steps: readonly number[] = [1, 2, 5]): number {
  const ten = 10 ** Math.floor(Math.log10(value));
  const share = round(value / ten, 9);
  const step = side === 1 ? steps.find(step => step >= share) : steps.findLast(step => step <= share);
  return round((step ?? (side === 1 ? 10 : 1)) * ten);
}

export function decades(from: number, to: number): number[] {
  const first = Math.ceil(Math.log10(from));
  const count = Math.floor(Math.log10(to)) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => 10 ** (first + index));
}

const upright = 12;
const titleLetter = 7.4;

/**
 * Returns an axis of outcomes, `step` pixels each: labels are level where they have room, else upright or left out. Each line
 * of its title is wrapped to the axis.
 */
export function outcomeChannel(
  labels: readonly string[],
  {
    title,
    step,
    hidden = false,
    isRows = false,
  }: { title: readonly string[]; step: number; hidden?: boolean; isRows?: boolean },
) {
  const every = Math.ceil(upright / step);
  const isUpright = !isRows && labelWidth(labels) > step;
  const written = labels.filter((_, index) => index % every === 0);
  const characters = isRows ? 60 : Math.max(16, Math.floor((step * labels.length) / titleLetter));
  const titleLines = title.flatMap(line => lines(line, characters));
  return {
    field: "outcome",
    type: "nominal",
    sort: null,
    scale: { domain: labels, paddingInner: 0, paddingOuter: 0 },
    axis: {
      title: titleLines.length > 1 ? titleLines : (titleLines[0] ?? null),
      labels: !hidden,
      labelAngle: isUpright ? -90 : 0,
      labelFont: fonts.mono,
      labelFontSize: 12,
      labelColor: inked,
      labelLimit: 320,
      labelOverlap: false,
      ...((isRows || isUpright) && every > 1 && { values: written }),
    },
  };
}

export const gridColor = "rgba(128,128,128,0.22)";

/** The line at 0 among the lines across of signed values. */
export const zeroLine = {
  gridColor: { condition: { test: "datum.value === 0", value: neutral }, value: gridColor },
};

export const legend = {
  title: null,
  orient: "top",
  offset: 38,
  symbolType: "square",
  symbolOpacity: 1,
  labelColor: neutral,
  labelFontSize: 12,
  labelLimit: 240,
  ...nameLabels,
};

export const percentAxis = { title: "probability, %", labelExpr: "format(datum.value * 100, '~g')" };

/** Smaller probabilities than this are written as powers of ten, and then all on their axis. */
const minPercent = 1e-7;
const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const maxDecades = 12;

export const powerOfTen = (exponent: number) =>
  `10${[...String(exponent)].map(digit => (digit === "-" ? "⁻" : digits[Number(digit)])).join("")}`;

/** Expression of a label on a logarithmic axis: `0.01`, `2 × 10⁻⁶`, `10⁷`. */
export const decadeLabels = ((place: string, mantissa: string, digit: (of: string) => string) =>
  `datum.value >= 0.001 && datum.value < 1e5 ? format(datum.value, ',~g') : (${mantissa} == 1 ? '' : ${mantissa} + ' × ') + '10' + (${place} < 0 ? '⁻' : '') + (abs(${place}) > 9 ? ${digit(`floor(abs(${place}) / 10)`)} : '') + ${digit(`abs(${place}) % 10`)}`)(
  "floor(log(datum.value) / LN10 + 1e-9)",
  "round(datum.value / pow(10, floor(log(datum.value) / LN10 + 1e-9)))",
  of => `slice('${digits}', ${of}, ${of} + 1)`,
);

/** Returns a probability beside an axis that begins at `floor`: in percent, or where it is very small as a power of ten. */
export function probabilityText(value: number, floor: number): string {
  if (!(floor > 0 && floor < minPercent && value > 0 && value < 1e-5)) return formatPercent(value);
  const exponent = Math.ceil(-Math.log10(value));
  return `${(value * 10 ** exponent).toFixed(1)}·${powerOfTen(-exponent)}`;
}

/** Returns a logarithmic axis of probabilities from `floor` to `end`: in percent, or where they are very small in powers of ten. */
export function decadeAxis(floor: number, end: number) {
  const all = decades(floor, end);
  const every = Math.ceil(all.length / maxDecades);
  const values = all.filter((_, index) => (all.length - 1 - index) % every === 0);
  if (floor >= minPercent) return { ...percentAxis, values };
  const powers = values.map(value => {
    const exponent = Math.round(-Math.log10(value));
    return exponent === 0 ? "1" : powerOfTen(-exponent);
  });
  const place = `round(-log(datum.value) / LN10)`;
  const first = Math.round(-Math.log10(values[0] ?? 1));
  return {
    title: "probability",
    values,
    labelExpr: `${JSON.stringify(powers)}[round((${first} - ${place}) / ${every})]`,
  };
}

/** Bars below this share of the axis show only the upper half of their interval: the lower would cover them. */
export const shortBar = 0.04;

/** Returns marks of a bar's interval: white inside the bar, the colour of text beyond it, so seen on any ground. */
export const intervalMarks = (encoding: Channels = {}, from: string = "to") =>
  ["low", "high"].map(end => {
    const test = `(datum.${from} < 0) == (datum.${end} < datum.${from})`;
    const color = { condition: { test, value: inked }, value: "rgba(255,255,255,0.85)" };
    const channels = { ...encoding, y: from, y2: end, color };
    return mark("rule", { strokeWidth: 1.75 }, channels, only(`isValid(datum.${end})`));
  });

const turns: { readonly [name: string]: string } = {
  ...{ x: "y", y: "x", x2: "y2", y2: "x2", xOffset: "yOffset", width: "height" },
};
type Part = { [member: string]: unknown };

const swapped = (part: unknown) =>
  Object.fromEntries(Object.entries(Object(part)).map(([name, value]) => [turns[name] ?? name, value]));

/** Returns a part of bars that stand side by side as one of bars that lie below each other: the values run to the right. */
export function turned({ mark, encoding, layer, ...kept }: Part): Part {
  const { baseline, dy, ...look } = swapped(mark);
  const beside = baseline === "bottom" ? { align: "left", baseline: "middle", dx: 5 } : {};
  const channels = swapped(encoding);
  const axisOf = (role: "x" | "y", changed: object) => {
    const { axis, ...channel } = channels[role] as { axis?: object };
    if (axis) channels[role] = { ...channel, axis: { ...axis, ...changed } };
  };
  if (channels.x) axisOf("x", { grid: true, domain: false, ticks: false, ...zeroLine });
  if (channels.y) axisOf("y", { grid: false, domain: false, labelAngle: 0 });
  return {
    ...kept,
    ...(mark !== undefined && { mark: { ...look, ...beside } }),
    ...(encoding !== undefined && { encoding: channels }),
    ...(Array.isArray(layer) && { layer: layer.map(turned) }),
  };
}

export const emptyDrawing = (text: string) =>
  mark("text", { color: neutral, fontSize: 13 }, { text: "text" }, inline([{ text }]));
