import { figures } from "./palette.ts";

/** The errors at the ends of the ramp: the same for every device and day, so pictures can be compared. */
export const errorDomain = [0.001, 0.1] as const;

/** Returns the place of an error on the logarithmic ramp, from 0 (0.1 % and less) to 1 (10 % and more). */
export function errorShare(error: number): number {
  const [least, most] = errorDomain;
  return Math.min(1, Math.max(0, Math.log(error / least) / Math.log(most / least) || 0));
}

/** Returns the colour of an error on a light ground, as `#rrggbb`: the nearest stop of the ramp. */
export const errorColor = (error: number): string =>
  figures.light.error[Math.round(errorShare(error) * (figures.light.error.length - 1))]!;
