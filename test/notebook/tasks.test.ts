import { expect, test } from "vitest";
import {
  CostLimitError,
  createGroup,
  credits,
  device,
  devices,
  group,
  groups,
  job,
  jobs,
  KetbookError,
  qasm,
  run,
  usage,
} from "../../src/index.ts";
import { bundleOf } from "./bundle.ts";
import { useServiceHere } from "./own-service.ts";
import { bell } from "./programs.ts";

await useServiceHere("instant");

const turn = qasm(`
  OPENQASM 3.0;
  include "stdgates.inc";
  input float theta;
  input bit[2] word;
  qubit q;
  bit c;
  ry(theta) q;
  if (word == "10") x q;
  c = measure q;
`);

test("a batch is quoted as a whole, and is not submitted above its cap", async () => {
  const batch = run(Array(50).fill(bell)).on("garnet").shots(1000);
  const quote = await batch.quote();
  expect(quote).toMatchObject({ pricingAvailable: true, programs: 50, estimatedCost: 8750 });
  expect(bundleOf(quote)["text/plain"]).toContain("50 programs");
  const error: CostLimitError = await batch.maxCost(175).catch(e => e);
  expect(error).toBeInstanceOf(CostLimitError);
  expect(error).toMatchObject({ maxCost: 175, estimatedCost: 8750 });
  expect(await jobs()).toHaveLength(0);
  const none: CostLimitError = await run(bell)
    .on("brisbane")
    .maxCost(5)
    .catch(e => e);
  expect(none).toMatchObject({ maxCost: 5, estimatedCost: null });
  expect((await batch.shots(10).maxCost(8750)).length).toBe(50);
});

test("each result of a batch says what it cost, and the job what all did", async () => {
  const pending = run([bell, bell, bell]).on("garnet").shots(10).submit();
  const results = await pending.results();
  expect(results.map(({ cost }) => cost)).toEqual([31.45, 31.45, 31.45]);
  expect(await (await pending).refresh().then(({ cost }) => cost)).toBe(94.35);
});

