import type { Reader } from "../contract/index.ts";
import { ApiError, KetbookError, RequestError, TimeoutError } from "./errors/index.ts";
import { fetchSender } from "./fetch-sender.ts";
import { MAX_RESPONSE_MS, type Sender } from "./http.ts";
import {
  type CallOptions,
  type ClientOptions,
  checkCallOptions,
  type Endpoint,
  type EndpointSource,
} from "./options.ts";
import { createPacer } from "./pacer.ts";
import { type ErrorContext, mayHaveActed, requestWriter, toRequestError } from "./request.ts";
import { type ParsedResponse, parseResponse } from "./response.ts";
import { isRateLimit, isTransient, lastSeen, markInitialFailure, retryDelay } from "./retry.ts";
import { type LostAnswer, Submissions } from "./submissions.ts";
import { anySignal, deadlineAfter, systemTiming, type Timing } from "./timing.ts";

/** One call of the service. It may be repeated, unless it submits something to a service that may not recognize it. */
export interface Call<T> {
  method: "GET" | "POST" | "DELETE";
  /** Below the base address, such as `/jobs`; its parts already encoded. */
  path: string;
  query?: object;
  body?: unknown;
  /** Whether the call makes something, and so carries an idempotency key and its tag. */
  submits?: boolean;
  jobQrn?: string;
  data: Reader<T>;
  /**
   * Finds out what the call has done after its answer was lost, with the service's refusal of a repetition, if it was
   * repeated. Returns the lost answer if it can be inferred, else undefined.
   */
  recover?(lost: LostAnswer): Promise<T | undefined>;
  /** Called with the answer to a repetition after an answer was lost: returns what both of them did. */
  reconcile?(data: T): Promise<T>;
}

interface About extends Omit<ErrorContext, "keepsKeys"> {
  failure?: unknown;
  /** Address that it was sent to last. */
  url?: string;
}

export type Transport = <T>(call: Call<T>, options?: CallOptions) => Promise<ParsedResponse<T>>;

const DEFAULT_MAX_RETRIES = 4;
/** Maximum wait of a call for rate limits: while nothing is admitted, and in total. */
const MAX_STALLED_MS = 120_000;
const MAX_LIMITED_MS = 600_000;

