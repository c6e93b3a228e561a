import { toBase64, utf8Length } from "#host";
import type { NoQuote, Quote } from "../contract/index.ts";
import type { RenderedView } from "./bundle.ts";
import { card, code, type Fact, html, paragraph, type RichCell, raw } from "./cell.ts";
import { formatCredits, formatDuration, formatNumber, formatPercent } from "./format.ts";
import { faint } from "./palette.ts";
import { alignPoints, withSpaces } from "./table.ts";
import { clip, pad, present, visible } from "./text.ts";

export interface Drawing {
  svg: string;
  /** The same for pages of up to 600 pixels. */
  narrow?: string;
  /** The same, in lines of characters. */
  text: string;
  /** The same in a sentence, for readers who do not see it. */
  alt?: string;
}

export interface PreparedRun {
  /** Missing when the program can't be drawn. */
  drawing?: Drawing | undefined;
  /** Name or QRN of the device; missing when none is chosen yet. */
  device?: string | undefined;
  shots: number;
  name?: string | undefined;
  /** Programs in the run. Default: 1. */
  programs?: number;
  /** Missing when there is nothing to quote yet. */
  quote?: QuoteState | undefined;
  /** Missing when nothing is known of the device. */
  expected?: ExpectedShot | undefined;
  /** Error in the program, such as `3:7: unknown gate "hh"`. */
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

/** Shows a drawing as an image, as front ends drop inline SVG; as text if it is too large. */
export function picture(drawing: Drawing, alt: string = drawing.alt ?? "Circuit"): RichCell {
  const text = drawingText(drawing.text);
  const { svg, narrow = "" } = drawing;
  const source = (image: string) => raw(`data:image/svg+xml;base64,${toBase64(image)}`);
  const wide = html`<img src="${source(svg)}" alt="${alt}" style="max-width:100%;height:auto">`;
  if (svg === "" || utf8Length(svg + narrow) > maxDrawingBytes)
    return { html: html`<pre style="line-height:1.2;margin:0;overflow-x:auto">${text}</pre>`, text };
  const both = html`<picture><source media="(max-width: 600px)" srcset="${source(narrow)}">${wide}</picture>`;
  return { html: narrow === "" ? wide : both, text };
}

/** Expected outcome of a shot, by a calibration. */
export interface ExpectedShot {
  /** From 0 to 1; null if unknown. */
  fidelity: number | null;
  /** Nanoseconds; null if unknown. */
  duration: number | null;
  /** Figures that are not calibrated, such as `readout errors of 0, 3`. */
  missing: readonly string[];
  /** Figures that are assumed instead. */
  assumed: readonly string[];
}

/** Describes what is to be expected of a shot, with what is unknown or assumed. */
export function expectedFacts({ fidelity, duration, missing, assumed }: ExpectedShot): Fact[] {
  const unknown = `unknown, as ${missing.join("; ")} are not calibrated`;
  const guessed = assumed.length > 0 ? `, assuming ${assumed.join("; ")}` : "";
  const lengths = assumed.length > 0 ? "unknown, as the lengths of gates are not calibrated" : unknown;
  return [
    ["Expected fidelity", fidelity === null ? unknown : formatPercent(fidelity) + guessed],
    ["Duration of a shot", duration === null ? lengths : formatDuration(duration / 1e6)],
  ];
}

/** Shows a run before it is submitted: the circuit, where it would run, and what that would cost. */
export function runCard(run: PreparedRun): RenderedView {
  const programs = run.programs ?? 1;
  const shots = run.shots === 0 ? "exact, without sampling" : formatNumber(run.shots);
  const facts = present<Fact>([
    ["Device", run.device ? code(clip(run.device, 120)) : "not chosen yet"],
    ["Shots", programs > 1 ? `${shots} × ${formatNumber(programs)} programs` : shots],
    run.quote && ["Cost", quoteText(run.quote)],
    ...(run.expected ? expectedFacts(run.expected) : []),
    Boolean(run.problem) && ["Problem", paragraph(run.problem ?? "")],
  ]);
  return card({
    kind: "prepared run",
    title: run.name ? clip(run.name, 120) : "Not submitted yet",
    blocks: [run.drawing && picture(run.drawing)],
    facts,
    note: "Await it, or call submit(), to run it.",
  });
}

export type QuoteState =
  | { state: "pending" }
  | { state: "known"; quote: Quote | NoQuote }
  | { state: "failed"; reason: string };

const reasons: { readonly [reason: string]: string | undefined } = {
  __proto__: null as never,
  no_pricing_configured: "the device has no prices",
  dynamic_pricing_unavailable: "its price is dynamic, and no history gives an estimate yet",
};

function whyNot(quote: NoQuote): string {
  return reasons[quote.reason] ?? (clip(quote.reason, 200) || "the service gives no reason");
}

/** The price of a run in one line, always called an estimate. */
export function quoteText(known: QuoteState): string {
  if (known.state === "pending") return "asking for a quote …";
  if (known.state === "failed") return `no quote: ${clip(known.reason, 200)}`;
  const { quote } = known;
  if (!quote.pricingAvailable) return `no quote: ${whyNot(quote)}`;
  return quote.estimatedCost === 0 ? "free (estimate)" : `${formatCredits(quote.estimatedCost)} (estimate)`;
}

/** Shows what a job would cost: the items, their sum, and what the estimate rests on. */
export function quoteCard(quote: Quote | NoQuote): RenderedView {
  if (!quote.pricingAvailable)
    return card({
      kind: "quote",
      title: "No quote",
      facts: [
        ["Device", code(quote.deviceQrn)],
        ["Why", whyNot(quote)],
      ],
    });
  const bill = quote.breakdown && billOf(quote, quote.breakdown);
  return card({
    kind: "quote",
    title: `${formatCredits(quote.estimatedCost)} (estimate)`,
    blocks: [bill],
    facts: [
      ["Device", code(quote.deviceQrn)],
      ...(bill ? [] : [["Shots", formatNumber(quote.shots)] as const]),
    ],
    note: `An estimate, not a cap${quote.basis ? `, from ${clip(quote.basis, 500)}` : ""}.`,
  });
}

/** The items of a quote and their sum, amounts below each other. */
function billOf(
  { shots, programs = 1, estimatedCost }: Quote,
  breakdown: NonNullable<Quote["breakdown"]>,
): RichCell {
  const each = programs > 1 ? ` × ${formatNumber(programs)} programs` : "";
  const items: [string, number | null][] = [
    ["Task", breakdown.task],
    [`${formatNumber(shots)} shots${each}`, breakdown.shots],
    ["Time", breakdown.time],
    ["Total (estimate)", estimatedCost],
  ];
  const inHtml = alignPoints(items.map(([, amount]) => formatNumber(amount)));
  const rows = items.map(([name], index) => {
    const weight = index === items.length - 1 ? "600" : "400";
    const rule = index === items.length - 2 && `;border-bottom:1px solid ${faint}`;
    return html`<tr style="background-color:transparent${rule}"><th scope="row" style="text-align:left;padding:2px 24px 2px 0;font-weight:${weight}">${name}</th><td style="text-align:right;padding:2px 0;font-weight:${weight}">${inHtml[index]}</td></tr>`;
  });
  const names = Math.max(...items.map(([name]) => name.length));
  const amounts = inHtml.map(withSpaces);
  const width = Math.max(...amounts.map(amount => amount.length));
  const lines = items.map(
    ([name], index) => `  ${pad(name, names)}  ${pad(amounts[index]!, width, "right")}`,
  );
  return {
    html: html`<table style="border-collapse:collapse;margin:0;font-size:13px"><tbody>${rows}</tbody></table>`,
    text: [...lines.slice(0, -1), `  ${"─".repeat(names + width + 2)}`, lines.at(-1)].join("\n"),
  };
}
