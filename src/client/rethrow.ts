import { KetbookError } from "./errors.ts";

/** Rethrows a `RangeError` as a `KetbookError` whose message begins with what was called. */
export function rethrowAsKetbookError<T>(called: string, compute: () => T): T {
  try {
    return compute();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new KetbookError(`${called}: ${cause.message}`, { cause });
  }
}
