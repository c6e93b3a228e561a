import { inspect } from "node:util";
import { expect, test } from "vitest";
import {
  CompileError,
  circuits,
  JobError,
  job,
  jobs,
  KetbookError,
  NotFoundError,
  qasm,
  run,
  ValidationError,
} from "../../src/index.ts";
import { plainText } from "../../src/kernels/bundle.ts";
import { bundleOf } from "./bundle.ts";
import { useServiceHere } from "./own-service.ts";
import { bell } from "./programs.ts";

await useServiceHere();

test("a Bell pair gives only 00 and 11, about as often, and the shots add up", async () => {
  const result = await run(bell).on("svc:svc:sim:statevector").shots(1000).options({ seed: 5 });
  expect(Object.keys(result.counts).sort()).toEqual(["00", "11"]);
  expect(result.counts["00"]! + result.counts["11"]!).toBe(1000);
  expect(Math.abs(result.counts["00"]! - 500)).toBeLessThan(5 * Math.sqrt(250));
  expect(result.cost).toBeGreaterThan(0);
  expect(result.duration).toBeGreaterThanOrEqual(0);
});

test("the same seed gives the same counts", async () => {
  const seeded = run(bell).shots(500).options({ seed: 11 });
  const again = seeded.options({ seed: 11 });
  expect((await seeded).counts).toEqual((await again).counts);
});

test("the last declared bit stands on the left", async () => {
  const result = await run(
    'OPENQASM 3.0; include "stdgates.inc"; qubit[3] q; bit[3] c; x q[0]; c = measure q;',
  ).shots(10);
  expect(result.counts).toEqual({ "001": 10 });
});

test("an exact run gives probabilities, and the amplitudes when asked", async () => {
  const result = await run(qasm`
    OPENQASM 3.0;
    include "stdgates.inc";
    qubit[2] q;
    h q[0];
    cx q[0], q[1];
  `)
    .shots(0)
    .options({ statevector: true });
  expect(result.state.amplitudes).toHaveLength(8);
  expect(result.state.amplitudes[0]).toBeCloseTo(Math.SQRT1_2, 12);
  const measured = await run(bell).shots(0);
  expect(measured.probabilities["11"]).toBeCloseTo(0.5, 12);
  expect(measured.counts).toEqual({});
});

test("each method leaves the run as it was", async () => {
  const first = run(bell).shots(10);
  const second = first.shots(20).named("second").tagged({ kind: "test" }).tagged({ round: 2 });
  const [ten, twenty] = await Promise.all([first, second]);
  expect([ten.shots, twenty.shots]).toEqual([10, 20]);
  expect([ten.job.record.name, twenty.job.record.name]).toEqual([null, "second"]);
  expect(twenty.job.record.tags).toEqual({ kind: "test", round: 2 });
});

test("awaiting a run twice submits once", async () => {
  const once = run(bell).shots(10);
  const [one, two] = await Promise.all([once, once]);
  const handle = await once.submit();
  expect(one).toBe(two);
  expect(handle.qrn).toBe(one.job.qrn);
});

test("submit gives the job at once, and job(qrn) finds it again", async () => {
  const handle = await run(bell).shots(10).submit();
  expect(handle.qrn).toMatch(/^svc:svc:sim:statevector-[0-9a-f]{4}-qjob-[0-9a-f]{24}$/);
  expect((await handle.result()).shots).toBe(10);
  const found = await job(handle.qrn);
  expect(found.status).toBe("COMPLETED");
  expect((await found.program()).data).toBe(bell.data);
  expect((await job(handle.qrn).result()).counts).toEqual((await handle.result()).counts);
});

test("a program with a mistake is not submitted: the error has its line and a caret under the place", async () => {
  const wrong = run('OPENQASM 3.0; include "stdgates.inc"; qubit q;\n  hh q;').named("never submitted");
  const error: CompileError = await Promise.resolve(wrong).catch(e => e);
  expect(error).toBeInstanceOf(CompileError);
  expect(error.reason).toMatch(/^2:3: .*hh/);
  expect(error.message).toContain("  2 |   hh q;\n    |   ^");
  expect(await jobs({ search: "never submitted" })).toHaveLength(0);
});

