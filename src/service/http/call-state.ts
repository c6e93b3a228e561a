import type { Context as Call } from "hono";
import type { Caller } from "../accounts/caller.ts";

/** The connection by which a request came. */
export interface IncomingConnection {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly destroyed: boolean;
  readonly readableEnded: boolean;
  on(event: ConnectionEvent, listener: (chunk: Uint8Array) => void): IncomingConnection;
  off(event: ConnectionEvent, listener: (chunk: Uint8Array) => void): IncomingConnection;
  pause(): unknown;
}

type ConnectionEvent = "data" | "end" | "error" | "close";

/** The connection by which a request is answered. */
export interface OutgoingConnection {
  statusCode: number;
  readonly headersSent: boolean;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

/** State of one call while it is answered. */
export interface CallState {
  Bindings: { incoming?: IncomingConnection; outgoing?: OutgoingConnection } | undefined;
  Variables: {
    requestId: string;
    caller: Caller;
    /** The query, checked. */
    query: unknown;
    /** The body, checked. */
    body: unknown;
  };
}

/** Sets headers of the answer, whatever it will be. */
export function setHeaders(call: Call<CallState>, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (call.env?.outgoing) call.env.outgoing.setHeader(name, value);
    else call.res.headers.set(name, value);
  }
}
