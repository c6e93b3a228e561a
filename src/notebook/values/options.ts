import { KetbookError } from "../../client/errors.ts";
import { checkOptions, type OptionCheck } from "../../contract/options.ts";

/**
 * Checks what a helper was given: that there are such options, and that they can have such values.
 *
 * @param helper - What an error names, such as `devices`.
 * @throws KetbookError that names the option.
 */
export function checkGiven<Options extends object>(
  helper: string,
  given: Options | undefined,
  checks: Readonly<Record<keyof Options & string, OptionCheck>>,
): void {
  try {
    checkOptions(given, checks);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new KetbookError(`${helper}: ${cause.message}`, { cause });
  }
}

/** A moment that `new Date` reads. */
export const moment: OptionCheck = value =>
  Number.isNaN(new Date(value as string).getTime()) ? 'a date, such as "2026-11-21"' : undefined;
