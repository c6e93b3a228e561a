import { clampPixels, gridColor, round } from "./channels.ts";
import { isView as isMembers, type View as Members } from "./interaction/views.ts";
import { renderSvg } from "./render.ts";
import {
  chosen,
  dataNames,
  endLabelStyle,
  figureRoles,
  inked,
  neutral,
  series,
  untouched,
  wordsOf,
} from "./roles.ts";
import { inksOn, type Theme, type ThemeColors, themeColors } from "./theme.ts";
import { plainTex, sizeOf, wrapRemarks } from "./vega/metrics.ts";
import { difference } from "./vega/narrowed.ts";
import { fonts, type VegaLiteSpec } from "./vega-lite.ts";

const baseFontSize = 11;

/** Numbers with these names are pixels. */
const lengths =
  /^(?:width|height|padding|spacing|offset|dx|dy|step|length|thickness|strokeWidth|strokeDash|(?:inner|outer)Radius|cornerRadius\w*|[xy]Offset|\w*(?:FontSize|Padding|Limit|LineHeight|StrokeWidth|TickSize)|fontSize)$/;
const areaMarks: readonly unknown[] = ["point", "circle", "square"];
export const panelTitleStyle = "panel-title";
const colorNames = /^(?:color|fill|stroke|range|value|\w+Color)$/;

interface StyleContext {
  theme: Theme;
  ground: ThemeColors;
  words: string;
  scale: number;
  colors: { readonly [role: string]: string | readonly string[] };
}

export function fontFamilies({ font }: Pick<Theme, "font">): string {
  if (typeof font !== "string") return `'${font.family.replace(/[^\w -]/g, "")}', ${fonts.words}`;
  return { Inter: fonts.words, "STIX Two Text": fonts.serif, "DejaVu Sans Mono": fonts.mono }[font];
}

export const scaleOf = ({ fontSize }: Pick<Theme, "fontSize">) => fontSize / baseFontSize;

/** Applies the colours, fonts and sizes of a theme to a specification. Its own `config` and views from outside stay. */
export function applyTheme(spec: VegaLiteSpec, theme: Theme, medium: "live" | "still"): VegaLiteSpec {
  const ground = themeColors(theme, medium);
  const context: StyleContext = {
    theme,
    ground,
    words: fontFamilies(theme),
    scale: scaleOf(theme),
    colors: Object.fromEntries([
      ...series.flatMap((role, index) => [
        [role, ground.series[index % ground.series.length]!],
        [wordsOf(role), ground.seriesWords[index % ground.series.length]!],
      ]),
      ...Object.entries(ground.figure).map(([name, color]) => [`role:${name}`, color]),
      [figureRoles.onError, inksOn([ground.figure.error!].flat())],
      [figureRoles.ground, ground.background],
      [neutral, ground.neutral],
      [inked, ground.text],
    ]),
  };
  const { config, ...part } = spec;
  const restyled = view(part, context);
  const { narrow } = Object(restyled.usermeta) as { narrow?: unknown };
  return {
    background: ground.background,
    ...restyled,
    ...(narrow !== undefined && { usermeta: { narrow: difference(restyled, narrow) } }),
    config: merged(themeConfig(context), isMembers(config) ? config : {}),
  } as unknown as VegaLiteSpec;
}

function merged(under: Members, over: Members): Members {
  const both = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const below = both[name];
    both[name] = isMembers(value) && isMembers(below) ? merged(below, value) : value;
  }
  return both;
}

const isView = (value: Members) =>
  ["mark", "layer", "hconcat", "vconcat", "concat", "spec"].some(member => member in value);

function view(given: Members, context: StyleContext): Members {
  const { title, [untouched]: isUntouched, ...rest } = given;
  if (isUntouched) return { ...(title !== undefined && { title }), ...rest };
  const { theme } = context;
  const shown = isView(given) && title !== undefined ? titleOf(title, theme) : title;
  const members = Object.entries(rest).map(([name, value]) => [name, restyle(name, value, given, context)]);
  return { ...(shown !== undefined && { title: shown }), ...Object.fromEntries(members) };
}