test("an input without a value is told before anything is submitted, in a batch with its program", async () => {
  const turn = 'OPENQASM 3.0; include "stdgates.inc"; input float theta; qubit q; rx(theta) q;';
  const message = /program 1: 1:51: The input theta has no value\. .*inputs\(\{ theta: … \}\)/;
  await expect(Promise.resolve(run([bell, turn]))).rejects.toThrow(message);
  expect(
    (
      await run(turn)
        .options({ inputs: { theta: 1 } })
        .shots(3)
    ).shots,
  ).toBe(3);
});

test("a device's limits of shots and its noise are told with what was asked for", async () => {
  const onPerth = (shots: number) => Promise.resolve(run(bell).on("perth").shots(shots));
  await expect(onPerth(1e9)).rejects.toThrow("must be 1 to 100,000 on this device, not 1,000,000,000");
  await expect(onPerth(0)).rejects.toThrow("exact probabilities (0) are for simulators");
  const noisy = run(bell).options({ noiseModel: "depolarizing" });
  await expect(Promise.resolve(noisy)).rejects.toThrow("this one has none");
});

test("a name of another service's device suggests the emulated one", async () => {
  await expect(Promise.resolve(run(bell).on("ibm_perth"))).rejects.toThrow(
    /"ibm_perth": no device has that name\. Did you mean "perth"\? Online now: .*statevector, .*garnet/,
  );
});

test("shots in order, and rows of a query that was not awaited, say what is missing", async () => {
  const result = await run(bell).shots(3);
  expect(() => result.measurements).toThrow("Add .options({ memory: true }) to the run.");
  const exact = await run(bell).shots(0).options({ memory: true });
  expect(() => exact.measurements).toThrow("an exact run has no shots");
  const first = () => (jobs() as unknown as readonly object[])[0];
  expect(first).toThrow("Jobs: await the list, then take its rows: (await jobs())[0].");
});

test("a program that fails as it runs ends its job with the place, and costs nothing", async () => {
  const wrong = run(
    'OPENQASM 3.0; include "stdgates.inc"; qubit q; bit c; int n;\nc = measure q;\n  n = 1 / n;',
  );
  const error: JobError = await Promise.resolve(wrong).catch(e => e);
  expect(error).toBeInstanceOf(JobError);
  expect(error.status).toBe("FAILED");
  expect(error.reason).toMatch(/^3:/);
  expect(error.message).toContain("  3 |   n = 1 / n;");
  expect((await job(error.jobQrn)).cost ?? 0).toBe(0);
});

test("a device that is not there is refused in words", async () => {
  await expect(Promise.resolve(run(bell).on("svc:svc:sim:nothing"))).rejects.toThrow(NotFoundError);
});

test("a job that is not there is refused in words", async () => {
  await expect(Promise.resolve(job("no-such-job"))).rejects.toThrow(NotFoundError);
});

test("a run that was refused can be awaited again", async () => {
  const wrong = run(bell).tagged({ ok: { deep: 1 } as never });
  const first = await Promise.resolve(wrong).catch(e => e);
  const second = await Promise.resolve(wrong).catch(e => e);
  expect(first).toBeInstanceOf(ValidationError);
  expect(second).toBeInstanceOf(ValidationError);
  expect(second).not.toBe(first);
});

test.each([[-1], [1.5], [Number.NaN], [Number.POSITIVE_INFINITY], ["10" as never]])(
  "shots(%s) is refused at once",
  n => {
    expect(() => run(bell).shots(n)).toThrow(KetbookError);
  },
);

