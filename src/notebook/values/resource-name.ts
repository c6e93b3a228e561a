import { KetbookError } from "../../client/errors.ts";

/**
 * Checks a name that something is looked up by.
 *
 * @throws KetbookError when it is empty, or no string.
 */
export function requireName(helper: "device" | "job" | "group" | "usage", name: unknown): string {
  if (typeof name === "string" && name.trim() !== "") return name;
  const found =
    typeof name === "string" ? "is empty" : `is ${name === null ? "null" : `of type ${typeof name}`}`;
  const example = { device: "perth", job: "…-qjob-…", group: "group:…", usage: "statevector" }[helper];
  throw new KetbookError(`${helper}(…): the name ${found}. Give one such as ${helper}("${example}").`);
}
