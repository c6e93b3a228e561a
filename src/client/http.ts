export interface HttpRequest {
  url: URL;
  method: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string | null;
  signal: AbortSignal | undefined;
  /** Milliseconds without a byte of the answer after which it is given up; 0 if only `signal` ends it. */
  idleTimeout: number;
}

export const IDLE_TIMEOUT_MS = 30_000;

/** Response of a server. A redirect is a response like any other. */
export interface HttpResponse {
  status: number;
  /** A header's value by its name in lower case; null where it is missing. */
  header(name: string): string | null;
  /** Reads the whole body, once. `isLate` is asked with each piece, whether to give it up. */
  text(isLate: () => boolean, onBytes?: OnBytes): Promise<string>;
}

export type Sender = (request: HttpRequest) => Promise<HttpResponse>;

/** Called with the bytes received so far, and with the bytes in all where that is known. */
type OnBytes = (received: number, total: number | undefined) => void;

/** Maximum bytes of a response: 512 MiB, or V8's longest string if that is shorter. */
export const MAX_RESPONSE_BYTES = 512 * 1024 * 1024 - 64;

export class ResponseTooLargeError extends Error {
  override name = "ResponseTooLargeError";
}

/** Maximum time of a response for which a call sets no limit, in milliseconds. */
export const MAX_RESPONSE_MS = 600_000;

export class ResponseTooSlowError extends Error {
  override name = "ResponseTooSlowError";
}

/** A proxy could not be reached, or refused a request. */
export class ProxyError extends Error {
  override name = "ProxyError";
  /** Address of the proxy, without user and password. */
  readonly proxy: string;

  constructor(proxy: string, cause: Error) {
    super(cause.message, { cause });
    this.proxy = proxy;
  }
}

function declaredLength(header: HttpResponse["header"]): number | undefined {
  if (header("content-encoding")) return undefined;
  const length = Number(header("content-length") ?? Number.NaN);
  if (length > MAX_RESPONSE_BYTES) throw new ResponseTooLargeError();
  return Number.isNaN(length) ? undefined : length;
}

/** Reads a body piece by piece, and gives up when it grows too large, or is late. */
export async function readText(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  header: HttpResponse["header"],
  isLate: () => boolean,
  onBytes: OnBytes = () => {},
  maxBytes = MAX_RESPONSE_BYTES,
): Promise<string> {
  const total = declaredLength(header);
  const decoder = new TextDecoder();
  let received = 0;
  let text = "";
  for await (const chunk of body) {
    received += chunk.length;
    if (received > maxBytes) throw new ResponseTooLargeError();
    if (isLate()) throw new ResponseTooSlowError();
    text += decoder.decode(chunk, { stream: true });
    onBytes(received, total);
  }
  return text + decoder.decode();
}
