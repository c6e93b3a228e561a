import { card, type Fact } from "./card.ts";
import { code } from "./cell.ts";
import type { Form } from "./form.ts";
import { formatCredits, formatDuration, formatNumber, formatUtc } from "./format.ts";
import { clip } from "./text.ts";

/** How a result came about, as far as a card shows it; null is what nobody knows. */
export interface ShownProvenance {
  jobQrn: string | null;
  program: string | null;
  compiledProgram: string | null;
  deviceQrn: string | null;
  calibratedAt: string | null;
  shots: number;
  options: { readonly [option: string]: unknown };
  seed: number | null;
  libraryVersion: string | null;
  service: string | null;
  cost: number | null;
  duration: number | null;
  endedAt: string | null;
  bitOrder: { order: string; reason: string };
}

const maxText = 200;

function linesOf(program: string | null): string | null {
  if (program === null) return null;
  const lines = program.trimEnd().split("\n").length;
  return lines === 1 ? "1 line" : `${formatNumber(lines)} lines`;
}

/** Shows how a result came about: where, when, with what, and for how much. */
export function provenanceCard(from: ShownProvenance): Form {
  const options = Object.keys(from.options).length > 0 ? clip(JSON.stringify(from.options), maxText) : "none";
  const facts: Fact[] = [
    ["Job", from.jobQrn && code(from.jobQrn)],
    ["Device", from.deviceQrn && code(from.deviceQrn)],
    ["Calibrated", from.calibratedAt && formatUtc(from.calibratedAt)],
    ["Ended", from.endedAt && formatUtc(from.endedAt)],
    ["Shots", from.shots === 0 ? "exact" : formatNumber(from.shots)],
    ["Options", options],
    ["Seed", from.seed === null ? null : String(from.seed)],
    ["Program", linesOf(from.program)],
    ["Compiled", linesOf(from.compiledProgram)],
    ["Service", from.service && clip(from.service, maxText)],
    ["Library", from.libraryVersion && `ketbook ${clip(from.libraryVersion, 40)}`],
    ["Cost", from.cost === null ? null : formatCredits(from.cost)],
    ["Ran for", from.duration === null ? null : formatDuration(from.duration)],
    ["Bit order", `${from.bitOrder.order}: ${clip(from.bitOrder.reason, maxText)}`],
  ];
  return card({ kind: "provenance", title: "How this result came about", facts });
}
