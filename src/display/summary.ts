import type { JobsSummary } from "../contract/summary.ts";
import { card, type Fact } from "./card.ts";
import type { Cell } from "./cell.ts";
import { formatCredits, formatNumber } from "./format.ts";
import { html } from "./html.ts";
import { meter } from "./meter.ts";
import type { RenderedView } from "./rendered-view.ts";
import { statusBar } from "./status-bar.ts";
import { clip } from "./text.ts";

const listed = 8;

/** Kinds of something with a bar each, the most frequent first. */
function kinds(counts: { [name: string]: number }): Cell {
  const present = Object.entries(counts).filter(([, count]) => count > 0);
  const total = present.reduce((sum, [, count]) => sum + count, 0);
  const shown = present
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, listed)
    .map(([name, count]) =>
      meter(count / total, {
        label: `${formatNumber(count)} ${clip(name.replaceAll("_", " "), 40)}`,
        width: 72,
      }),
    );
  if (shown.length === 0) return null;
  return {
    html: html`${shown.map(({ html: markup }) => html`<div>${markup}</div>`)}`,
    text: shown.map(({ text }) => text).join("\n"),
  };
}

/** An average with three digits that count, or all of those before the point. */
const average = (value: number | null) =>
  value && (value >= 100 ? Math.round(value) : Number(value.toPrecision(3)));

/** Shows figures over all jobs. */
export function summaryCard(summary: JobsSummary): RenderedView {
  const { total, statuses, experimentTypes, deviceTypes, cost, shots } = summary;
  const bar = statusBar(statuses);
  const facts: Fact[] = [
    ["Devices", kinds(deviceTypes)],
    ["Experiments", kinds(experimentTypes)],
    ["Cost", `${formatCredits(cost.total)}, ${formatCredits(average(cost.average))} a job on average`],
    ["Shots", `${formatNumber(shots.total)}, ${formatNumber(average(shots.average))} a job on average`],
  ];
  return card({
    kind: "summary",
    title: `${formatNumber(total)} ${total === 1 ? "job" : "jobs"}`,
    blocks: total ? [{ html: bar, text: `  ${bar.text}` }] : [],
    facts,
  });
}
