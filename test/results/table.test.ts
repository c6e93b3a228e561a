import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnsOf, rowsToCsv } from "../../src/results/index.ts";

describe("rows as a table", () => {
  test("have the columns of all of them, in the order in which they are met", () => {
    const csv = rowsToCsv([{ a: 1 }, { b: "x", a: 2 }]);
    expect(csv).toBe("a,b\r\n1,\r\n2,x\r\n");
  });

  test("open objects to columns, and keep lists as JSON", () => {
    const columns = columnsOf([
      { times: { end: new Date(0), ms: 5 }, tags: { "c a": true }, qubits: [1, 2], none: {} },
    ]);
    expect([...columns]).toEqual([
      ["times.end", ["1970-01-01T00:00:00.000Z"]],
      ["times.ms", [5]],
      ["tags.c a", [true]],
      ["qubits", ["[1,2]"]],
    ]);
  });

  test("keep what is missing empty, quote an empty string, and leave negative numbers as they are", () => {
    expect(rowsToCsv([{ a: null, b: "", c: -1, d: undefined, e: 7n, f: Number.NaN }])).toBe(
      'a,b,c,d,e,f\r\n,"",-1,,7,NaN\r\n',
    );
    expect(rowsToCsv([])).toBe("");
  });

  test("take what can show itself as JSON by that", () => {
    expect(rowsToCsv([{ device: { toJSON: () => ({ qrn: "a:b" }) } }])).toBe("device.qrn\r\na:b\r\n");
  });

  test("are no formulas, in names as in values", () => {
    expect(rowsToCsv([{ "=cmd": "@sum", "a,b": "-1" }])).toBe(`'=cmd,"a,b"\r\n'@sum,'-1\r\n`);
  });

  test("are bounded", () => {
    const wide = Array.from({ length: 100 }, (_, row) =>
      Object.fromEntries(Array.from({ length: 100 }, (_, column) => [`tag ${row} ${column}`, 1])),
    );
    expect(() => rowsToCsv(wide)).toThrow("too many columns");
    expect([...columnsOf([{ a: { b: { c: { d: { e: { f: { g: { h: { i: 1 } } } } } } } } }])]).toEqual([
      ["a.b.c.d.e.f.g.h", ['{"i":1}']],
    ]);
  });

  test("read any JSON", () => {
    fc.assert(
      fc.property(fc.array(fc.object({ maxDepth: 4 })), rows => {
        const columns = columnsOf(rows);
        for (const values of columns.values()) expect(values).toHaveLength(rows.length);
        expect(typeof rowsToCsv(rows)).toBe("string");
      }),
    );
  });
});