test("a result shows itself as a chart, and leaves device and credits to the card of its job", async () => {
  const bundle = bundleOf(await run(bell).shots(100).named("My <b>Bell</b>"));
  expect(Object.keys(bundle).sort()).toEqual(["application/vnd.vegalite.v5+json", "image/png", "text/plain"]);
  expect(
    Buffer.from(bundle["image/png"] as string, "base64")
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");
  expect(bundle["text/plain"]).toContain("My <b>Bell</b>");
  expect(bundle["text/plain"]).not.toMatch(/credit|svc:/);
});

test("a run that is not awaited shows its circuit at once, and its quote a moment later", async () => {
  const prepared = run(bell).shots(4000).named("Later");
  expect(bundleOf(prepared)["text/plain"]).toContain("asking for a quote");
  await prepared.settled();
  const bundle = bundleOf(prepared);
  expect(bundle["text/plain"]).toMatch(/H[\s\S]*Later|Later[\s\S]*H/);
  expect(bundle["text/plain"]).toMatch(/[\d.]+ credits \(estimate\)/);
  expect(bundle["text/html"]).toContain("data:image/svg+xml;base64,");
});

test("a quote shows itself as a bill, and what has no price says why", async () => {
  const quote = await run(bell).on("garnet").shots(1000).quote();
  expect(quote).toMatchObject({ pricingAvailable: true, estimatedCost: 175 });
  expect(bundleOf(quote)["text/plain"]).toMatch(/1,000 shots +145\n.*\n.*\n +Total \(estimate\) +175/);
  await expect(Promise.resolve(run(bell).on("garnet").shots(0).quote())).rejects.toThrow(
    "aws:emulated:qpu:garnet takes 1 to 20,000 shots, not 0.",
  );
  const none = await run(bell).on("brisbane").quote();
  expect(none.pricingAvailable).toBe(false);
  expect(bundleOf(none)["text/plain"]).toMatch(/^quote: No quote\n.*\n +Why +its price is dynamic/);
});

test("in a terminal, everything prints as text", async () => {
  const result = await run(bell).shots(100);
  expect(inspect(result)).toContain("00");
  expect(inspect(bell)).toContain("q[0]");
  expect(inspect(await job(result.job.qrn))).toContain("COMPLETED");
});

test("waiting can be given up, and the job continues", async () => {
  const slow = await run(qasm`
    OPENQASM 3.0;
    include "stdgates.inc";
    qubit[16] q;
    bit[16] c;
    for int i in [0:400] { h q; t q; cx q[0:14], q[1:15]; }
    c = measure q;
  `).submit();
  await expect(slow.wait({ timeout: 1 })).rejects.toThrow(/It continues/);
  await expect(slow.wait({ signal: AbortSignal.timeout(20) })).rejects.toThrow();
  expect((await slow.result()).shots).toBe(1000);
});

test("an exact run of a program without bits has the outcomes of all qubits, as one with shots, and shows its state", async () => {
  const unmeasured = run('OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; h q[0]; cx q[0], q[1];').shots(0);
  const result = await unmeasured;
  expect(String(result)).toMatch(/: State of 2 qubits: 00 50.0 %, 11 50.0 %$/);
  expect(result.toSVG()).toContain("of 4 basis states");
  expect(result.probabilities).toEqual({ "00": expect.closeTo(0.5, 12), "11": expect.closeTo(0.5, 12) });
  const counted = await unmeasured.shots(1000);
  expect(counted.totalVariation(result)).toBeLessThan(0.1);
  expect(counted.compare(result).table().text).not.toContain("empty");
  expect(result.bitOrder.order).toBe(counted.bitOrder.order);
  expect(result.state.probability("11")).toBeCloseTo(0.5, 12);
  expect(result.expectation("XX")).toMatchObject({ value: expect.closeTo(1, 12), shots: 0 });
  expect(result.expectation("Z0").value).toBeCloseTo(0, 12);
  expect(result.expectation("XX", { basis: "XX" }).value).toBeCloseTo(1, 12);
  expect((await unmeasured.options({ statevector: false })).expectation("ZZ").value).toBeCloseTo(1, 12);
});

test.each(["density", "sparse", "tensor", "statevector"])(
  "an exact run of a program without bits shows the outcomes of all qubits on %s without a state",
  async device => {
    const qubits = device === "density" ? 3 : 13;
    const result = await run(circuits.ghz(qubits)).on(device).shots(0);
    expect(result.top(2).map(({ outcome }) => outcome)).toEqual(["0".repeat(qubits), "1".repeat(qubits)]);
    expect(plainText(result)).toContain("all qubits are measured");
  },
);

test("a result that measured nothing is not compared with one that did, and has no mean", async () => {
  const measured = await run(bell).shots(10);
  const nothing = await run(circuits.ghz(2)).observables("ZZ").shots(10);
  expect(() => measured.compare(nothing)).toThrow(/of 2 and of 0 characters .* Add measurements/);
  expect(() => nothing.fidelity(measured)).toThrow(/Add measurements/);
  expect(() => nothing.expectation("ZZ")).toThrow(
    /expectation\("ZZ"\): nothing was measured\. Measure the qubits .* run\(…\)\.shots\(0\)/,
  );
});
