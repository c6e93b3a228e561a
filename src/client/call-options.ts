import {
  abortSignal,
  aFunction,
  checkOptions,
  must,
  type OptionCheck,
  stringValue,
} from "../contract/options.ts";
import type { CallOptions } from "./options.ts";
import { rethrowAsKetbookError } from "./rethrow.ts";

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
