import { LIMITS } from "../contract/limits.ts";
import { RUN_TAG } from "../contract/submission.ts";
import { VERSION } from "../version.ts";
import { KetbookError } from "./errors.ts";
import type { HttpRequest } from "./http.ts";
import type { CallOptions, ClientOptions, Endpoint } from "./options.ts";
import type { Call } from "./transport.ts";

/** Writes one attempt of a call as an HTTP request. */
export type RequestWriter = (
  endpoint: Endpoint,
  call: Call<unknown>,
  idempotencyKey: string | null,
  options: CallOptions,
) => HttpRequest;

/** Makes the writer of a client's requests. */
export function requestWriter(client: ClientOptions): RequestWriter {
  const headers = {
    accept: "application/json",
    "user-agent": client.userAgent ?? defaultUserAgent(),
    ...lowerCased(client.headers),
  };
  return (endpoint, { method, path, query, body: given, submits }, idempotencyKey, options) => {
    const body = submits ? tagged(given as object, idempotencyKey) : given;
    return {
      url: urlOf(endpoint, path, query),
      method,
      headers: {
        ...headers,
        ...lowerCased(options.headers),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(idempotencyKey !== null && { "idempotency-key": idempotencyKey }),
        "x-api-key": checkedKey(endpoint),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: options.signal,
      idleTimeout: options.timeout,
    };
  };
}

/** A submission with a tag by which its job or group is found when the answer is lost, if there is room for one more. */
const tagged = (body: { tags?: object }, run: string | null) =>
  Object.keys(body.tags ?? {}).length < LIMITS.maxTags
    ? { ...body, tags: { ...body.tags, [RUN_TAG]: run } }
    : body;

function defaultUserAgent(): string {
  const node = globalThis.process?.versions?.node;
  return `ketbook/${VERSION}${node ? ` node/${node}` : ""}`;
}

const lowerCased = (headers: Record<string, string> | undefined) =>
  headers && Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function urlOf({ url: base }: Endpoint, path: string, query: object | undefined): URL {
  const written = Object.entries(query ?? {}).flatMap(([name, value]) => {
    if (value === undefined || value === null) return [];
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    return `${encodeURIComponent(name)}=${encodeURIComponent(text.toWellFormed())}`;
  });
  const address = base.replace(/\/*$/, path) + (written.length > 0 ? `?${written.join("&")}` : "");
  const url = /^https?:\/\/[^/]/i.test(base) ? URL.parse(address) : null;
  if (url) return url;
  throw new KetbookError(`${JSON.stringify(base)} is not an http(s) address of a service.`);
}

/** Node's error for an invalid header may repeat its value, so the key is checked first. */
function checkedKey({ apiKey }: Endpoint): string {
  if (/^[\x20-\x7e]*$/.test(apiKey)) return apiKey;
  throw new KetbookError("The API key contains invalid characters, such as a line break. Copy it again.");
}
