import { KEEPS_KEYS } from "../contract/submission.ts";
import { type ApiError, LostSubmissionError, type RequestErrorOptions } from "./errors.ts";
import type { HttpResponse } from "./http.ts";
import type { CallOptions } from "./options.ts";
import { isTransient } from "./retry.ts";
import type { Timing } from "./timing.ts";
import type { Call } from "./transport.ts";

/** Call whose answer was lost. */
export interface LostAnswer {
  options: Pick<CallOptions, "signal" | "headers">;
  idempotencyKey: string | null;
  /** The service's refusal of a repetition. */
  refusal?: ApiError;
}

/** Pauses between looks for what a submission made, in milliseconds. */
const PAUSES_MS = [500, 1000, 2000, 4000, 8000];

/** Submissions of one client whose outcome is unknown, and services that recognize a repetition. */
export class Submissions {
  readonly #timing: Timing;
  readonly #keepers = new Set<string>();
  readonly #unsettled = new Map<string, Date>();

  constructor(timing: Timing) {
    this.#timing = timing;
  }

  /** Notes whether the service at an address has said that it keeps idempotency keys. */
  noteAnswer(url: string, response: HttpResponse): void {
    if (response.header(KEEPS_KEYS.header) === KEEPS_KEYS.value) this.#keepers.add(url);
  }

  /** Whether the service at an address makes a submission once per key. */
  areKeptBy(url: string): boolean {
    return this.#keepers.has(url);
  }

  /** Whether a submission was sent with this key and its outcome is unknown. */
  isUnsettled(key: string | null): boolean {
    return key !== null && this.#unsettled.has(key);
  }

  /** Notes that a submission is sent. */
  begin(key: string): void {
    if (!this.#unsettled.has(key)) this.#unsettled.set(key, new Date());
  }

  /** Notes that the outcome of a submission is known. */
  settle(key: string | null): void {
    this.#unsettled.delete(key ?? "");
  }

  /**
   * Looks for what a lost submission made, until the service should list it. Returns undefined when the service turns
   * out to keep keys, so the submission can be repeated.
   *
   * @throws LostSubmissionError if nothing is found.
   */
  async find<T>(call: Call<T>, url: string, lost: LostAnswer, cause: unknown): Promise<T | undefined> {
    const { signal } = lost.options;
    let looked = false;
    for (const pause of [0, ...PAUSES_MS]) {
      await this.#timing.sleep(pause, signal);
      try {
        const found = await call.recover?.(lost);
        if (found !== undefined) return found;
        looked = true;
      } catch (error) {
        signal?.throwIfAborted();
        looked = !isTransient(error);
      }
      if (this.areKeptBy(url)) return undefined;
    }
    throw this.lostError(call, { idempotencyKey: lost.idempotencyKey, cause }, looked);
  }

  /** Returns the error of a submission whose outcome is unknown. */
  lostError(call: Call<unknown>, options: RequestErrorOptions, looked = false): LostSubmissionError {
    const { name } = call.body as { name?: string | null };
    const submittedAt = this.#unsettled.get(options.idempotencyKey ?? "") ?? new Date();
    const request = `${call.method} ${call.path}`;
    return new LostSubmissionError({ request, name: name ?? null, submittedAt, looked }, options);
  }
}
