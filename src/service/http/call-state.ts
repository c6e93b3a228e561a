import type { Caller } from "../accounts/caller.ts";
import type { RateState } from "./rate-limit.ts";

/** The connection by which a request came. */
export interface IncomingConnection {
  readonly socket: { readonly remoteAddress?: string | undefined };
  /** The body as it comes in. */
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
}

/** What the service keeps about one call while it answers it. */
export interface CallState {
  Bindings: { incoming?: IncomingConnection } | undefined;
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
