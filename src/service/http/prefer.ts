/** The longest that a request may wait, in seconds. */
const MAX_WAIT_SECONDS = 10;

const WAIT = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?=[;,]|$)/i;

/** Reads for how many milliseconds a request would rather wait than be answered at once, from its `Prefer` header (RFC 7240). */
export function readWait(prefer: string | undefined): number {
  const [, seconds = 0] = WAIT.exec(prefer ?? "") ?? [];
  return Math.min(Number(seconds), MAX_WAIT_SECONDS) * 1000;
}
