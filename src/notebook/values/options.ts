import { KetbookError, rethrowAsKetbookError } from "../../client/index.ts";
import { checkOptions, must, type OptionCheck } from "../../contract/index.ts";

/** Refuses unknown options and wrong values. Throws a `KetbookError` that names the helper and the option. */
export function checkHelperOptions<Options extends object>(
  helper: string,
  given: Options | undefined,
  checks: Readonly<Record<keyof Options & string, OptionCheck>>,
): void {
  rethrowAsKetbookError(helper, () => checkOptions(given, checks));
}

export const given = <Options extends object>(options: Options) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Options]?: Exclude<Options[Name], undefined>;
  };

export const moment = must(
  'a date, such as "2026-11-21"',
  value => !Number.isNaN(new Date(value as string).getTime()),
);

/** Returns the place of a value in a record as it is written in a program: `edges.gateError.cx[0].source`. */
export function pathText(path: readonly (string | number)[]): string {
  return path
    .map(key => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .replace(/^\./, "");
}

/** Checks a name that something is looked up by. Throws a `KetbookError` when it is empty, or no string. */
export function requireName(helper: "device" | "job" | "group" | "estimation", name: unknown): string {
  if (typeof name === "string" && name.trim() !== "") return name;
  const found =
    typeof name === "string" ? "is empty" : `is ${name === null ? "null" : `of type ${typeof name}`}`;
  const example = { device: "perth", job: "…-qjob-…", group: "group:…", estimation: "h2" }[helper];
  throw new KetbookError(`${helper}(…): the name ${found}. Give one such as ${helper}("${example}").`);
}
