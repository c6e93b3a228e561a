import { series } from "../../display/palette.ts";
import { neutral } from "../roles.ts";

const [blue, orange, green, pink] = series;

const named: readonly (readonly [places: number, of: number])[] = [1, 2, 3, 4, 6, 8].map(
  of => [of, of] as const,
);

/** Writes an angle in radians as a part of π: `0`, `π/2`, `−3π/4`, `0.371π`. */
export function formatPhase(radians: number): string {
  const turns = radians / Math.PI;
  const part = Math.abs(turns) > 1 ? turns - 2 * Math.round(turns / 2) : turns;
  const size = Math.abs(part);
  if (size < 5e-7) return "0";
  const sign = part < 0 && 1 - size > 5e-7 ? "−" : "";
  for (const [of] of named) {
    const places = Math.round(size * of);
    if (Math.abs(size * of - places) < 5e-7 * of && places > 0)
      return `${sign}${places === 1 ? "" : places}π${of === 1 ? "" : `/${of}`}`;
  }
  return `${sign}${size.toFixed(3)}π`;
}

/** Returns an angle in degrees from 0 to 360, rounded. */
export function degreesOf(radians: number): number {
  const degrees = Math.round(((radians * 180) / Math.PI) * 10) / 10;
  return ((degrees % 360) + 360) % 360;
}

const stops = [blue, green, orange, pink, blue] as const;

/** Colours phases around a circle by the palette, with a legend of the four quarters. */
export const phaseColorChannel = {
  field: "phase",
  type: "quantitative",
  scale: { domain: [0, 90, 180, 270, 360], range: stops, interpolate: "rgb" },
  legend: {
    title: "phase",
    type: "symbol",
    orient: "bottom",
    direction: "horizontal",
    symbolType: "circle",
    symbolSize: 90,
    symbolStrokeWidth: 0,
    symbolOpacity: 1,
    values: [0, 90, 180, 270],
    labelExpr: "{'0': '0', '90': 'π/2', '180': 'π', '270': '−π/2'}[datum.value]",
    labelColor: neutral,
    titleColor: neutral,
    labelFontSize: 11,
    titleFontSize: 11,
    titleFontWeight: 400,
    titleOrient: "left",
  },
} as const;

const channelsOf = (hex: string) => [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16));

/** Returns the colour of a phase in degrees, as bright as `light` (from 0 to 1), as `#rrggbb`. */
export function phaseColor(degrees: number, light: number): string {
  const quarter = Math.min(3, Math.floor(degrees / 90));
  const share = degrees / 90 - quarter;
  const [from, to] = [channelsOf(stops[quarter]!), channelsOf(stops[quarter + 1]!)];
  const mixed = from.map((channel, index) => Math.round((channel + (to[index]! - channel) * share) * light));
  return `#${mixed.map(channel => channel.toString(16).padStart(2, "0")).join("")}`;
}
