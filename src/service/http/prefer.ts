import { PREFERS_PACKED } from "../../contract/packed-counts.ts";

/** The longest that a request may wait, in seconds. */
const MAX_WAIT_SECONDS = 10;

const WAIT = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?=[;,]|$)/i;

/** Reads for how many milliseconds a request would rather wait than be answered at once, from its `Prefer` header (RFC 7240). */
export function readWait(prefer: string | undefined): number {
  const [, seconds = 0] = WAIT.exec(prefer ?? "") ?? [];
  return Math.min(Number(seconds), MAX_WAIT_SECONDS) * 1000;
}

/** Whether a request prefers packed counts and a packed memory, by its `Prefer` header. */
export const prefersPacked = (prefer = ""): boolean =>
  prefer.split(/[,;]/).some(each => each.trim().toLowerCase() === PREFERS_PACKED);
