import { VERSION } from "../version.ts";
import { KetbookError } from "./errors.ts";
import type { HttpRequest } from "./http.ts";
import type { CallOptions, ClientOptions, Endpoint } from "./options.ts";
import type { Call } from "./transport.ts";

const IDLE_TIMEOUT_MS = 30_000;

/** Writes one attempt of a call as an HTTP request. */
export function requestOf(
  endpoint: Endpoint,
  { method, path, query, body }: Call<unknown>,
  idempotencyKey: string | null,
  { headers, userAgent = defaultUserAgent, timeout: clientTimeout }: ClientOptions,
  { signal, timeout = clientTimeout, headers: callHeaders }: CallOptions,
): HttpRequest {
  const deadline = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  return {
    url: urlOf(endpoint, path, query),
    method,
    headers: {
      accept: "application/json",
      "user-agent": userAgent,
      ...lowerCased(headers),
      ...lowerCased(callHeaders),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(idempotencyKey !== null && { "idempotency-key": idempotencyKey }),
      "x-api-key": checkedKey(endpoint),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal && deadline ? AbortSignal.any([signal, deadline]) : (signal ?? deadline),
    idleTimeout: timeout ?? IDLE_TIMEOUT_MS,
  };
}

const node = globalThis.process?.versions?.node;
const defaultUserAgent = `ketbook/${VERSION}${node ? ` node/${node}` : ""}`;

const lowerCased = (headers: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function urlOf({ url: base }: Endpoint, path: string, query: object = {}): string {
  if (!/^https?:/i.test(base) || !URL.canParse(base)) {
    throw new KetbookError(`${JSON.stringify(base)} is not an http(s) address of a service.`);
  }
  const url = new URL(base.replace(/\/*$/, path));
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    url.searchParams.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return url.href;
}

/** What sends a header that is not one may repeat it in its error: the key is looked at before. */
function checkedKey({ apiKey }: Endpoint): string {
  if (/^[\x20-\x7e]*$/.test(apiKey)) return apiKey;
  throw new KetbookError(
    "The API key holds characters that no key has, such as a line break. Copy it again.",
  );
}
