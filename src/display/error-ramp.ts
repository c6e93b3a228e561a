/** Colours of errors from small to large: told apart by colour-blind readers, and legible on white as on black. */
export const errorRamp = ["#0072B2", "#6F7480", "#C75000"] as const;

/** The errors at the ends of the ramp: the same for every device and day, so that pictures can be compared. */
export const errorDomain = [0.001, 0.1] as const;

/** Where an error stands on the logarithmic ramp, from 0 (0.1 % and less) to 1 (10 % and more). */
export function errorShare(error: number): number {
  const [least, most] = errorDomain;
  return Math.min(1, Math.max(0, Math.log(error / least) / Math.log(most / least) || 0));
}

const channelsOf = (hex: string) => [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16));

/** The colour of an error, as `#rrggbb`. */
export function errorColor(error: number): string {
  const place = errorShare(error) * (errorRamp.length - 1);
  const first = Math.min(errorRamp.length - 2, Math.floor(place));
  const [from, to] = [channelsOf(errorRamp[first]!), channelsOf(errorRamp[first + 1]!)];
  const mixed = from.map((channel, index) => Math.round(channel + (to[index]! - channel) * (place - first)));
  return `#${mixed.map(channel => channel.toString(16).padStart(2, "0")).join("")}`;
}
