import { LIMITS, RUN_TAG } from "../contract/index.ts";
import { VERSION } from "../version.ts";
import {
  ApiError,
  ConnectionError,
  KetbookError,
  redact,
  ServiceError,
  TimeoutError,
} from "./errors/index.ts";
import {
  type HttpRequest,
  IDLE_TIMEOUT_MS,
  MAX_RESPONSE_BYTES,
  MAX_RESPONSE_MS,
  ProxyError,
  ResponseTooLargeError,
  ResponseTooSlowError,
} from "./http.ts";
import type { CallOptions, ClientOptions, Endpoint } from "./options.ts";
import { causeCode, isCertificateProblem, isTransient } from "./retry.ts";
import type { Call } from "./transport.ts";

export function requestWriter(client: ClientOptions) {
  const headers = {
    accept: "application/json",
    "user-agent": client.userAgent ?? defaultUserAgent(),
    ...lowerCased(client.headers),
  };
  return (
    endpoint: Endpoint,
    { method, path, query, body: given, submits }: Call<unknown>,
    idempotencyKey: string | null,
    options: CallOptions,
  ): HttpRequest => {
    const body = submits ? tagged(given as object, idempotencyKey) : given;
    return {
      url: urlOf(endpoint, path, query),
      method,
      headers: checked({
        ...headers,
        ...lowerCased(options.headers),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(idempotencyKey !== null && { "idempotency-key": idempotencyKey }),
        "x-api-key": endpoint.apiKey,
      }),
      body: body === undefined ? null : JSON.stringify(body),
      signal: options.signal,
      // Timers of undici may fire half a second early, so they do not compete with the deadline of a call.
      idleTimeout: options.timeout === undefined ? IDLE_TIMEOUT_MS : 0,
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

/** Checks headers first, since senders' errors about them look like outages and may repeat the key. */
function checked(headers: Record<string, string>) {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      throw new KetbookError(`${JSON.stringify(name)} is not a header name. Use one such as "x-team".`);
    const isKey = name === "x-api-key";
    if ((isKey ? /^[\x20-\x7e]*$/ : /^[\t\x20-\x7e\x80-\xff]*$/).test(value)) continue;
    const what = isKey ? "The API key (header x-api-key)" : `The header ${name}`;
    const found = "invalid characters, such as a line break or a typographic dash";
    throw new KetbookError(`${what} contains ${found}. Copy or type it again.`);
  }
  return headers;
}

export interface ErrorContext {
  jobQrn: string | undefined;
  idempotencyKey: string | null;
  /** Whether the service makes a submission once per key. */
  keepsKeys: boolean;
}

const timeoutCodes = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
const unreachableCodes = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const closed = "the connection was closed before the answer was there";
/** Codes of failures that say nothing to a reader, in words. */
const plainWords: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: closed,
  ECONNRESET: closed,
  EPIPE: closed,
};

/**
 * Whether a failed call may still have been carried out. Only a refusal with its own status rules that out:
 * not an answer that cannot be read, `success: false` under 201, a redirect, or a balancer's 503 with `Retry-After`.
 */
export function mayHaveActed(error: unknown): boolean {
  if (!(error instanceof ApiError)) return isTransient(error) && !unreachableCodes.has(causeCode(error));
  const { status } = error;
  return status < 400 || status === 408 || (status >= 500 && status !== 501);
}

/** Returns the error of a request that was not answered; what is a KetbookError already stays. */
export function toRequestError(
  problem: unknown,
  { method, path, submits }: Call<unknown>,
  { url, headers }: HttpRequest,
  context: ErrorContext,
): KetbookError {
  if (problem instanceof KetbookError) return problem;
  const { name = "", message = "the connection broke" } = (problem ?? {}) as Partial<Error>;
  const code = causeCode(problem);
  const redacted = redact(message, headers["x-api-key"] ?? "");
  const options = { ...context, ...(redacted === message && { cause: problem }) };
  const what = `${method} ${path} at ${url.origin}`;
  const refuse = (code: "ANSWER_TOO_LARGE" | "ANSWER_TOO_SLOW", why: string) => {
    const body = { status: 200, code, details: [], requestId: null, retryAfter: null };
    return new ServiceError(`The answer to ${what} ${why}.`, body, options);
  };
  if (problem instanceof ResponseTooLargeError || code === "UND_ERR_RES_EXCEEDED_MAX_SIZE")
    return refuse("ANSWER_TOO_LARGE", `is larger than ${Math.ceil(MAX_RESPONSE_BYTES / 2 ** 20)} MiB`);
  if (problem instanceof ResponseTooSlowError)
    return refuse(
      "ANSWER_TOO_SLOW",
      `was not complete after ${MAX_RESPONSE_MS / 60_000} minutes. Set a longer timeout if the service is only slow`,
    );
  const isUnreachable = unreachableCodes.has(code);
  const retryHint =
    submits && context.keepsKeys && !isUnreachable
      ? ` It may have arrived. Resubmitting with the idempotency key ${context.idempotencyKey} makes no duplicate.`
      : "";
  if (name === "TimeoutError" || timeoutCodes.has(code)) {
    return new TimeoutError(`${what} was not answered in time.${retryHint}`, options);
  }
  if (problem instanceof ProxyError) {
    const { proxy } = problem;
    const why = isUnreachable ? `does not answer (${code})` : `refused the request (${redacted})`;
    const hint = "Is its address right, with a user and password where it asks for them?";
    return new ConnectionError(`${what} failed: the proxy ${proxy} ${why}. ${hint}`, options);
  }
  const plain = plainWords[code] ?? (code.startsWith("UND_ERR_") ? redacted : code || redacted);
  const why = isUnreachable ? `nothing answers there (${code})` : plain;
  return new ConnectionError(`${what} failed: ${why}. ${hintFor(code)}${retryHint}`, options);
}

function hintFor(code: string): string {
  if (code.startsWith("ERR_SSL_")) return "Is it http:// rather than https://?";
  return isCertificateProblem(code)
    ? "Its certificate is not trusted here: NODE_EXTRA_CA_CERTS can name a file of further authorities."
    : "Is the address right, and is the network up?";
}
