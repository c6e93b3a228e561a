import { KEEPS_KEYS } from "../contract/index.ts";
import {
  type ApiError,
  type LostSubmission,
  LostSubmissionError,
  type RequestErrorOptions,
} from "./errors/index.ts";
import type { HttpResponse } from "./http.ts";
import type { CallOptions } from "./options.ts";
import { isTransient } from "./retry.ts";
import type { Timing } from "./timing.ts";
import type { Call } from "./transport.ts";

export interface LostAnswer {
  options: Pick<CallOptions, "signal" | "headers">;
  idempotencyKey: string | null;
  /** The service's refusal of a repetition. */
  refusal?: ApiError;
}

/** Pauses between searches for a submission's job, in milliseconds. */
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

  begin(key: string): void {
    if (!this.#unsettled.has(key)) this.#unsettled.set(key, new Date());
  }

  settle(key: string | null): void {
    this.#unsettled.delete(key ?? "");
  }

  /**
   * Looks for the job of a lost submission, until the service should list it: at once if it keeps keys. Returns undefined
   * when the submission can be repeated, because the service turns out to keep keys.
   *
   * @throws LostSubmissionError if nothing is found.
   */
  async find<T>(
    call: Call<T>,
    url: string,
    lost: LostAnswer,
    { cause, canRepeat }: { cause: unknown; canRepeat: boolean },
  ): Promise<T | undefined> {
    const { signal } = lost.options;
    let lookFailure: unknown;
    for (const pause of this.areKeptBy(url) ? [0] : [0, ...PAUSES_MS]) {
      await this.#timing.sleep(pause, signal);
      try {
        const found = await call.recover?.(lost);
        if (found !== undefined) return found;
        lookFailure = undefined;
      } catch (error) {
        signal?.throwIfAborted();
        lookFailure = error;
        if (!isTransient(error)) break;
      }
      if (canRepeat && this.areKeptBy(url)) return undefined;
    }
    const options = { idempotencyKey: lost.idempotencyKey, cause };
    throw this.lostError(call, url, options, { looked: lookFailure === undefined, lookFailure });
  }

  lostError(
    call: Call<unknown>,
    url: string,
    options: RequestErrorOptions,
    look: Pick<LostSubmission, "looked" | "lookFailure"> = { looked: false },
  ): LostSubmissionError {
    const { name = null } = call.body as { name?: string | null };
    const submittedAt = this.#unsettled.get(options.idempotencyKey ?? "") ?? new Date();
    const request = `${call.method} ${call.path}`;
    const keepsKeys = this.areKeptBy(url);
    return new LostSubmissionError({ request, name, submittedAt, keepsKeys, ...look }, options);
  }
}
