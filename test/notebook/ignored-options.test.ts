import { expect, test } from "vitest";
import { run } from "../../src/index.ts";
import { plainText } from "../../src/kernels/bundle.ts";
import { useServiceHere } from "./own-service.ts";
import { bell } from "./programs.ts";
import { jobOn, one } from "./received.ts";
import { serving } from "./serving.ts";

await useServiceHere();

const counts = { measurementCounts: { "00": 5, "11": 5 } };
const asked = (runtimeOptions: object, shots = 10) =>
  one(counts, jobOn("other:x:qpu:y", { shots, runtimeOptions }));

test("a service that ignores memory is named on the chart, and where the memory is read", async () => {
  const result = await asked({ memory: true });
  expect(result.ignoredOptions).toEqual(["memory"]);
  expect(plainText(result)).toContain("ignored by the service: memory");
  expect(() => result.measurements).toThrow("measurements: the service ignored the option memory.");
  expect(result.marginal([0]).counts).toEqual({ "0": 5, "1": 5 });
});

test("shots that were drawn instead of an exact run are said to be", async () => {
  const result = await asked({}, 0);
  expect(result.ignoredOptions).toEqual(["shots: 0"]);
  expect(result.shots).toBe(10);
  expect(() => result.state).toThrow("drew shots instead of an exact run");
});

test("a service that repeats no options is held to those of the request", async () => {
  const qrn = "other:x:qpu:y";
  const job = { jobQrn: "j", deviceQrn: qrn, status: "COMPLETED", shots: null, runtimeOptions: null };
  await using service = await serving({
    "/devices": [{ qrn, deviceType: "QPU", status: "ONLINE" }],
    [`/devices/${qrn}`]: { qrn, deviceType: "QPU", status: "ONLINE" },
    "/jobs": job,
    "/jobs/j": job,
    "/jobs/j/result": { status: "COMPLETED", resultData: counts },
  });
  const result = await service.ketbook.run(bell).on(qrn).options({ memory: true }).shots(0).result();
  expect(result.ignoredOptions).toEqual(["memory", "shots: 0"]);
});

test("a simulator names the options that it does not read", async () => {
  const result = await run(bell).shots(10).options({ optimizationLevel: 2, provider: "x", memory: true });
  expect(result.ignoredOptions).toEqual(["optimizationLevel", "provider"]);
  expect(result.measurements).toHaveLength(10);
  const honored = await run(bell).on("tensor").shots(10).options({ maxBondDimension: 8, seed: 1 });
  expect(honored.ignoredOptions).toEqual([]);
});
