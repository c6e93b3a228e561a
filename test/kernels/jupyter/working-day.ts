import { stripVTControlCharacters } from "node:util";
import type { Output } from "../../../src/ipynb/format.ts";
import day from "./working-day.json" with { type: "json" };

/**
 * Cells of one notebook, and what the last of each row puts out: `=value`, text on its standard output, `E:` and text
 * on its standard error, `!Name: message`, parted by `|`.
 */
export const rows = day.cells as unknown as [cells: string[], out: string][];

/** Files in the folder of the notebook, by their names. */
export const files: Readonly<Record<string, string>> = day.files;

/** Returns what a cell puts out, as rows say it. */
export const summaryOf = (outputs: readonly Output[]): string => outputs.map(summary).join("|");

function summary(output: Output): string {
  switch (output.output_type) {
    case "stream":
      return `${output.name === "stderr" ? "E:" : ""}${output.text}`;
    case "error":
      return `!${output.ename}: ${output.evalue}`;
    default:
      return `=${stripVTControlCharacters(String(output.data["text/plain"]))}`;
  }
}