test("inputs get their values without a sweep, and a slip or a missing one is named", async () => {
  const set = run(turn).inputs({ theta: Math.PI }).inputs({ word: "10" }).shots(0);
  expect((await set).probabilities["0"]).toBeCloseTo(1, 12);
  expect((await set.submit().program()).data).toContain('const bit[2] word = "10";');
  expect((await run(turn).inputs({ theta: "pi / 2", word: "01" }).shots(0)).probabilities["1"]).toBeCloseTo(
    0.5,
  );
  expect(() => run(turn).inputs({ thetta: 1 })).toThrow(/no input "thetta"\. Did you mean theta\?/);
  await expect(run(turn).inputs({ theta: 1 })).rejects.toThrow(/"word" needs a value/);
  await expect(run(turn).inputs({ theta: "1; x q", word: "01" })).rejects.toThrow(/"1; x q" can't be one/);
  await expect(run(turn)).rejects.toThrow(/\.inputs\(\{ theta: … \}\)/);
});

test("a batch gives its programs back, and is run again elsewhere", async () => {
  const words = [bell, qasm("OPENQASM 3.0; qubit q; bit c; c = measure q;")];
  const first = await run(words).shots(5).named("twice").tagged({ n: 1 }).options({ seed: 3 }).submit();
  const programs = await (await job(first.qrn)).programs();
  expect(programs.map(({ data }) => data)).toEqual(words.map(({ data }) => data));
  expect(bundleOf(programs)["text/html"]).toContain("<table");
  await first.wait();
  const again = await job(first.qrn).rerun({ on: "sparse" });
  const { name, tags, shots, deviceQrn, runtimeOptions } = again.record;
  expect({ name, tags, shots, deviceQrn, runtimeOptions }).toEqual({
    name: "twice",
    tags: { n: 1 },
    shots: 5,
    deviceQrn: "svc:svc:sim:sparse",
    runtimeOptions: { seed: 3 },
  });
  expect(await again.results()).toHaveLength(2);
  await expect(first.rerun({ failed: true })).rejects.toThrow(/every program .* has a result/);
});

test("a job that failed is run again whole", async () => {
  const failed = await run([bell, "OPENQASM 3.0; qubit q; bit c; int n; c = measure q; n = 1 / n;"]).submit();
  await failed.wait().catch(() => undefined);
  const again = await failed.rerun({ failed: true });
  expect(again.record.numCircuits).toBe(2);
});

test("jobs are found by time, tag, device and status in one call, and deleted in one", async () => {
  const before = new Date();
  for (const shots of [1, 2, 3]) await run(bell).shots(shots).tagged({ lab: 7 }).on("sparse");
  await run(bell).shots(4);
  expect(await jobs({ since: before, tag: "lab", device: "sparse", status: "COMPLETED" })).toHaveLength(3);
  expect(await jobs({ until: before, tag: "lab" })).toHaveLength(0);
  expect((await jobs({ since: before.toISOString() }))[0]!.record.shots).toBe(4);
  const deleted = await jobs({ tag: "lab" }).delete();
  expect(deleted.successfulIds).toHaveLength(3);
  expect(await jobs({ tag: "lab" })).toHaveLength(0);
});

test("a list says how many there are besides those that it has", async () => {
  const some = await jobs().limit(2);
  const { total } = await jobs().summary();
  expect(String(some)).toBe(`2 of ${total} jobs`);
  expect(some.total).toBe(total);
  expect(bundleOf(some)["text/plain"]).toContain(`2 of ${total} jobs`);
});

test("devices are found by size, price and name", async () => {
  expect((await devices({ deviceType: "QPU" }).cheapest({ shots: 1000 }))?.qrn).toBe(
    "aws:emulated:qpu:garnet",
  );
  expect((await devices().cheapest({ shots: 0 }))?.deviceType).toBe("SIMULATOR");
  expect(await devices({ deviceType: "QPU" }).cheapest({ shots: 0 })).toBeUndefined();
  const large = await devices({ minQubits: 100, deviceType: "QPU" });
  expect(large.map(({ qrn }) => qrn)).toEqual(["ibm:emulated:qpu:brisbane"]);
  expect((await device("perth")).numberQubits).toBe(7);
  expect(Object.keys((await device("perth").calibration()).qubits)).toHaveLength(7);
  await expect(device("perth").best(undefined as never)).rejects.toThrow("best: qubits must be a whole");
  await expect(device("pert")).rejects.toThrow(KetbookError);
});

test("a group is made by one name and looked up by another", async () => {
  const made = await createGroup({ name: "lab" });
  expect((await group(made.qrn)).record.name).toBe("lab");
  await group(made.qrn).close();
  expect((await made.refresh()).status).not.toBe("OPEN");
});

test("usage takes a short name", async () => {
  expect(await usage("statevector").days(2)).toHaveLength(2);
});

test("JSON.stringify of anything gives its records, and String its one line", async () => {
  const done = await run(bell).shots(8).submit();
  await done.wait();
  const all = {
    devices: await devices(),
    device: await device("perth"),
    job: done,
    jobs: await jobs(),
    groups: await groups(),
    credits: await credits(),
    usage: await usage(),
    quote: await run(bell).quote(),
    run: run(bell).on("perth").shots(8),
    program: bell,
    calibration: await device("perth").calibration(),
  };
  const written = JSON.parse(JSON.stringify(all));
  expect(written.devices[0]).toMatchObject({ qrn: all.devices[0]!.qrn, status: "ONLINE" });
  expect(written.device).toMatchObject({ qrn: "ibm:emulated:qpu:perth" });
  expect(written.job).toEqual(JSON.parse(JSON.stringify(done.record)));
  expect(written.jobs[0]).toMatchObject({ jobQrn: all.jobs[0]!.qrn });
  expect(written.groups[0]).toMatchObject({ groupJobQrn: all.groups[0]!.qrn });
  expect(written.credits).toMatchObject({ svcCredits: all.credits.svcCredits });
  expect(written.usage[0]).toHaveProperty("used");
  expect(written.quote).toMatchObject({ pricingAvailable: true });
  expect(written.run).toMatchObject({ deviceQrn: "perth", shots: 8, program: { format: "qasm3" } });
  expect(written.program).toEqual({ format: "qasm3", data: bell.data });
  expect(written.calibration).toHaveProperty("qubits.0.T1");
  expect(JSON.stringify({ pending: devices() })).toBe('{"pending":null}');
  for (const [name, value] of Object.entries(all)) {
    if (name === "program") continue;
    expect(String(value), name).not.toMatch(/\n|\[object|undefined/);
    expect(String(value).length, name).toBeGreaterThan(3);
  }
  expect(String(all.devices)).toMatch(/^\d+ devices$/);
});
