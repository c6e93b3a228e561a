import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { job, KetbookError, Result, Results, run } from "../../src/index.ts";
import { VERSION } from "../../src/version.ts";
import { bundleOf } from "./bundle.ts";
import { useServiceHere } from "./own-service.ts";
import { bell } from "./programs.ts";

await useServiceHere("instant");
const folder = mkdtempSync(join(tmpdir(), "ketbook-results-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a result knows how it came about, and shows it", async () => {
  const result = await run(bell).on("perth").shots(200).options({ seed: 4 });
  const provenance = await result.provenance();
  expect(provenance).toMatchObject({
    jobQrn: result.job.qrn,
    program: bell.data,
    deviceQrn: "ibm:emulated:qpu:perth",
    shots: 200,
    options: { seed: 4 },
    seed: 4,
    libraryVersion: VERSION,
    service: `ketbook ${VERSION}`,
    cost: result.cost,
    bitOrder: { order: "msb-first" },
  });
  expect(provenance.compiledProgram).toContain("OPENQASM 3");
  expect(Date.parse(provenance.calibratedAt!)).toBeLessThan(Date.parse(provenance.endedAt!));
  expect(bundleOf(provenance)["text/plain"]).toMatch(/Seed +4/);
});

test("a result that is saved keeps all of it, and is run again from the file alone", async () => {
  const path = join(folder, "bell.json");
  const first = await job((await run(bell).shots(300).submit()).qrn).result();
  first.save(path);
  expect(Result.load(path).counts).toEqual(first.counts);
  await first.provenance();
  first.save(path);
  const loaded = Result.load(path);
  const [then, now] = [await first.provenance(), await loaded.provenance()];
  expect(JSON.parse(JSON.stringify(now))).toEqual(JSON.parse(JSON.stringify(then)));
  expect(now.compiledProgram).toContain("OPENQASM 3");
  const again = await loaded.replay();
  expect(again.job.qrn).not.toBe(first.job.qrn);
  expect(again.counts).toEqual(first.counts);
  const elsewhere = await loaded.replay().on("perth");
  const text = bundleOf(loaded.compare(elsewhere))["text/plain"];
  expect(text).toMatch(/differ in device/);
  expect(bundleOf(first.compare(again))["text/plain"]).not.toContain("differ in");
});

test("what knows no program can't be run again, and says so", () => {
  const isUserMade = Result.from({ resultData: { measurementCounts: { "0": 1 } } });
  expect(() => isUserMade.replay()).toThrow(KetbookError);
});

test("a large batch keeps what its results share once, and asks for it once", async () => {
  const path = join(folder, "batch.json");
  const words = Array.from({ length: 100 }, (_, k) => `${bell.data}// ${k}\n`);
  const results = await run(words).shots(4);
  await Promise.all(results.map(result => result.provenance()));
  results.save(path);
  const text = readFileSync(path, "utf8");
  expect(text.split(results[0]!.job.qrn).length).toBeLessThan(5);
  const loaded = Results.load(path);
  expect((await loaded[99]!.provenance()).program).toContain("// 99");
  expect((await loaded[99]!.provenance()).compiledProgram).toContain("OPENQASM 3");
  expect(loaded.map(({ cost }) => cost)).toEqual(results.map(({ cost }) => cost));
});
