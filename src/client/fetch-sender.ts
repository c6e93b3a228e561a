import type { Fetch, FetchBody } from "./fetch.ts";
import { type HttpResponse, IDLE_TIMEOUT_MS, readText, type Sender } from "./http.ts";

/** Sends requests by a function like `fetch`, which need not heed the signal that it is given. */
export function fetchSender(fetch: Fetch): Sender {
  return async ({ url, idleTimeout = IDLE_TIMEOUT_MS, signal, ...init }) => {
    const idle = new AbortController();
    const anySignal = signal ? AbortSignal.any([signal, idle.signal]) : idle.signal;
    const onIdle = () => idle.abort(new DOMException("The service has been silent.", "TimeoutError"));
    let timer = setTimeout(onIdle, idleTimeout);
    const resetTimer = () => {
      clearTimeout(timer);
      timer = setTimeout(onIdle, idleTimeout);
    };
    const clearTimer = () => clearTimeout(timer);
    try {
      const response = await abortable(
        fetch(url.href, { ...init, redirect: "manual", signal: anySignal }),
        anySignal,
      );
      const header = (name: string) => response.headers.get(name);
      return {
        status: response.status,
        header,
        text: (isLate, onBytes) =>
          readText(chunksOf(response.body, anySignal, resetTimer), header, isLate, onBytes).finally(
            clearTimer,
          ),
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

/** Settles as the promise does, or rejects as soon as the signal aborts. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
