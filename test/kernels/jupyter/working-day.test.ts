import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, expect, test } from "vitest";
import type { Output } from "../../../src/ipynb/format.ts";
import { newFolder } from "../../notebook-run/support.ts";
import { openSession, type Session } from "./session.ts";
import day from "./working-day.json" with { type: "json" };

/**
 * Cells of one notebook, and what the last of each row puts out: `=value`, text on its standard output, `E:` and text
 * on its standard error, `!Name: message`, parted by `|`. The files are in the notebook's folder.
 */
const rows = day.cells as unknown as [cells: string[], out: string][];

let session: Session;
beforeAll(async () => {
  const folder = newFolder();
  for (const [name, text] of Object.entries(day.files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  session = await openSession({ folder });
});

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

test.each(rows)("%j", async (cells, out) => {
  let outputs: readonly Output[] = [];
  for (const cell of cells) ({ outputs } = await session.run(cell));
  expect(outputs.map(summary).join("|")).toBe(out);
});