function titleOf(title: unknown, theme: Theme): unknown {
  if (isMembers(title) && title.style === captionStyle) return theme.subtitle ? title : undefined;
  const { text = "", subtitle, ...rest } = isMembers(title) ? title : { text: title };
  const words = { text: theme.title ? text : "", ...(theme.subtitle && subtitle ? { subtitle } : {}) };
  return words.text !== "" || "subtitle" in words ? { ...rest, ...words } : undefined;
}

function restyle(name: string, value: unknown, owner: Members, context: StyleContext): unknown {
  const { theme, scale, ground } = context;
  if (dataNames.includes(name)) return value;
  if (typeof value === "number") {
    if (name === "symbolSize" || (name === "size" && areaMarks.includes(owner.type)))
      return round(value * scale * scale);
    return lengths.test(name) || name === "size" ? round(value * scale) : value;
  }
  if (typeof value === "string") {
    if (value === fonts.words) return context.words;
    if (!colorNames.test(name)) return value;
    const isText = owner.type === "text" || /^(?:label|title)Color$/.test(name);
    return value === neutral && isText ? ground.secondaryText : (context.colors[value] ?? value);
  }
  if (Array.isArray(value)) return value.map(entry => restyle(name, entry, owner, context));
  if (!isMembers(value)) return value;
  if (chosen in value) return value[chosen];
  if (name === "encoding") return encoding(value, context);
  if (Array.isArray(value.stops)) {
    const stops = value.stops.map((stop: Members) => ({
      ...stop,
      color: context.colors[String(stop.color)],
    }));
    return { ...value, stops };
  }
  if (name === "scale")
    return {
      ...value,
      ...(value.range !== undefined && { range: restyle("range", value.range, value, context) }),
    };
  if (name === "axis" && !theme.axis) return null;
  /** Without lines across there is none at 0 in place of an axis. */
  if (name === "axis" && !theme.grid && value.domain === false && value.ticks !== false)
    return view({ ...value, domain: true }, context);
  return view(value, context);
}

/** Channels whose values are pixels, by the power of the scale that they grow with. */
const pixelChannels: { readonly [channel: string]: number } = {
  ...{ x: 1, y: 1, x2: 1, y2: 1, strokeWidth: 1, size: 2 },
};

function encoding(channels: Members, context: StyleContext): Members {
  const { scale, theme } = context;
  const restyled = Object.entries(channels).map(([name, channel]) => {
    const given = restyle(name, channel, {}, context);
    const power = pixelChannels[name];
    if (!isMembers(given) || power === undefined) return [name, given];
    const factor = scale ** power;
    const isPosition = name === "x" || name === "y";
    if (isPosition && !theme.axis) given.axis = null;
    if (typeof Object(channel).value === "number") given.value = round(Number(given.value) * factor);
    if (given.scale === null && scale !== 1)
      given.scale = { domain: [0, 1], range: [0, round(factor)], nice: false };
    return [name, given];
  });
  return Object.fromEntries(restyled);
}

