import { terminalColumns } from "#host";
import {
  type ChartOptions,
  chartOptionChecks,
  currentTheme,
  type DisplayableView,
  displayableView,
  embedFonts,
  fontFamilies,
  luminance,
  resolveTheme,
  type Theme,
  themeColors,
} from "../../charts/index.ts";
import { KetbookError } from "../../client/index.ts";
import { flag, must, type RecordedProgram, wholeNumber } from "../../contract/index.ts";
import { card, type Drawing, picture, type RenderedView } from "../../display/index.ts";
import {
  type Circuit,
  type CircuitColors,
  type CircuitRole,
  circuitColors,
  compile,
  describeCircuit,
  drawSvg,
  drawText,
  ProgramError,
} from "../../simulation/index.ts";
import { checkHelperOptions } from "../values/options.ts";
import { sourceOf } from "./program-figures.ts";

/** Options of a circuit's drawing. */
export interface CircuitOptions extends ChartOptions {
  /** Whether gates are filled with the colour of their edges. Default: false. */
  filled?: boolean;
  /** Columns of gates in a row, before the circuit continues below; `Infinity`: all in one. Default: what fits. */
  fold?: number;
  /** Size of the picture, in shares of the usual one, from 0.1 to 10. Default: 1. */
  scale?: number;
  /** Whether the last qubit is on top. Default: false. */
  reverseBits?: boolean;
  /** Whether gates of the program's own and loops are opened, or how many levels of them. Default: false. */
  expand?: boolean | number;
  /** Whether qubits that no operation touches are drawn; else a line names them. Default: false. */
  idleWires?: boolean;
}

type DrawnCircuit = Drawing & { still: () => string };

type DrawnProgram = { drawing: DrawnCircuit } | { problem: string };

const isFold = (value: unknown) => value === Number.POSITIVE_INFINITY || wholeNumber(1)(value) === undefined;
const optionChecks = {
  ...chartOptionChecks,
  filled: flag,
  fold: must("a whole number of columns, 1 or more, or Infinity", isFold),
  scale: must("a number from 0.1 to 10", value => Number(value) >= 0.1 && Number(value) <= 10),
  reverseBits: flag,
  expand: must(
    "true, false or a number of levels",
    value => typeof value === "boolean" || wholeNumber(0)(value) === undefined,
  ),
  idleWires: flag,
};

export function drawProgram(program: RecordedProgram, options: CircuitOptions = {}): DrawnProgram {
  const source = sourceOf(program);
  if (!source) return { problem: `A program in ${program.format} cannot be drawn.` };
  try {
    return { drawing: drawCircuit(compile(source, { openInputs: true }), options) };
  } catch (error) {
    if (error instanceof ProgramError) return { problem: error.message };
    throw error;
  }
}

/** Pixels of a row of a circuit, and of one on a narrow page. */
const [rowWidth, narrowWidth] = [900, 340];

function drawCircuit(circuit: Circuit, options: CircuitOptions): DrawnCircuit {
  const { scale = 1, theme: given, fold, ...rest } = options;
  const theme = given === undefined ? currentTheme() : resolveTheme(given);
  const look = { ...rest, ...(fold !== undefined && { fold }), font: fontFamilies(theme) };
  const svgOf = (width: number, colors: CircuitColors) =>
    scaled(drawSvg(circuit, { ...look, width, colors }), scale);
  const isOpen = theme.background === null && theme.colors === null;
  const live = (width: number) => {
    const svg = svgOf(width, isOpen ? circuitColors.light : colorsOf(theme));
    return embedFonts(grounded(svg, theme, isOpen ? darkStyle(theme) : ""), theme.font);
  };
  const wide = live(rowWidth);
  const isFolding = fold === undefined && scale === 1 && widthOf(wide) > narrowWidth;
  return {
    svg: wide,
    ...(isFolding && { narrow: live(narrowWidth) }),
    text: drawText(circuit, { ...look, width: Math.max(40, (terminalColumns() || 102) - 2) }),
    alt: describeCircuit(circuit),
    still: () => grounded(svgOf(rowWidth, colorsOf(theme)), theme),
  };
}

const widthOf = (svg: string) => Number(/^<svg[^>]* width="([\d.]+)"/.exec(svg)?.[1]);

const scaled = (svg: string, scale: number) =>
  scale === 1
    ? svg
    : svg.replace(/^<svg[^>]*>/, tag =>
        tag.replace(
          / (width|height)="([\d.]+)"/g,
          (_, name, length) => ` ${name}="${Math.round(Number(length) * scale * 100) / 100}"`,
        ),
      );

/** Returns the colours of a theme; on an unknown ground those on white, with boxes that are white. */
function colorsOf(theme: Theme): CircuitColors {
  const { background, text, series } = themeColors(theme, "still");
  const isUnknown = background === "transparent";
  const usual = circuitColors[!isUnknown && luminance(background) < 0.18 ? "dark" : "light"];
  const color = (index: number) => series[index % series.length]!;
  return {
    ...usual,
    ...(theme.colors && { gate: color(0), condition: color(1), block: color(2), loop: color(5) }),
    ...(theme.textColor && { lesser: theme.textColor }),
    ...(isUnknown ? { text } : { text, inside: text, ground: background }),
  };
}

/** Puts a ground behind a picture, as images can't take the colour of a page's text. */
function grounded(svg: string, theme: Theme, style = ""): string {
  const { background } = themeColors(theme, "still");
  const ground =
    background === "transparent" ? "" : `<rect width="100%" height="100%" fill="${background}"/>`;
  return svg.replace(/^<svg[^>]*>/, tag => tag + style + ground);
}

/** Returns the style that gives a picture dark colours in a front end that is dark. */
function darkStyle({ textColor }: Theme): string {
  const { light, dark } = circuitColors;
  const pairs = Object.keys(light).map(
    role => [light[role as CircuitRole], dark[role as CircuitRole]] as const,
  );
  const rules = [...new Map(pairs)].map(([from, to]) => {
    const color = textColor !== null && from === light.text ? textColor : to;
    return `[fill="${from}"]{fill:${color}}[stroke="${from}"]{stroke:${color}}`;
  });
  return `<style>@media (prefers-color-scheme: dark) { ${rules.join("")} }</style>`;
}

export function circuitView(program: RecordedProgram, options?: CircuitOptions): RenderedView {
  const drawn = drawProgram(program, options);
  if ("drawing" in drawn) {
    const { html, text } = picture(drawn.drawing);
    return { html: html.toString(), text };
  }
  return card({
    kind: "program",
    title: "This program does not compile",
    facts: [["Problem", drawn.problem]],
  });
}

export function displayableCircuit(program: RecordedProgram, options: CircuitOptions = {}): DisplayableView {
  checkHelperOptions("draw", options, optionChecks);
  const drawn = drawProgram(program, options);
  if ("problem" in drawn) throw new KetbookError(`draw: ${drawn.problem}`);
  const { html, text } = picture(drawn.drawing);
  return displayableView({ html: html.toString(), text }, { toSVG: drawn.drawing.still });
}
