import type { NoQuote, Quote } from "../contract/quote.ts";
import { card } from "./card.ts";
import { code, type RichCell } from "./cell.ts";
import { alignPoints, blanks } from "./decimal-points.ts";
import { formatCredits, formatNumber } from "./format.ts";
import { html } from "./html.ts";
import { faint } from "./palette.ts";
import type { RenderedView } from "./rendered-view.ts";
import { clip, pad } from "./text.ts";

/** What is known about the price of a run. */
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
    blocks: bill ? [{ html: bill, text: bill.text }] : [],
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
  const items: [string, number | null][] = [
    ["Task", breakdown.task],
    [
      `${formatNumber(shots)} shots${programs > 1 ? ` × ${formatNumber(programs)} programs` : ""}`,
      breakdown.shots,
    ],
    ["Time", breakdown.time],
    ["Total (estimate)", estimatedCost],
  ];
  const written = items.map(([, amount]) => formatNumber(amount));
  const inHtml = alignPoints(written, blanks.html);
  const rows = items.map(([name], index) => {
    const weight = index === items.length - 1 ? "600" : "400";
    const rule = index === items.length - 2 ? `;border-bottom:1px solid ${faint}` : "";
    return html`<tr style="background-color:transparent${rule}"><th scope="row" style="text-align:left;padding:2px 24px 2px 0;font-weight:${weight}">${name}</th><td style="text-align:right;padding:2px 0;font-weight:${weight}">${inHtml[index]}</td></tr>`;
  });
  const names = Math.max(...items.map(([name]) => name.length));
  const amounts = alignPoints(written, blanks.text);
  const width = Math.max(...amounts.map(amount => amount.length));
  const lines = items.map(
    ([name], index) => `  ${pad(name, names)}  ${pad(amounts[index]!, width, "right")}`,
  );
  return {
    html: html`<table style="border-collapse:collapse;margin:0;font-size:13px"><tbody>${rows}</tbody></table>`,
    text: [...lines.slice(0, -1), `  ${"─".repeat(names + width + 2)}`, lines.at(-1)].join("\n"),
  };
}
