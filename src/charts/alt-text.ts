import { formatNumber } from "../display/index.ts";

export interface Share {
  label: string;
  share: number;
}

const maxNamed = 4;
/** Together, outcomes of at least this share are all that is worth saying. */
const nearlyAll = 0.9;
const hardlyAnyOther = 0.995;
/** Maximum relative distance of shares that count as alike from their mean. */
const tolerance = 0.2;
const fractions: { readonly [count: number]: string } = { 2: "half", 3: "a third", 4: "a quarter" };

const percent = (share: number) => (share < 0.01 ? "under 1 %" : `${Math.round(share * 100)} %`);

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function areAlike(shares: readonly Share[]): boolean {
  const mean = shares.reduce((sum, { share }) => sum + share, 0) / shares.length;
  return shares.every(({ share }) => Math.abs(share - mean) <= tolerance * mean);
}

/** Describes shares in words: `00 and 11, about half each`; `outcomes` counts all, `shares` are the largest. */
export function describeShares(shares: readonly Share[], outcomes: number): string {
  const sorted = shares.filter(({ share }) => share > 0).toSorted((a, b) => b.share - a.share);
  if (sorted.length === 0) return "no outcomes";
  if (sorted.length > maxNamed && sorted.length === outcomes && areAlike(sorted))
    return `${formatNumber(outcomes)} outcomes, about equally often`;
  let sum = 0;
  for (const [index, { share }] of sorted.slice(0, maxNamed).entries()) {
    sum += share;
    const leading = sorted.slice(0, index + 1);
    if (sum < nearlyAll || !areAlike(leading)) continue;
    const others =
      outcomes > leading.length ? (sum < hardlyAnyOther ? ", others rarely" : ", others hardly ever") : "";
    const names = listed(leading.map(({ label }) => label));
    if (leading.length === 1) return `${names}, ${others ? "nearly " : ""}always${others}`;
    return `${names}, about ${fractions[leading.length]} each${others}`;
  }
  const named = sorted.slice(0, maxNamed).map(({ label, share }) => `${label} ${percent(share)}`);
  const left = outcomes - named.length;
  return listed([...named, ...(left > 0 ? [`${formatNumber(left)} more`] : [])]);
}

type LinePoint = { x: string | number; y: number };

const rounded = (value: string | number) =>
  typeof value === "number" ? formatNumber(Number(value.toPrecision(3))) : value;

/** Describes how a line runs, by its ends and extremes: `from 1 at 0 down to -1 at 3.14`. */
export function describeTrend(
  points: readonly LinePoint[],
  written: (y: number) => string = rounded,
): string {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return "no points";
  if (points.length === 1) return `${written(first.y)} at ${rounded(first.x)}`;
  const highest = points.reduce((max, point) => (point.y > max.y ? point : max));
  const lowest = points.reduce((min, point) => (point.y < min.y ? point : min));
  const range = highest.y - lowest.y;
  const ofRange = (value: number) => (Math.abs(value) < 1e-9 * range ? 0 : value);
  const at = ({ x, y }: LinePoint) => `${written(ofRange(y))} at ${rounded(x)}`;
  if (range === 0) return `always ${written(first.y)}`;
  const isEnd = ({ y }: LinePoint) => Math.min(Math.abs(y - first.y), Math.abs(y - last.y)) <= 0.05 * range;
  const way = last.y > first.y ? "up" : "down";
  const between = [
    ...(isEnd(highest) ? [] : [`highest ${at(highest)}`]),
    ...(isEnd(lowest) ? [] : [`lowest ${at(lowest)}`]),
  ];
  const ends =
    Math.abs(last.y - first.y) <= 0.05 * range
      ? `from ${at(first)} back to ${at(last)}`
      : `from ${at(first)} ${way} to ${at(last)}`;
  return [ends, ...between].join(", ");
}
