import { pairName } from "../../display/calibration.ts";
import { errorShare } from "../../display/error-ramp.ts";
import { formatNumber, formatPercent } from "../../display/format.ts";
import { blocks } from "../../display/meter.ts";
import { clip, pad } from "../../display/text.ts";
import type { CalibrationMap } from "./map.ts";

/** Orders the worst first, what is not calibrated last. */
export const byError = (one: { error: number | null }, other: { error: number | null }) =>
  (other.error ?? -1) - (one.error ?? -1);

const listed = 8;

interface Entry {
  name: string;
  error: number | null;
}

function section(title: string, entries: readonly Entry[], width: number): string[] {
  const worst = entries.filter(({ error }) => error !== null).toSorted(byError);
  if (worst.length === 0) return [];
  const names = Math.max(...worst.slice(0, listed).map(({ name }) => name.length));
  const room = Math.min(32, Math.max(4, width - names - 14));
  const rows = worst.slice(0, listed).map(({ name, error }) => {
    const bar = pad(blocks(errorShare(error!), room), room);
    return `  ${pad(name, names, "right")}  ${bar}  ${pad(formatPercent(error), 8, "right")}`;
  });
  const left = worst.length - rows.length;
  return [title, ...rows, ...(left > 0 ? [`  + ${formatNumber(left)} better ones`] : [])];
}

/** Formats a calibration as lines of at most `columns` characters: its medians, and the worst pairs and qubits. */
export function mapText(map: CalibrationMap, columns: number): string {
  const width = Math.max(30, Math.floor(columns));
  const pairs = map.pairs.map(({ a, b, error }) => ({ name: pairName(a, b), error }));
  const qubits = map.qubits.map(({ qubit, error }) => ({ name: String(qubit), error }));
  return [
    map.title,
    ...map.subtitle,
    ...section(`${map.gate ?? "Two-qubit"} error, the worst pairs`, pairs, width),
    ...section("Readout error, the worst qubits", qubits, width),
  ]
    .map(line => clip(line, width))
    .join("\n");
}
