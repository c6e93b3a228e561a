import { readFileSync } from "node:fs";
import type { FileCell } from "../../tools/notebooks/outputs.ts";

export type Cell = FileCell;

/** The cells of a notebook as it is committed. */
export const cellsOf = (path: string): Cell[] => JSON.parse(readFileSync(path, "utf8")).cells;

/** Words by which cards and tables say that something is wrong: such outputs are no errors to Jupyter. */
const FAULT = /does not compile|could not be|cannot be run|✗ not yet/m;
const textOf = (text: unknown) => (Array.isArray(text) ? text.join("") : String(text ?? ""));

/** What went wrong in cells, as their outputs tell it: errors, what was written to stderr, and cards of faults. */
export const faultsOf = (cells: readonly Cell[]): string[] =>
  cells.flatMap(({ id, outputs = [] }) =>
    outputs
      .map(({ output_type, name, text, evalue, data }) => {
        if (output_type === "error") return evalue;
        const plain = textOf(output_type === "stream" ? text : data?.["text/plain"]);
        return name === "stderr" || (output_type !== "stream" && FAULT.test(plain)) ? plain : undefined;
      })
      .filter(fault => fault !== undefined)
      .map(fault => `${id}: ${fault}`),
  );
