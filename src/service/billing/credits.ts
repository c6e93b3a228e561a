const microsPerCredit = 1_000_000;
const microsecondsPerMinute = 60_000_000n;

/** Turns credits into integers of 10^-6 credit. */
export function toMicro(credits: number): number {
  return Math.round(credits * microsPerCredit);
}

/** Turns integers of 10^-6 credit into credits. */
export function toCredits(micro: number): number {
  return micro / microsPerCredit;
}

/** Prices a time: what a minute costs, in 10^-6 credit, for some microseconds; half a unit is rounded up. */
export function priceTime(perMinute: number, microseconds: number): number {
  const product = BigInt(perMinute) * BigInt(Math.round(microseconds));
  return Number((product + microsecondsPerMinute / 2n) / microsecondsPerMinute);
}