function themeConfig({ theme, ground, words, scale }: StyleContext): Members {
  const { text, secondaryText, neutral } = ground;
  const px = (length: number) => round(length * scale);
  const dimmed = secondaryText === "currentColor" ? 0.8 : 1;
  const labels = {
    ...{ labelColor: secondaryText, labelOpacity: dimmed, labelFontSize: px(11) },
    ...{ titleColor: secondaryText, titleOpacity: dimmed, titleFontSize: px(12), titleFontWeight: 400 },
  };
  const line = theme.grid ? "rgba(128,128,128,0.55)" : ground.neutral;
  return {
    font: words,
    padding: px(8),
    view: { stroke: null },
    mark: { color: ground.series[0] },
    text: { color: secondaryText, font: words, fontSize: px(11) },
    rule: { color: neutral },
    range: { category: ground.series },
    style: {
      [panelTitleStyle]: { fill: text, font: words, fontSize: px(12), fontWeight: 600 },
      [endLabelStyle]: { fontWeight: 600 },
      "group-subtitle": { fillOpacity: dimmed },
      [captionStyle]: {
        ...{ fill: secondaryText, fillOpacity: dimmed },
        ...{ font: words, fontSize: px(11.5), fontWeight: 400, lineHeight: px(16) },
      },
    },
    title: {
      ...{ anchor: "start", frame: "bounds", color: text, fontSize: px(14), fontWeight: 600, offset: px(14) },
      ...{ subtitleColor: secondaryText, subtitleFontSize: px(12), subtitleFontWeight: 400 },
      ...{ subtitlePadding: px(6), subtitleLineHeight: px(16) },
    },
    axis: {
      ...labels,
      ...{ domainColor: line, domainWidth: px(1), gridColor, gridWidth: px(1) },
      ...(!theme.grid && { grid: false }),
      ...{ ticks: !theme.grid, tickColor: line, tickSize: px(4) },
      labelPadding: px(theme.grid ? 6 : 3),
      titlePadding: px(8),
    },
    axisX: {
      ...{ grid: false, labelFlush: false },
      ...(theme.grid ? { titleAnchor: "end", titleAlign: "right" } : { titleAnchor: "middle" }),
    },
    axisXQuantitative: { ticks: true },
    axisXTemporal: { ticks: true },
    axisY: {
      domain: !theme.grid,
      ...{ titleAngle: 0, titleAnchor: "end", titleAlign: "left", titleBaseline: "bottom" },
      ...{ titlePadding: 0, titleY: px(-16) },
    },
    legend: { ...labels, titleFontSize: px(11) },
  };
}

const captionStyle = "caption";

/** Room beside the area of a chart that its caption may take, too. */
const beside = 40;

/** Returns a specification with a title only where one was given: else what was below it becomes a caption. */
export function captioned({ spec, options }: { spec: VegaLiteSpec; options?: object }): VegaLiteSpec {
  const { title, ...rest } = spec;
  const { text, subtitle, style } = Object(title) as { [member: string]: unknown };
  const isGiven = Object(options).title !== undefined || spec[untouched] !== undefined;
  if (text === undefined || style === captionStyle) return spec;
  if (isGiven) return { ...spec, title: { ...Object(title), text: plainTex(String(text)) } };
  const remarks = [subtitle ?? []].flat().map(String);
  if (remarks.length === 0) return rest as VegaLiteSpec;
  const caption = (width: unknown) => {
    const room = typeof width === "number" ? width + beside : Number.POSITIVE_INFINITY;
    const lines = wrapRemarks(remarks, room, { fontSize: 11.5 });
    return { title: { text: lines, style: captionStyle, orient: "bottom" } };
  };
  const { narrow } = Object(spec.usermeta) as { narrow?: Members };
  return {
    ...{ ...rest, ...caption(spec.width) },
    ...(narrow?.width !== undefined && { usermeta: { narrow: { ...narrow, ...caption(narrow.width) } } }),
  } as unknown as VegaLiteSpec;
}

const maxRounds = 4;

/** Returns the specification whose picture is as wide as its theme says, found by drawing it in other widths. */
export function fitWidth(
  spec: VegaLiteSpec,
  area: { width: number; across: number } | null,
  theme: Theme,
  withWidth: (width: number) => VegaLiteSpec,
): VegaLiteSpec {
  if (theme.width === null || area === null) return spec;
  const wanted = theme.width / scaleOf(theme);
  let fitted = spec;
  let { width } = area;
  for (let round = 0; round < maxRounds; round++) {
    const drawn = sizeOf(renderSvg(applyTheme(fitted, theme, "still"))).width / scaleOf(theme);
    const next = clampPixels(width + (wanted - drawn) / area.across, 40);
    if (Math.abs(drawn - wanted) < area.across || next === width) break;
    width = next;
    fitted = withWidth(width);
  }
  return fitted;
}

export function scaleSvg(svg: string, width: number): string {
  const size = sizeOf(svg);
  if (!(size.width > 0) || size.width === width) return svg;
  const height = Math.round(((size.height * width) / size.width) * 100) / 100;
  return svg
    .replace(` width="${size.width}"`, ` width="${width}"`)
    .replace(` height="${size.height}"`, ` height="${height}"`);
}
