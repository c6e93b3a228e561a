import type { Column } from "./columns.ts";

/** Colours from small to large, of even steps to the eye; where there are two signs, from blue over grey to orange. */
export function ramp({ values, scale, domain }: Column) {
  const numbers = values.filter(value => typeof value === "number");
  const min = domain?.[0] ?? numbers.reduce((low, value) => Math.min(low, value), Infinity);
  const max = domain?.[1] ?? numbers.reduce((high, value) => Math.max(high, value), -Infinity);
  if (scale === "log") return { type: "log", domain: [min, max], scheme: "viridis" };
  if (min >= 0 || max <= 0) return { domain: [min, max], scheme: "viridis" };
  const reach = Math.max(-min, max);
  return { domain: [-reach, 0, reach], range: ["#0072B2", "#f0f0f0", "#C75000"], interpolate: "lab" };
}
