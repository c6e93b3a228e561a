import { rethrowAsKetbookError } from "../../client/rethrow.ts";
import { checkOptions, must, type OptionCheck } from "../../contract/options.ts";

/**
 * Checks what a helper was given: that there are such options, and that they can have such values.
 *
 * @param helper - What an error names, such as `devices`.
 * @throws KetbookError that names the option.
 */
export function checkHelperOptions<Options extends object>(
  helper: string,
  given: Options | undefined,
  checks: Readonly<Record<keyof Options & string, OptionCheck>>,
): void {
  rethrowAsKetbookError(helper, () => checkOptions(given, checks));
}

/** A moment that `new Date` reads. */
export const moment = must(
  'a date, such as "2026-11-21"',
  value => !Number.isNaN(new Date(value as string).getTime()),
);
