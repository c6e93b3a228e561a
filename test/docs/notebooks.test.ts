import { statSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { committedNotebooks, digestsOf, NOTEBOOKS, readDigests } from "../../tools/notebooks/outputs.ts";
import { cellsOf, faultsOf } from "./executed.ts";

const ALLOWED = ["image/png", "text/html", "text/markdown", "text/plain"];
/** Folders of machines, and anything that runs. */
const FOREIGN =
  /(?<![\w:/.])\/(?:home|root|tmp|var|work|workspace|Users|private)\/|[A-Z]:\\\\|<script|javascript:|\son\w+=/i;
const digests = readDigests();
const root = join(import.meta.dirname, "../..");

test("every committed notebook has outputs, and no other has", () => {
  expect(Object.keys(digests).sort()).toEqual(committedNotebooks());
});

describe.each(committedNotebooks())("%s", name => {
  const path = join(NOTEBOOKS, name);
  const cells = cellsOf(path);
  const code = cells.filter(cell => cell.cell_type === "code");

  test("has the outputs of its present cells, or else `npm run notebooks` is due", () => {
    const sources = Object.entries(digests[name] ?? {}).map(([id, { source }]) => [id, source]);
    expect(sources).toEqual(code.map(cell => [cell.id, digestsOf(cell).source]));
  });

  test("was executed in order, without a fault", () => {
    expect(code.map(cell => cell.execution_count)).toEqual(code.map((_, index) => index + 1));
    expect(faultsOf(cells)).toEqual([]);
  });

  test("holds pictures, tables and text that need no script and name no machine", () => {
    const outputs = code.flatMap(cell => cell.outputs ?? []);
    const types = new Set(outputs.flatMap(({ data = {} }) => Object.keys(data)));
    expect([...types].filter(type => !ALLOWED.includes(type))).toEqual([]);
    const text = JSON.stringify(outputs, (type, value) => (type === "image/png" ? undefined : value));
    expect(text).not.toMatch(FOREIGN);
    for (const own of [root, homedir(), hostname()].filter(each => each.length > 5))
      expect(text).not.toContain(own);
    expect(statSync(path).size).toBeLessThan(name.startsWith("course/") ? 400_000 : 1_100_000);
  });
});

test("outputs that differ in times, ids and durations have one digest, and other differences show", () => {
  const digest = (text: string) =>
    digestsOf({ cell_type: "code", id: "x", source: [], outputs: [{ output_type: "stream", text }] }).shown;
  const at = (time: string, job: string, ran: string, shots: string) =>
    digest(`job ${job} ✓ done (${time}) ran ${ran}, ${shots} shots`);
  const first = at(
    "10:41:57",
    "svc:svc:sim:statevector-b4b3-qjob-90df1db7797728fa437af07f",
    "285 µs",
    "1,000",
  );
  expect(
    at("11:00:13", "svc:svc:sim:statevector-0104-qjob-d00333af7c5960ac27123f10", "1.2 ms", "1,000"),
  ).toBe(first);
  expect(
    at("10:41:57", "svc:svc:sim:statevector-b4b3-qjob-90df1db7797728fa437af07f", "285 µs", "2,000"),
  ).not.toBe(first);
});
