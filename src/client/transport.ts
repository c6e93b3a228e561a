import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { readAnswer } from "./answer.ts";
import { ConnectionError, KetbookError, TimeoutError } from "./errors.ts";
import type { Reader } from "./reader.ts";

/** Where a service is, and with which key it is spoken to. */
export interface Endpoint {
  /** Base address of version 2, ending in `/api/v1`. */
  url: string;
  apiKey: string;
}

/** What a caller may say about one call. */
export interface CallOptions {
  /** Ends the call when it aborts. */
  signal?: AbortSignal;
  /** Milliseconds for each try. If not given, a try ends when the service has been silent for 30 s. */
  timeout?: number;
  /** Called while an answer comes in: bytes that are there, and bytes in all where that is known. */
  onBytes?: (received: number, total: number | undefined) => void;
}

/** Finds the service; `again` is true when the address found last no longer answers. */
export type EndpointSource = (again: boolean) => Promise<Endpoint>;

/** One call of the service. */
export interface Call<T> {
  method: "GET" | "POST" | "DELETE";
  /** Below the base address, such as `/jobs`; its parts already encoded. */
  path: string;
  query?: object;
  body?: unknown;
  /** Whether the call may be repeated when it may have arrived: GET and DELETE always may. */
  repeatable?: boolean;
  /** Reads the answer's `data`. */
  data: Reader<T>;
}

/** An answer: its payload, and the whole of it for what else it holds. */
export interface Answer<T> {
  data: T;
  whole: Record<string, unknown>;
}

/** Speaks to one service. */
export type Transport = <T>(call: Call<T>, options?: CallOptions) => Promise<Answer<T>>;

const tries = 4;
const maxResponseSize = 512 * 1024 * 1024;
const silence = 30_000;
const timeouts = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
const notSent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/**
 * Opens a transport with connections that are kept alive. What is safe to repeat is tried up to four times, with
 * growing pauses; a submission only when it surely did not arrive.
 */
export function openTransport(source: EndpointSource): Transport {
  const dispatcher = new Agent({
    connections: 32,
    maxResponseSize,
    connect: { timeout: 10_000 },
    headersTimeout: silence,
    bodyTimeout: silence,
  });

  async function once<T>(endpoint: Endpoint, call: Call<T>, options: CallOptions): Promise<Answer<T>> {
    const signal = signalOf(options);
    const answer = await request(urlOf(endpoint, call), {
      dispatcher,
      method: call.method,
      headers: {
        "x-api-key": endpoint.apiKey,
        accept: "application/json",
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: call.body === undefined ? null : JSON.stringify(call.body),
      ...(signal ? { signal } : {}),
    });
    const length = Number(answer.headers["content-length"]) || undefined;
    const text = options.onBytes ? heardText(answer.body, length, options.onBytes) : answer.body.text();
    return readAnswer(answer.statusCode, answer.headers, await text, call.data);
  }

  return async (call, options = {}) => {
    for (let attempt = 1; ; attempt += 1) {
      const endpoint = await source(attempt > 1);
      try {
        return await once(endpoint, call, options);
      } catch (error) {
        options.signal?.throwIfAborted();
        const pause = attempt < tries ? pauseBefore(error, call, attempt) : undefined;
        if (pause === undefined) throw explain(error, call, endpoint);
        await sleep(pause, undefined, options.signal ? { signal: options.signal } : {});
      }
    }
  };
}

/** Reads a text, telling how much of it is there after each piece. */
async function heardText(
  body: AsyncIterable<Uint8Array>,
  length: number | undefined,
  onBytes: NonNullable<CallOptions["onBytes"]>,
): Promise<string> {
  const pieces: Uint8Array[] = [];
  let received = 0;
  for await (const piece of body) {
    pieces.push(piece);
    received += piece.length;
    onBytes(received, length);
  }
  return Buffer.concat(pieces, received).toString("utf8");
}

function signalOf({ signal, timeout }: CallOptions): AbortSignal | undefined {
  if (timeout === undefined) return signal;
  return AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(timeout)]);
}

function urlOf(endpoint: Endpoint, call: Call<unknown>): URL {
  const url = new URL(endpoint.url.replace(/\/*$/, call.path));
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value === undefined || value === null) continue;
    url.searchParams.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return url;
}

/** Makes calls whose whole answer is their payload. */
export function payload(send: Transport) {
  return async <T>(
    method: Call<T>["method"],
    path: string,
    data: Reader<T>,
    { signal, timeout, onBytes, ...call }: CallOptions & Partial<Call<T>> = {},
  ): Promise<T> => {
    const options = {
      ...(signal ? { signal } : {}),
      ...(timeout ? { timeout } : {}),
      ...(onBytes ? { onBytes } : {}),
    };
    return (await send({ method, path, data, ...call }, options)).data;
  };
}

/** Milliseconds to wait before the call is repeated; `undefined` when it must not be. */
function pauseBefore(error: unknown, call: Call<unknown>, attempt: number): number | undefined {
  const jittered = 100 * 2 ** attempt * (0.5 + Math.random());
  const safe = call.method !== "POST" || call.repeatable;
  const { code, status, retryAfter } = error as {
    code?: string;
    status?: number;
    retryAfter?: number | null;
  };
  if (error instanceof KetbookError) {
    const busy = status === 503 || code === "RATE_LIMITED" || (safe && (status ?? 0) >= 502);
    if (!busy || (retryAfter ?? 0) > 20) return undefined;
    return Math.max(jittered, (retryAfter ?? 0) * 1000);
  }
  return safe || notSent.has(code ?? "") ? jittered : undefined;
}

function explain(error: unknown, call: Call<unknown>, endpoint: Endpoint): Error {
  if (error instanceof KetbookError) return error;
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  const what = `${call.method} ${call.path} at ${new URL(endpoint.url).origin}`;
  if (name === "TimeoutError" || timeouts.has(code ?? "")) {
    return new TimeoutError(`${what} was not answered in time.`, { cause: error });
  }
  const why = notSent.has(code ?? "")
    ? `nothing answers there (${code})`
    : (code ?? message ?? "the connection broke");
  const hint = "Is the address right, and is the network up?";
  return new ConnectionError(`${what} failed: ${why}. ${hint}`, { cause: error });
}
