import { expect, test } from "vitest";
import type { DeviceCalibration } from "../../src/contract/calibration.ts";
import { SCHEMAS } from "../../src/contract/generated-schemas.ts";
import type { RuntimeJob } from "../../src/contract/job.ts";
import { recordReader, type ShapeError } from "../../src/contract/reader.ts";

const readJob = recordReader<RuntimeJob>(SCHEMAS.RuntimeJob, { required: ["jobQrn"] });

test("members of a record that are missing or malformed are null or empty, and each malformed one is reported with its path", () => {
  const malformed: string[] = [];
  const given = { jobQrn: "q", cost: "12.5", shots: "many", tags: 7, timeStamps: { endedAt: 3 } };
  const job = readJob(given, ({ message }) => malformed.push(message));
  expect(job).toBe(given);
  expect(job).toMatchObject({ cost: 12.5, shots: null, tags: {}, metadata: {}, deviceQrn: "" });
  expect(job.timeStamps).toEqual({ createdAt: null, endedAt: null, executionDuration: null });
  expect(malformed).toEqual([
    "shots should be a number, and is a string",
    "tags should be an object, and is a number",
    "timeStamps.endedAt should be a string, and is a number",
  ]);
});

test("a callback that throws makes a reader strict", () => {
  const refuse = (error: ShapeError) => {
    throw new RangeError(`${error.path.join("/")}: ${error.wanted}, not ${String(error.value)}`);
  };
  expect(() => readJob({ jobQrn: "q", timeStamps: { executionDuration: "long" } }, refuse)).toThrow(
    "timeStamps/executionDuration: a number, not long",
  );
  expect(readJob({ jobQrn: "q" }, refuse).name).toBeNull();
});

test("an exact reader takes no decimal string, no fraction where a count is, and nothing below its bound", () => {
  const malformed: string[] = [];
  const read = recordReader<DeviceCalibration>(SCHEMAS.DeviceCalibration, { exact: true });
  const pair = (source: unknown) => ({ source, target: 1, value: 0.1 });
  read(
    {
      qubits: { 0: { T1: "100", gateError: { sx: Number.NaN } } },
      edges: { gateError: { cx: [pair(0), pair(-1)], cz: [pair(0.5)] } },
    },
    ({ message }) => malformed.push(message),
  );
  expect(malformed).toEqual([
    "qubits.0.T1 should be a number, 0 or more, and is a string",
    "qubits.0.gateError.sx should be a number, 0 to 1, and is a number",
    "edges.gateError.cx.1.source should be a whole number, 0 or more, and is a number",
    "edges.gateError.cz.0.source should be a whole number, 0 or more, and is a number",
  ]);
});

test("a whole value that is not of its shape is refused with the path to what is wrong", () => {
  const read = recordReader<unknown>(SCHEMAS.JobsStatuses);
  expect(read({ QUEUED: "3", RUNNING: null })).toEqual({ QUEUED: 3 });
  expect(() => read([1])).toThrow("data should be an object, and is a list");
});
