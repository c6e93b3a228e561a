import {
  abortSignal,
  aFunction,
  checkOptions,
  must,
  type OptionCheck,
  stringValue,
} from "../contract/index.ts";
import { rethrowAsKetbookError } from "./errors/index.ts";
import type { Fetch } from "./fetch-sender.ts";

/** Address of a service, and the key for it. */
export interface Endpoint {
  /** Base address of version 2, ending in `/api/v1`. */
  url: string;
  apiKey: string;
}

/** Finds the service; `refresh` is true when the address found last no longer answers. */
export type EndpointSource = (refresh: boolean) => Promise<Endpoint>;

/** Options of a client's requests. */
export interface ClientOptions {
  /**
   * Sends each request in place of the default, which is undici with connections that are kept alive. It is called
   * with the address as a string, and with `redirect: "manual"`.
   */
  fetch?: Fetch;
  /** Headers that every request carries besides its own. Default: none. */
  headers?: Record<string, string>;
  /**
   * Milliseconds that a call may take, its retries and pauses included. Default: no limit, but an attempt ends once the
   * service has been silent for 30 s, or after 10 minutes.
   */
  timeout?: number;
  /**
   * Number of times that a call is repeated after an outage (5xx, a broken connection, an answer that cannot be read), with
   * growing pauses; 0 repeats nothing. Default: 4. A submission is repeated only to a service that says that it keeps
   * idempotency keys, or after a connection that was never accepted. Waiting for a rate limit (429) does not count: it ends with an
   * error when the service has let nothing through for 2 minutes, or refuses the call for 10. A service that asks for
   * a pause of more than 60 s is not waited for.
   */
  maxRetries?: number;
  /**
   * Address of the proxy that every request goes through, or false for none. Default: what `HTTP_PROXY`,
   * `HTTPS_PROXY` and `NO_PROXY` say, in upper or lower case; never for addresses of this computer. A custom
   * `fetch` must handle its own proxy.
   */
  proxy?: string | false;
  /** The `User-Agent` header. Default: `ketbook/<version> node/<version>`. */
  userAgent?: string;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call when it aborts; a call whose signal has aborted already sends nothing. */
  signal?: AbortSignal;
  /** Milliseconds that the call may take, its retries and pauses included. Default: the client's `timeout`. */
  timeout?: number;
  /** Headers of this call; they replace those of the client that have the same names. */
  headers?: Record<string, string>;
  /**
   * Identifies a submission: a service that keeps idempotency keys makes it once, however often it is sent. It is also
   * the submission's tag `ketbook-run`. Default for submissions: a random UUID.
   */
  idempotencyKey?: string;
  /** Called while an answer arrives: bytes so far, and total bytes if known. */
  onBytes?: (received: number, total: number | undefined) => void;
}

const checks: Record<keyof CallOptions, OptionCheck> = {
  signal: abortSignal,
  timeout: must("milliseconds, above 0", value => typeof value === "number" && value > 0),
  headers: must("an object of strings", value => typeof value === "object" && value !== null),
  idempotencyKey: stringValue,
  onBytes: aFunction,
};

/**
 * Checks the options of one call.
 *
 * @throws KetbookError that names an option that there is not, or that can't have its value.
 */
export function checkCallOptions(options: CallOptions): void {
  rethrowAsKetbookError("Options of a call", () => checkOptions(options, checks));
}