/** Opens a transport. Nothing is looked for, loaded or sent before the first call. */
export function openTransport(
  source: EndpointSource,
  clientOptions: ClientOptions = {},
  timing: Timing = systemTiming,
): Transport {
  const { maxRetries = DEFAULT_MAX_RETRIES } = clientOptions;
  const writeRequest = requestWriter(clientOptions);
  const pacer = createPacer(timing);
  const submissions = new Submissions(timing);
  let opening: Promise<Sender> | undefined;
  let sender: Sender | undefined;
  let hasAnswered = false;
  const fail = (failure: object): never => {
    if (!hasAnswered) markInitialFailure(failure);
    throw failure;
  };

  async function exchange<T>(call: Call<T>, endpoint: Endpoint, options: CallOptions, about: About) {
    opening ??= openSender(clientOptions);
    sender ??= await opening;
    const context = { ...about, keepsKeys: submissions.areKeptBy(endpoint.url) };
    const startedAt = timing.now();
    const isLate = () => options.timeout === undefined && timing.now() - startedAt > MAX_RESPONSE_MS;
    const request = writeRequest(endpoint, call, about.idempotencyKey, options);
    const send = async () => {
      const response = await sender!(request);
      submissions.noteAnswer(endpoint.url, response);
      return { response, text: await response.text(isLate, options.onBytes) };
    };
    const { response, text } = await send().catch(problem =>
      fail(toRequestError(problem, call, request, context)),
    );
    hasAnswered = true;
    return parseResponse(response, text, call.data, context, request.headers["x-api-key"]);
  }

  /** Makes a call, and repeats it after failures, each of which is noted in `about`. */
  async function attempt<T>(call: Call<T>, options: CallOptions, about: About): Promise<ParsedResponse<T>> {
    const { signal, headers } = options;
    const { idempotencyKey } = about;
    const lost = { idempotencyKey, options: { ...(signal && { signal }), ...(headers && { headers }) } };
    let failures = 0;
    let isUnreachable = false;
    let mayHaveArrived = submissions.isUnsettled(idempotencyKey);
    let limitedSince: number | undefined;
    /** Finds out what a lost answer said; undefined if the call has to be repeated, or its failure stands. */
    const recover = async ({ url }: Endpoint, refusal?: ApiError): Promise<T | undefined> => {
      if (!call.submits)
        return call.recover?.({ ...lost, ...(refusal && { refusal }) }).catch(() => undefined);
      const { failure: cause } = about;
      const canRepeat = failures <= maxRetries;
      if (submissions.areKeptBy(url) && (canRepeat || isTransient(cause))) return undefined;
      return submissions.find(call, url, lost, { cause, canRepeat }).catch(fail);
    };
    while (true) {
      signal?.throwIfAborted();
      const endpoint = await source(isUnreachable).catch(fail);
      about.url = endpoint.url;
      if (mayHaveArrived && !about.failure) {
        const recovered = await recover(endpoint);
        if (recovered !== undefined) return { data: recovered, body: {} };
      }
      const slot = pacer.admit(signal);
      if (slot) await slot;
      signal?.throwIfAborted();
      const sentAt = timing.now();
      if (call.submits) submissions.begin(idempotencyKey!);
      try {
        const answer = await exchange(call, endpoint, options, about);
        pacer.passed(sentAt);
        return mayHaveArrived && call.reconcile
          ? { ...answer, data: await call.reconcile(answer.data) }
          : answer;
      } catch (error) {
        signal?.throwIfAborted();
        about.failure = error;
        const isRepetition = mayHaveArrived;
        mayHaveArrived ||= mayHaveActed(error);
        if (!mayHaveArrived) submissions.settle(idempotencyKey);
        if (maxRetries > 0 && isRateLimit(error)) {
          pacer.refused(sentAt, error.retryAfter);
          limitedSince ??= sentAt;
          const waited = timing.now() - limitedSince;
          if (waited > MAX_LIMITED_MS || pacer.stalledFor() > MAX_STALLED_MS) throw error;
          continue;
        }
        const refusal = error instanceof ApiError ? error : undefined;
        if (refusal) pacer.passed(sentAt);
        failures += 1;
        if (mayHaveArrived) {
          const recovered = await recover(endpoint, isRepetition ? refusal : undefined);
          if (recovered !== undefined) return { data: recovered, body: {} };
        }
        const isKept = call.submits && mayHaveActed(error) && submissions.areKeptBy(endpoint.url);
        const delay = failures > maxRetries ? undefined : retryDelay(error, failures, timing, isKept);
        if (delay === undefined) throw mayHaveArrived ? inDoubt(error, call) : error;
        isUnreachable = !refusal;
        await timing.sleep(delay, signal);
      }
    }
  }

  return async (call, options = {}) => {
    checkCallOptions(options);
    const { timeout = clientOptions.timeout } = options;
    const deadline = deadlineAfter(timeout);
    const signal = anySignal(options.signal, deadline);
    const about: About = {
      jobQrn: call.jobQrn,
      idempotencyKey: options.idempotencyKey ?? (call.submits ? crypto.randomUUID() : null),
    };
    try {
      const answer = await attempt(call, { ...options, timeout, signal }, about);
      submissions.settle(about.idempotencyKey);
      return answer;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!deadline?.aborted || error instanceof RequestError) throw error;
      const { failure: cause, url, ...rest } = about;
      const late = new TimeoutError(
        `${call.method} ${call.path} was not answered within ${timeout} ms${lastSeen(cause)}.`,
        { ...rest, cause },
      );
      if (!submissions.isUnsettled(about.idempotencyKey))
        throw mayHaveActed(late) ? inDoubt(late, call) : late;
      return fail(submissions.lostError(call, url!, { ...rest, cause: late }));
    }
  };
}

const ownCodes =
  /^(?:HTTP_\d+|UNREADABLE_ANSWER|UNEXPECTED_SHAPE|ANSWER_TOO_LARGE|ANSWER_TOO_SLOW|REDIRECT)$/;

/** Adds to the error of a change that it may have been made, unless the service itself says what it did. */
function inDoubt(error: unknown, { method, submits }: Call<unknown>): unknown {
  const isDoubtful = error instanceof ApiError ? ownCodes.test(error.code) : error instanceof RequestError;
  if (method !== "GET" && !submits && isDoubtful)
    (error as RequestError).message +=
      " It may have been carried out all the same: check before you repeat it.";
  return error;
}

async function openSender({ fetch, proxy }: ClientOptions): Promise<Sender> {
  if (fetch) return fetchSender(fetch);
  const { undiciSender } = await import("./undici-sender.ts");
  return undiciSender(proxy);
}

/** Returns a function that makes a call, such as `GET /jobs`, and resolves to its data. */
export function dataFetcher(send: Transport) {
  return async <T>(
    request: `${Call<T>["method"]} /${string}`,
    data: Reader<T>,
    options?: CallOptions,
    more?: Omit<Call<T>, "method" | "path" | "data">,
  ): Promise<T> => {
    const [method, path] = request.split(" ") as [Call<T>["method"], string];
    // An empty name, or one of dots, would reach another address.
    const segments = path.split("/");
    const place = segments.findIndex((name, i) => i > 0 && /^\.{0,2}$/.test(name));
    if (place > 0) {
      const found = segments[place] ? JSON.stringify(segments[place]) : "empty";
      const kind = segments[place - 1]!.replace(/s$/, "");
      throw new KetbookError(`${request}: the qrn is ${found}. Pass the resource name of a ${kind}.`);
    }
    return (await send({ method, path, data, ...more }, options)).data;
  };
}
