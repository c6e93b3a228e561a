import type { Column } from "./columns.ts";

/** Colours from small to large, of even steps to the eye; where there are two signs, from blue over grey to orange. */
export function ramp({ values, scale, domain }: Column) {
  const numbers = values.filter(value => typeof value === "number");
  const least = domain?.[0] ?? numbers.reduce((low, value) => Math.min(low, value), Infinity);
  const most = domain?.[1] ?? numbers.reduce((high, value) => Math.max(high, value), -Infinity);
  if (scale === "log") return { type: "log", domain: [least, most], scheme: "viridis" };
  if (least >= 0 || most <= 0) return { domain: [least, most], scheme: "viridis" };
  const reach = Math.max(-least, most);
  return { domain: [-reach, 0, reach], range: ["#0072B2", "#f0f0f0", "#C75000"], interpolate: "lab" };
}
