import { formatMagnitude, missing } from "../../display/format.ts";
import { round } from "../channels.ts";
import type { Cell, Column } from "./columns.ts";

/** Returns a value in words: a number with as many digits as are of use, a moment, a category. */
export function formatCell({ scale }: Pick<Column, "scale">, value: Cell): string {
  if (value === null) return missing;
  if (scale === "time")
    return new Date(value)
      .toISOString()
      .replace(/T00:00:00\.000Z$/, "")
      .replace(/\.000Z$/, "Z");
  return typeof value === "number" ? formatMagnitude(round(value)) : value;
}
