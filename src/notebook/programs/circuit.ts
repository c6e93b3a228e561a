import { currentTheme } from "../../charts/current-theme.ts";
import { type DisplayableView, displayableView } from "../../charts/displayable-view.ts";
import { luminance } from "../../charts/luminance.ts";
import type { ChartOptions } from "../../charts/theme.ts";
import { themeColors } from "../../charts/theme-colors.ts";
import { chartOptionChecks, resolveTheme } from "../../charts/theme-options.ts";
import { KetbookError } from "../../client/errors.ts";
import { flag, must, wholeNumber } from "../../contract/options.ts";
import type { RecordedProgram } from "../../contract/program.ts";
import { card, type Drawing, picture, type RenderedView } from "../../display/index.ts";
import { ink } from "../../display/palette.ts";
import {
  type Circuit,
  compile,
  describeCircuit,
  drawSvg,
  drawText,
  ProgramError,
} from "../../simulation/index.ts";
import { checkHelperOptions } from "../values/options.ts";

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

/** A program's circuit as picture and text; or, where there is none, the problem. */
export type DrawnProgram =
  | { drawing: Drawing /** The picture without a ground. */; plain: string }
  | { problem: string };

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

/** Draws a program. Returns the mistakes of a program that does not compile. */
export function drawProgram(
  { format, data, files }: RecordedProgram,
  options: CircuitOptions = {},
): DrawnProgram {
  const isKnown = format === "qasm3" || format === "qasm2" || format === "qir.ll";
  if (!isKnown || typeof data !== "string") return { problem: `A program in ${format} cannot be drawn.` };
  try {
    const { svg, text, alt } = drawCircuit(compile({ format, data, files }, { openInputs: true }), options);
    return { drawing: { svg: groundCircuit(svg, "live", options.theme), text, alt }, plain: svg };
  } catch (error) {
    if (error instanceof ProgramError) return { problem: error.message };
    throw error;
  }
}

/** Pixels and characters of a row of a circuit, and what they become where it is all one row. */
const rowWidth = { svg: 900, text: 100 };

function drawCircuit(circuit: Circuit, { scale = 1, theme: _, ...options }: CircuitOptions): Drawing {
  const isFolded = options.fold === undefined;
  const svg = drawSvg(circuit, { ...options, width: isFolded ? rowWidth.svg : Number.POSITIVE_INFINITY });
  const text = drawText(circuit, { ...options, width: isFolded ? rowWidth.text : Number.POSITIVE_INFINITY });
  return { svg: scaled(svg, scale), text, alt: describeCircuit(circuit) };
}

const scaled = (svg: string, scale: number) =>
  scale === 1
    ? svg
    : svg.replace(/^<svg[^>]*>/, tag =>
        tag.replace(
          / (width|height)="([\d.]+)"/g,
          (_, name, length) => ` ${name}="${Math.round(Number(length) * scale * 100) / 100}"`,
        ),
      );

/**
 * Returns the picture of a circuit with a ground of its own, as images can't take the colour of a page's text: that of the
 * theme with its colours, and of a theme that leaves it open white or, where a front end shows the picture and is dark, dark.
 */
export function groundCircuit(svg: string, medium: "live" | "still", given?: ChartOptions["theme"]): string {
  const theme = given === undefined ? currentTheme() : resolveTheme(given);
  const { background, text, series, neutral } = themeColors(theme, "still");
  const isAdaptive = medium === "live" && theme.background === null;
  const style = isAdaptive
    ? `<style>@media (prefers-color-scheme: dark) { svg { color: ${theme.textColor ?? ink.onDark} } .ground { fill: #111111 } }</style>`
    : "";
  const ground =
    background === "transparent"
      ? ""
      : `<rect class="ground" width="100%" height="100%" fill="${background}"/>`;
  const isOwn = background === "transparent" || (theme.background === null && theme.colors === null);
  const isDark = !isOwn && luminance(background) < 0.18;
  const colors: { readonly [usual: string]: string | undefined } = isOwn
    ? {}
    : {
        ...{ "#155ec1": series[0], "#cb5e35": series[1], "#8d66bd": series[5] },
        ...((theme.colors || isDark) && { "#058158": series[2] }),
        ...(isDark && { "#767676": neutral }),
        ...{ "#ffffff": background, "#16181d": text },
      };
  return svg
    .replace(/(fill|stroke)="(#[0-9a-f]{6})"/g, (whole, name, usual) =>
      colors[usual] ? `${name}="${colors[usual]}"` : whole,
    )
    .replace(/^<svg[^>]*>/, tag => tag.replace(/ color="[^"]*"/, ` color="${text}"`) + style + ground);
}

/** Shows a program as its circuit; with mistakes, as its text and what is wrong. */
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

/**
 * Draws the circuit of a program as something that shows and saves itself.
 *
 * @throws KetbookError for an option that is not there, or a program that has no circuit.
 */
export function displayableCircuit(program: RecordedProgram, options: CircuitOptions = {}): DisplayableView {
  checkHelperOptions("draw", options, optionChecks);
  const drawn = drawProgram(program, options);
  if ("problem" in drawn) throw new KetbookError(`draw: ${drawn.problem}`);
  const { html, text } = picture(drawn.drawing);
  return displayableView(
    { html: html.toString(), text },
    { toSVG: () => groundCircuit(drawn.plain, "still", options.theme) },
  );
}
