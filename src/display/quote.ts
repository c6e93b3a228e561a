import type { NoQuote, Quote } from "../contract/quote.ts";
import { card, type Fact } from "./card.ts";
import { code } from "./cell.ts";
import type { Form } from "./form.ts";
import { formatCredits, formatNumber } from "./format.ts";
import { clip } from "./text.ts";

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
  return reasons[quote.reason] ?? clip(quote.reason, 200);
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
export function quoteCard(quote: Quote | NoQuote): Form {
  if (!quote.pricingAvailable)
    return card({
      kind: "quote",
      title: "No quote",
      facts: [
        ["Device", code(quote.deviceQrn)],
        ["Why", whyNot(quote)],
      ],
    });
  const { task, shots, time } = quote.breakdown;
  const items: Fact[] = [
    ["Task", formatCredits(task)],
    [`${formatNumber(quote.shots)} shots`, formatCredits(shots)],
    ["Time", formatCredits(time)],
  ];
  return card({
    kind: "quote",
    title: `${formatCredits(quote.estimatedCost)} (estimate)`,
    facts: [["Device", code(quote.deviceQrn)], ...items],
    note: clip(quote.basis, 500),
  });
}
