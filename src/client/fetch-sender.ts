import { type HttpResponse, readText, type Sender } from "./http.ts";
import { abortable, anySignal } from "./timing.ts";

/** A function like the web's `fetch`, as far as the client needs it. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;

/** Arguments of a `Fetch` in addition to the address. */
export interface FetchRequest {
  /** `GET`, `POST` or `DELETE`. */
  method: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** JSON, or null for none. */
  body: string | null;
  /** Redirects are answers like any other, and not followed. */
  redirect: "manual";
  /** Aborts when the request is given up. */
  signal: AbortSignal;
}

/** Response of a `Fetch`. */
export interface FetchResponse {
  /** HTTP status. */
  readonly status: number;
  /** Headers of the answer. */
  readonly headers: {
    /** A header's value by its name; null where it is missing. */
    get(name: string): string | null;
  };
  /** The body in pieces; null where there is none. */
  readonly body: FetchBody | null;
}

/** A body that is read piece by piece, such as a web stream. */
export interface FetchBody {
  /** Begins to read. */
  getReader(): {
    /** The next piece, or that there is none. */
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    /** Cancels what was not read. */
    cancel(): Promise<unknown>;
  };
}

/** Sends requests by a function like `fetch`, which may ignore the signal that it is given. */
export function fetchSender(fetch: Fetch): Sender {
  return async ({ url, idleTimeout, signal, ...init }) => {
    const idle = new AbortController();
    const stop = anySignal(signal, idle.signal);
    const onIdle = () => idle.abort(new DOMException("The service has been silent.", "TimeoutError"));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const resetTimer = () => {
      clearTimeout(timer);
      if (idleTimeout > 0) timer = setTimeout(onIdle, idleTimeout);
    };
    resetTimer();
    const clearTimer = () => clearTimeout(timer);
    try {
      const response = await abortable(fetch(url.href, { ...init, redirect: "manual", signal: stop }), stop);
      const header = (name: string) => response.headers.get(name);
      return {
        status: response.status,
        header,
        text: (isLate, onBytes) =>
          readText(chunksOf(response.body, stop, resetTimer), header, isLate, onBytes).finally(clearTimer),
      } satisfies HttpResponse;
    } catch (error) {
      clearTimer();
      throw error;
    }
  };
}

/** The pieces of a body; `resetTimer` is called before each. */
async function* chunksOf(
  body: FetchBody | null,
  signal: AbortSignal,
  resetTimer: () => void,
): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    while (reader) {
      resetTimer();
      const { done, value } = await abortable(reader.read(), signal);
      if (done) return;
      if (value) yield value;
    }
  } finally {
    reader?.cancel().catch(() => undefined);
  }
}
