import type { Reader } from "../contract/reader.ts";
import { type Answer, readAnswer } from "./answer.ts";
import { checkCallOptions } from "./call-options.ts";
import { ApiError } from "./errors.ts";
import { type About, neverArrived, toRequestError } from "./failure.ts";
import { fetchSender } from "./fetch-sender.ts";
import type { HttpRequest, Sender } from "./http.ts";
import type { CallOptions, ClientOptions, EndpointSource } from "./options.ts";
import { noteFirstContact } from "./outage.ts";
import { createPacer } from "./pacer.ts";
import { requestWriter } from "./request.ts";
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
export type Transport = <T>(call: Call<T>, options?: CallOptions) => Promise<Answer<T>>;

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

  async function exchange<T>(
    call: Call<T>,
    request: HttpRequest,
    onBytes: CallOptions["onBytes"],
    about: About,
  ) {
    opening ??= openSender(options);
    sender ??= await opening;
    const send = async () => {
      const response = await sender!(request);
      return { response, text: await response.text(onBytes) };
    };
    const { response, text } = await send().catch(problem => {
      const failure = toRequestError(problem, call, request, about);
      if (!hasAnswered) noteFirstContact(failure);
      throw failure;
    });
    hasAnswered = true;
    return readAnswer(response, text, call.data, about, request.headers["x-api-key"]);
  }

  return async (call, callOptions = {}) => {
    checkCallOptions(callOptions);
    const { signal, onBytes } = callOptions;
    const idempotencyKey = callOptions.idempotencyKey ?? (call.submits ? crypto.randomUUID() : null);
    const about: About = { jobQrn: call.jobQrn, idempotencyKey };
    let failures = 0;
    let isUnreachable = false;
    let mayHaveArrived = false;
    let limitedSince: number | undefined;
    while (true) {
      signal?.throwIfAborted();
      const endpoint = await source(isUnreachable);
      const place = pacer.admit(signal);
      if (place) await place;
      signal?.throwIfAborted();
      const sentAt = timing.now();
      try {
        const request = writeRequest(endpoint, call, idempotencyKey, callOptions);
        const answer = await exchange(call, request, onBytes, about);
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
          if (recovered !== undefined) return { data: recovered, whole: {} };
        }
        failures += 1;
        const delay = failures > maxRetries ? undefined : retryDelay(error, failures, timing);
        if (delay === undefined) throw error;
        isUnreachable = !(error instanceof ApiError);
        mayHaveArrived ||= !neverArrived(error);
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

/** Makes calls whose whole answer is their payload. */
export function payload(send: Transport) {
  return async <T>(call: Call<T>, options?: CallOptions): Promise<T> => (await send(call, options)).data;
}
