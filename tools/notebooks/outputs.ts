import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the committed notebooks. */
export const NOTEBOOKS = fileURLToPath(new URL("../../notebooks/", import.meta.url));

/** The committed notebooks, by their paths in {@link NOTEBOOKS}. */
export const committedNotebooks = (): string[] =>
  globSync(["*.ipynb", "course/*.ipynb"], { cwd: NOTEBOOKS }).sort();

/** A cell as a file has it. */
export interface FileCell {
  cell_type: string;
  id: string;
  source: string[];
  execution_count?: number | null;
  outputs?: { output_type: string; data?: Record<string, unknown>; [name: string]: unknown }[];
}

/** Digests of a code cell: `source` of its program, `shown` of its outputs, apart from times and ids. */
export interface CellDigests {
  source: string;
  shown: string;
}

/** The file that says of which sources the committed outputs are, by notebook and cell id. */
export const DIGESTS = `${NOTEBOOKS}outputs.json`;

/** Reads {@link DIGESTS}. */
export const readDigests = (): Record<string, Record<string, CellDigests>> =>
  JSON.parse(readFileSync(DIGESTS, "utf8"));

/** Differences between two runs of the same program: ids, dates, times, durations, ports, emulated queues, and the widths of columns. */
const VOLATILE = new RegExp(
  [
    /\b\w{4}-qjob-\w+|\bgroup:\w+|\b[\da-f]{8}(?:-[\da-f]{4,12}){4}\b/,
    /\b\d{4}-\d\d-\d\d\b|\b\d\d:\d\d(?::\d\d)?\b|\bjust now\b|\b\d+ \w+ ago\b/,
    /\b\d[\d.,]* (?:ns|µs|ms|s|min|h|jobs(?=, ))\b|(?<=127\.0\.0\.1:)\d+/,
    /(?<=ONLINE(?: +|(?:<\/\w+>)*<td align=right>))\d+|[ ─]+/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);

/** Digests a code cell. Pictures count as the specifications that they are drawn from. */
export function digestsOf({ source, outputs = [] }: FileCell): CellDigests {
  const shown = JSON.stringify(outputs, (mime, value) => (mime === "image/png" ? undefined : value));
  return { source: digest(source.join("")), shown: digest(shown.replace(VOLATILE, "")) };
}
