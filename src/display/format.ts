import { singleLine } from "./text.ts";

/** Stands for a value that is missing, which is never the same as 0. */
export const missing = "—";

/** Formats numbers in English. It is made at its first use: the first one of a process takes longer than a cell. */
export function lazyFormat(options: Intl.NumberFormatOptions): (value: number) => string {
  let format: Intl.NumberFormat | undefined;
  return value => {
    format ??= new Intl.NumberFormat("en-US", options);
    return format.format(value);
  };
}

const grouped = lazyFormat({ maximumFractionDigits: 6 });

function isNumber(value: number | null | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** A count or amount with its thousands separated: `1,234`. */
export function formatNumber(value: number | null | undefined): string {
  return isNumber(value) ? grouped(value) : missing;
}

/** A number in words, very large and very small ones with a power of ten: `1,234`, `6.02e+23`. */
export function formatMagnitude(value: number): string {
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-6 || size >= 1e15) ? value.toExponential() : formatNumber(value);
}

const significantDigits = 6;

/** A value of any kind in a table: whole numbers with all their digits, others with six; null if missing. */
export function formatValue(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "number")
    return String(Number.isInteger(value) ? value : Number(value.toPrecision(significantDigits)));
  return singleLine(typeof value === "object" ? JSON.stringify(value) : value, 80);
}

/** A number of things, by their plural: `1 job`, `1,177 jobs`. */
export function formatCount(count: number | null, nouns: string): string {
  return `${formatNumber(count)} ${count === 1 ? nouns.replace(/s$/, "") : nouns}`;
}

/** A share of 1: `48.0 %`, and small ones with two significant digits: `0.31 %`. */
export function formatPercent(share: number | null | undefined): string {
  if (!isNumber(share)) return missing;
  const percent = share * 100;
  const size = Math.abs(percent);
  if (size === 0) return "0 %";
  if (size < 1e-4) return "< 0.0001 %";
  if (size >= 0.995) return `${percent.toFixed(1)} %`;
  return `${percent.toFixed(Math.min(6, 1 - Math.floor(Math.log10(size))))} %`;
}

/** An interval of shares of 1: `44.1 % to 52.0 %`. */
export const formatInterval = ({ low, high }: { low: number; high: number }) =>
  `${formatPercent(low)} to ${formatPercent(high)}`;

/** An estimated fidelity, with the digits that tell it from 1: `0.93`, `0.99997`. */
export function formatFidelity(fidelity: number): string {
  if (1 - fidelity < 1e-9) return "above 0.999999999";
  if (fidelity < 0.1) return String(Number(fidelity.toPrecision(2)));
  return fidelity.toFixed(Math.max(2, -Math.floor(Math.log10(1 - fidelity))));
}

/** A remark on results of approximate states, by the least of their estimated fidelities; empty where all are exact. */
export function approximation(...fidelities: readonly (number | null | undefined)[]): string {
  const least = Math.min(...fidelities.map(fidelity => fidelity ?? 1));
  return least < 1 ? `approximate: estimated fidelity ${formatFidelity(least)}` : "";
}

const cents = lazyFormat({ maximumFractionDigits: 2 });
const three = lazyFormat({ maximumSignificantDigits: 3 });

/** An amount of credits as a number: to the cent from 1 on, smaller ones with three digits. Records have the rest. */
export function formatAmount(amount: number | null | undefined): string {
  return isNumber(amount) ? (Math.abs(amount) < 1 ? three : cents)(amount) : missing;
}

/** An amount of credits: `1 credit`, `485.99 credits`, `0.145 credits`. */
export function formatCredits(amount: number | null | undefined): string {
  if (!isNumber(amount)) return missing;
  return `${formatAmount(amount)} ${amount === 1 ? "credit" : "credits"}`;
}

const significant = (value: number) =>
  value >= 100 ? value.toFixed(0) : Number(value.toPrecision(2)).toString();

/** A size given in bytes: `850 bytes`, `12 kB`, `3.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${grouped(bytes)} bytes`;
  return bytes < 999_500 ? `${significant(bytes / 1000)} kB` : `${significant(bytes / 1e6)} MB`;
}

/** Units of time in seconds. */
const units = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
  [1, "s"],
] as const;

/** A span of time given in milliseconds: `850 µs`, `12 ms`, `3.4 s`, `2 min 5 s`, `1 h 3 min`, `3 d 4 h`. */
export function formatDuration(ms: number | null | undefined): string {
  if (!isNumber(ms) || ms < 0) return missing;
  if (ms === 0) return "0 s";
  if (ms < 1) return `${significant(ms * 1000)} µs`;
  if (ms < 999.5) return `${significant(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const first = units.findIndex(([size]) => seconds >= size);
  const [size, unit] = units[first]!;
  const [nextSize, nextUnit] = units[first + 1] ?? [1, ""];
  const rest = Math.floor((seconds % size) / nextSize);
  return `${Math.floor(seconds / size)} ${unit}${rest > 0 && nextUnit ? ` ${rest} ${nextUnit}` : ""}`;
}

function timeOf(iso: string | null | undefined): number | undefined {
  const time = typeof iso === "string" && iso.length <= 64 ? Date.parse(iso) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** A moment in UTC: `2026-11-21 10:25:07 UTC`. */
export function formatUtc(iso: string | null | undefined): string {
  const time = timeOf(iso);
  return time === undefined ? missing : `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Time since a moment, as seen at `now` (milliseconds since 1970): `3 min ago`, `in 2 h`, `just now`. */
export function formatAge(iso: string | null | undefined, now: number): string {
  const time = timeOf(iso);
  if (time === undefined) return missing;
  const away = Math.abs(now - time);
  if (away < 1000) return "just now";
  const [size, unit] = units.find(([seconds]) => away >= 1000 * seconds)!;
  const words = `${formatNumber(Math.floor(away / 1000 / size))} ${unit}`;
  return now >= time ? `${words} ago` : `in ${words}`;
}

/** A moment in UTC with its age: `2026-11-21 10:25:07 UTC (3 min ago)`. */
export function formatMoment(iso: string | null | undefined, now: number): string {
  return timeOf(iso) === undefined ? missing : `${formatUtc(iso)} (${formatAge(iso, now)})`;
}

/** Milliseconds between two moments; `undefined` if one is missing or they are in the wrong order. */
export function elapsedBetween(
  from: string | null | undefined,
  to: string | null | undefined,
): number | undefined {
  const start = timeOf(from);
  const end = timeOf(to);
  return start === undefined || end === undefined || end < start ? undefined : end - start;
}
