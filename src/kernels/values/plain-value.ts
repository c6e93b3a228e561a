import { inspect } from "#host";
import { clip, type MimeBundle } from "../../display/index.ts";
import { recordTable } from "./records.ts";

const MAX_TEXT_LENGTH = 1_000_000;

/** A value as `console.log` prints it; an array of records of one form is a table besides. */
export function plainBundle(value: unknown): MimeBundle {
  const text = clip(typeof value === "string" ? value : inspectSafely(value), MAX_TEXT_LENGTH);
  const table = tableOf(value);
  return { ...(table && { "text/html": table }), "text/plain": text };
}

function tableOf(value: unknown): string | undefined {
  try {
    return Array.isArray(value) ? recordTable(value) : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a value as Node prints it. Never throws. */
export function inspectSafely(value: unknown): string {
  try {
    return inspect(value);
  } catch (error) {
    return `This value could not be printed: ${String(error)}`;
  }
}
