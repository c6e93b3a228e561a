import { checkOptions, type OptionCheck, text } from "../contract/options.ts";
import { KetbookError } from "./errors.ts";
import type { CallOptions } from "./options.ts";

const must =
  (wanted: string, is: (value: unknown) => boolean): OptionCheck =>
  value =>
    is(value) ? undefined : wanted;

const checks: Record<keyof CallOptions, OptionCheck> = {
  signal: must("an AbortSignal", value => value instanceof AbortSignal),
  timeout: must("milliseconds, above 0", value => typeof value === "number" && value > 0),
  headers: must("an object of strings", value => typeof value === "object" && value !== null),
  idempotencyKey: text,
  onBytes: must("a function", value => typeof value === "function"),
};

/**
 * Checks what a caller says about one call.
 *
 * @throws KetbookError that names an option that there is not, or that can't have its value.
 */
export function checkCallOptions(options: CallOptions): void {
  try {
    checkOptions(options, checks);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new KetbookError(`Options of a call: ${cause.message}`, { cause });
  }
}
