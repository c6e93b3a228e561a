const MICROS_PER_CREDIT = 1_000_000;
const MICROSECONDS_PER_MINUTE = 60_000_000n;

/** Turns credits into integers of 10^-6 credit. */
export function toMicro(credits: number): number {
  return Math.round(credits * MICROS_PER_CREDIT);
}

/** Turns integers of 10^-6 credit into credits. */
export function toCredits(micro: number): number {
  return micro / MICROS_PER_CREDIT;
}

/** Prices a time: what a minute costs, in 10^-6 credit, for some microseconds; half a unit is rounded up. */
export function priceTime(perMinute: number, microseconds: number): number {
  const product = BigInt(perMinute) * BigInt(Math.round(microseconds));
  return Number((product + MICROSECONDS_PER_MINUTE / 2n) / MICROSECONDS_PER_MINUTE);
}
