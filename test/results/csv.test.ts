import fc from "fast-check";
import { expect, test } from "vitest";
import { outcomesCsv } from "../../src/results/index.ts";

/** Reads a table of RFC 4180. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  const fields = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y;
  while (fields.lastIndex < text.length) {
    const [, quoted, bare, end] = fields.exec(text)!;
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? bare!);
    if (end === "\r\n" && fields.lastIndex < text.length) rows.push([]);
  }
  return rows;
}

const counts = fc.dictionary(
  fc.oneof(
    fc.stringMatching(/^[01]{3}$/),
    fc.string(),
    fc.string({ unit: fc.constantFrom(..."=+-@\t\r\n',\"a ") }),
  ),
  fc.integer({ min: 1, max: 999 }),
  { minKeys: 1 },
);

test("whatever the alphabet, outcomes and counts are read back", () => {
  fc.assert(
    fc.property(counts, counts => {
      const [, ...rows] = readCsv(outcomesCsv(counts, { exact: false }));
      const back = rows.map(([outcome, count]) => [outcome!.replace(/^'/, ""), Number(count)]);
      expect(back).toEqual(Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1)));
    }),
  );
});

test("no field begins as a formula does", () => {
  fc.assert(
    fc.property(counts, counts => {
      for (const row of readCsv(outcomesCsv(counts, { exact: false })))
        for (const field of row) expect(field).not.toMatch(/^[=+\-@\t\r\n]/);
    }),
  );
});

test("an exact table has the probability alone", () => {
  expect(outcomesCsv({ "0": 0.25, "1": 0.75 }, { exact: true })).toBe(
    "outcome,probability\r\n0,0.25\r\n1,0.75\r\n",
  );
});
