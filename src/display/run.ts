import { toBase64, utf8Length } from "#host/bytes";
import { card, type Fact } from "./card.ts";
import { code, paragraph, type RichCell } from "./cell.ts";
import { formatDuration, formatNumber, formatPercent } from "./format.ts";
import { html, raw } from "./html.ts";
import { type QuoteState, quoteText } from "./quote.ts";
import type { RenderedView } from "./rendered-view.ts";
import { clip, visible } from "./text.ts";

/** A picture of a circuit in both languages. */
export interface Drawing {
  svg: string;
  /** The same for pages of up to 600 pixels. */
  narrow?: string;
  /** The same, in lines of characters. */
  text: string;
  /** The same in a sentence, for readers who do not see it. */
  alt?: string;
}

/** A run that is prepared but not submitted. */
export interface PreparedRun {
  /** Missing when the program can't be drawn. */
  drawing?: Drawing | undefined;
  /** Name or QRN of the device; missing when none is chosen yet. */
  device?: string | undefined;
  shots: number;
  /** The run's own name. */
  name?: string | undefined;
  /** Programs in the run. Default: 1. */
  programs?: number;
  /** Missing when there is nothing to quote yet. */
  quote?: QuoteState | undefined;
  /** What is to be expected of a shot: its fidelity, 0 to 1, and nanoseconds; missing when that is not known. */
  expected?: { fidelity: number | null; missing: readonly string[]; duration: number | null } | undefined;
  /** What is wrong with the program, such as `3:7: unknown gate "hh"`. */
  problem?: string | undefined;
}

const maxDrawingBytes = 400_000;
const maxDrawingLines = 60;
const maxDrawingColumns = 400;

function drawingText(text: string): string {
  const lines = text.slice(0, maxDrawingLines * maxDrawingColumns * 2).split("\n");
  const shown = lines
    .slice(0, maxDrawingLines)
    .map(line => `  ${clip(visible(line).replaceAll("\t", "  "), maxDrawingColumns)}`);
  return [...shown, ...(lines.length > maxDrawingLines ? ["  …"] : [])].join("\n");
}

/**
 * Shows a drawing as a picture element, since front ends drop inline SVG from notebooks that are not trusted;
 * as text when the picture would be too large.
 */
export function picture(drawing: Drawing, alt: string = drawing.alt ?? "Circuit"): RichCell {
  const text = drawingText(drawing.text);
  const { svg, narrow = "" } = drawing;
  const source = (image: string) => raw(`data:image/svg+xml;base64,${toBase64(image)}`);
  const wide = html`<img src="${source(svg)}" alt="${alt}" style="max-width:100%;height:auto">`;
  const markup =
    svg !== "" && utf8Length(svg + narrow) <= maxDrawingBytes
      ? narrow === ""
        ? wide
        : html`<picture><source media="(max-width: 600px)" srcset="${source(narrow)}">${wide}</picture>`
      : html`<pre style="line-height:1.2;margin:0;overflow-x:auto">${text}</pre>`;
  return { html: markup, text };
}

/** Shows a run before it is submitted: the circuit, where it would run, and what that would cost. */
export function runCard(run: PreparedRun): RenderedView {
  const programs = run.programs ?? 1;
  const shots = run.shots === 0 ? "exact, without sampling" : formatNumber(run.shots);
  const facts: Fact[] = [
    ["Device", run.device ? code(clip(run.device, 120)) : "not chosen yet"],
    ["Shots", programs > 1 ? `${shots} × ${formatNumber(programs)} programs` : shots],
  ];
  if (run.quote) facts.push(["Cost", quoteText(run.quote)]);
  if (run.expected) {
    const { fidelity, missing, duration } = run.expected;
    const known =
      fidelity === null ? `unknown, as ${missing.join("; ")} are not calibrated` : formatPercent(fidelity);
    const length = duration === null ? "" : `, ${formatDuration(duration / 1e6)} a shot (by the calibration)`;
    facts.push(["Expected fidelity", known + length]);
  }
  if (run.problem) facts.push(["Problem", paragraph(run.problem)]);
  const drawn = run.drawing && picture(run.drawing);
  return card({
    kind: "prepared run",
    title: run.name ? clip(run.name, 120) : "Not submitted yet",
    blocks: drawn ? [{ html: drawn, text: drawn.text }] : [],
    facts,
    note: "Await it, or call submit(), to run it.",
  });
}
