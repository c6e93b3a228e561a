import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FileCell } from "../../tools/notebooks/outputs.ts";

const root = join(import.meta.dirname, "../..");

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

interface Executed {
  cells: Cell[];
  html: string;
}

const done = new Map<string, Executed>();

/** Executes a notebook, once, by the built command, in the folder where it stands, and reads what came out. */
export function execute(path: string): Executed {
  const known = done.get(path);
  if (known) return known;
  mkdirSync(join(root, "notebooks/out"), { recursive: true });
  const folder = mkdtempSync(join(root, "notebooks/out/executed-"));
  try {
    const [output, html] = [join(folder, "executed.ipynb"), join(folder, "page.html")];
    const command = [join(root, "dist/cli.js"), "run", path, "--output", output, "--html", html];
    execFileSync(process.execPath, command, { encoding: "utf8" });
    const executed = { cells: cellsOf(output), html: readFileSync(html, "utf8") };
    done.set(path, executed);
    return executed;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
