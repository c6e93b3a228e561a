import type { Reader } from "../contract/reader.ts";
import { checkCallOptions } from "./call-options.ts";
import { ApiError } from "./errors.ts";
import { fetchSender } from "./fetch-sender.ts";
import type { HttpRequest, Sender } from "./http.ts";
import type { CallOptions, ClientOptions, EndpointSource } from "./options.ts";
import { markInitialFailure } from "./outage.ts";
import { createPacer } from "./pacer.ts";
import { requestWriter } from "./request.ts";
import { type ErrorContext, neverReachedService, toRequestError } from "./request-error.ts";
import { type ParsedResponse, parseResponse } from "./response.ts";
import { isRateLimit, retryDelay } from "./retry.ts";
import { systemTiming, type Timing } from "./timing.ts";

/** One call of the service. It may be repeated: submissions carry a key that makes them once. */
export interface Call<T> {
  method: "GET" | "POST" | "DELETE";
  /** Below the base address, such as `/jobs`; its parts already encoded. */
  path: string;
  query?: object;
  body?: unknown;
  /** Whether the call makes something, and so carries an idempotency key. */
  submits?: boolean;
  /** The job that the call is about. */
  jobQrn?: string;
  /** Reads the answer's `data`. */
  data: Reader<T>;
  /**
   * Called when the service refuses a repetition after an answer was lost: what the lost answer must have said, or
   * undefined when the refusal stands.
   */
  recover?(refusal: ApiError): Promise<T | undefined> | T | undefined;
  /** Called with the answer to a repetition after an answer was lost: returns what both of them did. */
  reconcile?(data: T): Promise<T>;
}

/** Speaks to one service. */
export type Transport = <T>(call: Call<T>, options?: CallOptions) => Promise<ParsedResponse<T>>;

const DEFAULT_MAX_RETRIES = 4;
/** How long a call waits for a rate limit: while the service lets nothing through at all, and in all. */
const MAX_STALLED_MS = 120_000;
const MAX_LIMITED_MS = 600_000;

/** Opens a transport. Nothing is looked for, loaded or sent before the first call. */
export function openTransport(
  source: EndpointSource,
  options: ClientOptions = {},
  timing: Timing = systemTiming,
): Transport {
  const { maxRetries = DEFAULT_MAX_RETRIES } = options;
  const writeRequest = requestWriter(options);
  const pacer = createPacer(timing);
  let opening: Promise<Sender> | undefined;
  let sender: Sender | undefined;
  let hasAnswered = false;
  const fail = (failure: object): never => {
    if (!hasAnswered) markInitialFailure(failure);
    throw failure;
  };

  async function exchange<T>(
    call: Call<T>,
    request: HttpRequest,
    onBytes: CallOptions["onBytes"],
    context: ErrorContext,
  ) {
    opening ??= openSender(options);
    sender ??= await opening;
    const send = async () => {
      const response = await sender!(request);
      return { response, text: await response.text(onBytes) };
    };
    const { response, text } = await send().catch(problem =>
      fail(toRequestError(problem, call, request, context)),
    );
    hasAnswered = true;
    return parseResponse(response, text, call.data, context, request.headers["x-api-key"]);
  }

  return async (call, callOptions = {}) => {
    checkCallOptions(callOptions);
    const { signal, onBytes } = callOptions;
    const idempotencyKey = callOptions.idempotencyKey ?? (call.submits ? crypto.randomUUID() : null);
    const context: ErrorContext = { jobQrn: call.jobQrn, idempotencyKey };
    let failures = 0;
    let isUnreachable = false;
    let mayHaveArrived = false;
    let limitedSince: number | undefined;
    while (true) {
      signal?.throwIfAborted();
      const endpoint = await source(isUnreachable).catch(fail);
      const slot = pacer.admit(signal);
      if (slot) await slot;
      signal?.throwIfAborted();
      const sentAt = timing.now();
      try {
        const request = writeRequest(endpoint, call, idempotencyKey, callOptions);
        const answer = await exchange(call, request, onBytes, context);
        pacer.passed(sentAt);
        return mayHaveArrived && call.reconcile
          ? { ...answer, data: await call.reconcile(answer.data) }
          : answer;
      } catch (error) {
        signal?.throwIfAborted();
        if (maxRetries > 0 && isRateLimit(error)) {
          pacer.refused(sentAt, error.retryAfter);
          limitedSince ??= sentAt;
          const waited = timing.now() - limitedSince;
          if (waited > MAX_LIMITED_MS || pacer.stalledFor() > MAX_STALLED_MS) throw error;
          continue;
        }
        if (error instanceof ApiError) {
          pacer.passed(sentAt);
          const recovered = mayHaveArrived ? await call.recover?.(error) : undefined;
          if (recovered !== undefined) return { data: recovered, body: {} };
        }
        failures += 1;
        const delay = failures > maxRetries ? undefined : retryDelay(error, failures, timing);
        if (delay === undefined) throw error;
        isUnreachable = !(error instanceof ApiError);
        mayHaveArrived ||= !neverReachedService(error);
        await timing.sleep(delay, signal);
      }
    }
  };
}

async function openSender({ fetch, proxy }: ClientOptions): Promise<Sender> {
  if (fetch) return fetchSender(fetch);
  const { undiciSender } = await import("./undici-sender.ts");
  return undiciSender(proxy);
}

/** Returns a function that makes a call and resolves to its data. */
export function dataFetcher(send: Transport) {
  return async <T>(call: Call<T>, options?: CallOptions): Promise<T> => (await send(call, options)).data;
}
