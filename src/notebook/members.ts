import { KetbookError } from "../client/errors.ts";

/**
 * Refuses members of an object that nobody reads, with the name that was probably meant.
 *
 * @throws KetbookError that names the member.
 */
export function checkMembers(what: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    throw new KetbookError(
      `${what} has no ${JSON.stringify(name.slice(0, 40))}. There is ${known.join(", ")}.`,
    );
  }
}
