import type { IncomingMessage } from "node:http";
import type { Caller } from "../accounts/caller.ts";
import type { RateState } from "./rate-limit.ts";

/** What the service keeps about one call while it answers it. */
export interface CallState {
  Bindings: { incoming?: IncomingMessage } | undefined;
  Variables: {
    requestId: string;
    caller: Caller;
    /** What the rate limit leaves to the caller. */
    rate: RateState | undefined;
    /** The query, checked. */
    query: unknown;
    /** The body, checked. */
    body: unknown;
  };
}
