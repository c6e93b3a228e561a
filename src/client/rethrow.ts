import { KetbookError } from "./errors.ts";

/** Turns the complaints of the mathematics into errors of the library, with what was asked in front. */
export function rethrowAsKetbookError<T>(question: string, compute: () => T): T {
  try {
    return compute();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new KetbookError(`${question}: ${cause.message}`, { cause });
  }
}
