import { formatNumber, formatPercent, missing } from "../../display/format.ts";

/** Returns a figure in its unit: `112.1 µs`, `188 s`, `0.31 %`. */
export function figureText(kind: "time" | "error", value: number | null): string {
  if (kind === "error") return formatPercent(value);
  if (value === null) return missing;
  const shown = (amount: number) => formatNumber(Number(amount.toPrecision(3)));
  return value < 1e5 ? `${shown(value)} µs` : `${shown(value / 1e6)} s`;
}
