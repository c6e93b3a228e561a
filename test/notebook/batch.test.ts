import { expect, test } from "vitest";
import { JobError, KetbookError, qasm, run, sweep } from "../../src/index.ts";
import { bundleOf } from "./bundle.ts";
import { useOwnService } from "./own-service.ts";
import { bell } from "./programs.ts";

useOwnService();

const flips = (bits: string) =>
  qasm`
    OPENQASM 3.0;
    include "stdgates.inc";
    qubit[${bits.length}] q;
    bit[${bits.length}] c;
    ${[...bits].map((bit, index) => (bit === "1" ? `x q[${bits.length - 1 - index}];` : "")).join(" ")}
    c = measure q;
  `;

test("the results of a batch keep the order and the widths of its programs", async () => {
  const words = ["1", "01", "110", "0101"];
  const results = await run(words.map(flips)).shots(5);
  expect(results.map(result => result.counts)).toEqual(words.map(word => ({ [word]: 5 })));
  expect(results[2]!.job.numCircuits).toBe(4);
  expect(bundleOf(results)["text/html"]).toContain("<table");
});

test("a batch of one is still a batch", async () => {
  const results = await run([bell]).shots(5);
  expect(results).toHaveLength(1);
});

test("a batch is asked for its results, not for its result", async () => {
  const handle = await run([bell, bell]).shots(5).submit();
  await expect(handle.result()).rejects.toThrow("results()");
  expect(await handle.results()).toHaveLength(2);
});

test("one bad program fails the batch, and the error points into that program", async () => {
  const wrong = qasm`
    OPENQASM 3.0;
    nonsense q;
  `;
  const error: JobError = await Promise.resolve(run([bell, wrong])).catch(e => e);
  expect(error).toBeInstanceOf(JobError);
  expect(error.reason).toMatch(/^program 1: 2:1:/);
  expect(error.message).toContain("2 | nonsense q;");
});

test("an empty batch is refused at once", () => {
  expect(() => run([])).toThrow(KetbookError);
});

const turn = qasm`
  OPENQASM 3.0;
  include "stdgates.inc";
  input float theta;
  qubit q;
  bit c;
  ry(theta) q;
  c = measure q;
`;

test("a sweep runs one program for each set of values", async () => {
  const results = await sweep(turn, [{ theta: 0 }, { theta: Math.PI / 2 }, { theta: Math.PI }]).shots(0);
  expect(results.map(result => result.probabilities["1"] ?? 0)).toEqual([
    expect.closeTo(0, 12),
    expect.closeTo(0.5, 12),
    expect.closeTo(1, 12),
  ]);
});

test("a sweep with a missing, a wrong or an unusable value is refused at once", () => {
  expect(() => sweep(turn, [{}])).toThrow('no finite number for "theta"');
  expect(() => sweep(turn, [{ theta: 1, phi: 2 }])).toThrow("phi");
  expect(() => sweep(turn, [{ theta: Number.NaN }])).toThrow("theta");
});

test("a device is found by a short name that only one has", async () => {
  const result = await run(bell).on("statevector").shots(5);
  expect(result.job.deviceQrn).toBe("svc:svc:sim:statevector");
  await expect(Promise.resolve(run(bell).on("no-such-device"))).rejects.toThrow(/no device has that name/);
});

test("upTo refuses to submit when the quote is above it, and lets it through when it is not", async () => {
  const quote = await run(bell).quote();
  if (!quote.pricingAvailable) throw new Error("the state vector simulator has a price");
  await expect(Promise.resolve(run(bell).upTo(quote.estimatedCost / 2))).rejects.toThrow(
    /Not submitted: the quote is/,
  );
  expect((await run(bell).shots(5).upTo(quote.estimatedCost)).shots).toBe(5);
});
