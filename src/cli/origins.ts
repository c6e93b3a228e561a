import { InvalidArgumentError } from "commander";

/** Reads an origin of pages, and adds it to those before it. */
export function origins(text: string, before: readonly string[] = []): string[] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/` || text.includes("@"))
    throw new InvalidArgumentError("It must be an origin without a path, such as https://lab.example.");
  return [...before, url.origin];
}
