import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Output } from "../../../src/ipynb/format.ts";
import { newFolder } from "../../folder.ts";
import { openSession, type Session } from "./session.ts";
import { files, rows, summaryOf } from "./working-day.ts";

let session: Session;
beforeAll(async () => {
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  session = await openSession({ folder });
});

test.each(rows)("%j", async (cells, out) => {
  let outputs: readonly Output[] = [];
  for (const cell of cells) ({ outputs } = await session.run(cell));
  expect(summaryOf(outputs)).toBe(out);
});
