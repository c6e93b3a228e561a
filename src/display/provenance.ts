import type { RenderedView } from "./bundle.ts";
import { card, code, type Fact } from "./cell.ts";
import { formatCredits, formatDuration, formatNumber, formatUtc } from "./format.ts";
import { clip } from "./text.ts";

/** Provenance of a result; null is unknown. */
export interface ProvenanceRecord {
  /** Resource name of the job. */
  jobQrn: string | null;
  /** The program as it was submitted. */
  program: string | null;
  /** The program as the device ran it. */
  compiledProgram: string | null;
  /** Resource name of the device. */
  deviceQrn: string | null;
  /** When the device had been calibrated (ISO 8601). */
  calibratedAt: string | null;
  /** Repetitions; 0 for an exact run. */
  shots: number;
  /** Options that the job was submitted with. */
  options: { readonly [option: string]: unknown };
  /** Seed of the job, whether chosen or drawn. */
  seed: number | null;
  /** Version of this library that fetched the result. */
  libraryVersion: string | null;
  /** The service and its version, such as `ketbook 1.2.0`. */
  service: string | null;
  /** Credits that the program cost. */
  cost: number | null;
  /** Milliseconds that it ran. */
  duration: number | null;
  /** When the job ended (ISO 8601). */
  endedAt: string | null;
  /** From which end the bits of an outcome are to be read, and why that is believed. */
  bitOrder: { readonly order: "msb-first" | "lsb-first" | "unknown"; readonly reason: string };
}

const maxText = 200;

function linesOf(program: string | null): string | null {
  if (program === null) return null;
  const lines = program.trimEnd().split("\n").length;
  return lines === 1 ? "1 line" : `${formatNumber(lines)} lines`;
}

/** Shows how a result came about: where, when, with what, and for how much. */
export function provenanceCard(from: ProvenanceRecord): RenderedView {
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
