import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { histogram, KetbookError, qasm, Result, State } from "../../src/index.ts";
import { bell, program } from "./own-rows.ts";

const folder = mkdtempSync(join(tmpdir(), "ketbook-drawing-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("circuits, tables and cards write files, with as much of them as a file can hold", () => {
  const drawn = program.draw({ scale: 2 });
  const usual = program.draw();
  const widthOf = (svg: string) => Number(/width="([\d.]+)"/.exec(svg)![1]);
  expect(widthOf(drawn.toSVG())).toBeCloseTo(2 * widthOf(usual.toSVG()), 1);
  const saved = (name: string, from: { save(path: string): unknown }) => {
    const path = join(folder, name);
    from.save(path);
    return readFileSync(path);
  };
  expect(saved("circuit.svg", program).toString()).toContain("@font-face{font-family:'Inter'");
  expect(saved("circuit.pdf", drawn).toString("latin1")).toContain("Inter");
  expect(saved("circuit.png", drawn).toString("latin1", 1, 4)).toBe("PNG");
  expect(saved("circuit.txt", drawn).toString()).toContain("┤H├");
  const table = histogram({ "00": 3, "11": 1 }).table();
  expect(saved("table.csv", table).toString()).toContain("Outcome,Count,Probability");
  expect(JSON.parse(saved("table.json", table).toString())[0]).toMatchObject({ Outcome: "00", Count: "3" });
  expect(saved("table.svg", table).toString()).toContain(">00 ");
  expect(saved("table.html", table).toString()).toContain("<th scope=col");
  expect(saved("state.pdf", State.from(bell)).toString("latin1")).toMatch(/^%PDF/);
  expect(
    saved("result.svg", Result.from({ resultData: { measurementCounts: { "01": 9 } } })).toString(),
  ).toContain("9 shots");
  expect(() => table.save(join(folder, "table.docx"))).toThrow(
    /"\.docx": end the name in \.svg, \.pdf, \.png, \.html/,
  );
});

test("a circuit that is too large for a PNG is refused with the limit, and is whole as SVG", () => {
  const many = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit[40] q; for int i in [0:38] { cx q[i], q[i + 1]; }`;
  const drawn = many.draw({ scale: 10 });
  const saving = () => drawn.save(join(folder, "large.png"));
  expect(saving).toThrow(KetbookError);
  expect(saving).toThrow(/at most 16,000,000 pixels, and this one would have [\d,]+ × [\d,]+\./);
  drawn.save(join(folder, "large.svg"));
});

test("a path that cannot be written is refused with advice, whatever is saved", () => {
  mkdirSync(join(folder, "folder.svg"));
  mkdirSync(join(folder, "folder.json"));
  writeFileSync(join(folder, "file"), "");
  const counts = { "00": 3, "11": 1 };
  const chart = histogram(counts);
  const result = Result.from({ resultData: { measurementCounts: counts } });
  const refused = (from: { save(path: string): unknown }, path: string, reason: RegExp) => {
    const saving = () => from.save(path);
    expect(saving).toThrow(KetbookError);
    expect(saving).toThrow(reason);
  };
  for (const saved of [chart, program, program.draw(), chart.table(), result]) {
    const missing = join(folder, "missing", "a.svg");
    refused(
      saved,
      missing,
      /missing.a\.svg: no such file or folder\. Check the path, or create the folder\.$/,
    );
    refused(saved, join(folder, "folder.svg"), /folder\.svg: it is a folder\. Add the name of a file\.$/);
    refused(saved, join(folder, "file", "a.svg"), /(ENOTDIR: .* Choose another path|create the folder)\.$/);
    refused(
      saved,
      `${join(folder, "a".repeat(300))}.svg`,
      /(ENAMETOOLONG: .* Choose another path|create the folder)\.$/,
    );
    refused(saved, join(folder, "a.docx"), /end (the|its) name in .*\.svg/);
    refused(saved, undefined as never, /undefined.* end (the|its) name in .*\.svg/);
  }
  refused(result, join(folder, "folder.json"), /folder\.json: it is a folder\. Add the name of a file\.$/);
});

test.skipIf(process.getuid?.() === 0)("a file that may not be written is refused with advice", () => {
  const path = join(folder, "protected.svg");
  writeFileSync(path, "", { mode: 0o444 });
  expect(() => program.save(path)).toThrow(
    new KetbookError(`${path}: access is denied. Choose another path, or allow access to this one.`),
  );
});

test("a changed chart refuses a size out of range as the chart itself does", () => {
  const chart = histogram({ "00": 3, "11": 1 });
  expect(() => chart.with({ width: -1 })).toThrow(KetbookError);
  expect(() => chart.with({ theme: { dpi: 9000 } })).toThrow(/^with: dpi must be a number from 36 to 2400/);
});

test("a circuit is drawn in the colours of the theme that it is given, and refuses one that is unknown", () => {
  const program = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit q; bit c; h q; if (c) { x q; }`;
  const dark = program.draw({ theme: "dark" }).toSVG();
  expect(dark).toContain('fill="#111111" stroke="#5b8ef0"');
  expect(dark).not.toMatch(/#155ec1|#cb5e35|#16181d/);
  const own = program.draw({ theme: { colors: ["#009E73"], background: "#fafafa" }, filled: true }).toSVG();
  expect(own).toContain('fill="#009E73" stroke="#009E73"');
  expect(() => program.draw({ theme: "night" as never })).toThrow(/theme/);
});
