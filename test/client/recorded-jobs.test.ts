import { expect, test } from "vitest";
import { reading } from "./reading.ts";

test("what was done to a job needs no name again", async () => {
  const { jobs: client } = reading({ status: "CANCELLING" });
  expect(await client.cancel("q")).toMatchObject({ jobQrn: "q", status: "CANCELLING" });
  expect(await reading(null).jobs.delete("q")).toMatchObject({ jobQrn: "q", stillRunning: null });
});

test("a program that is no text is read as it came", async () => {
  const program = { format: "pulser.sequence", data: { name: "s", ops: [1] } };
  expect(await reading(structuredClone(program)).jobs.program("q")).toEqual(program);
});

test("a program of a batch that cannot be read keeps its place, empty, and is in `unread`", async () => {
  const program = { format: "qasm3", data: "OPENQASM 3.0;" };
  const programs = await reading([null, program, { format: "qasm3" }]).jobs.program("q");
  const empty = { format: "unknown", data: "" };
  expect([...(programs as object[])]).toEqual([empty, program, empty]);
  expect(programs).toMatchObject({ unread: [{ index: 0, value: null }, { index: 2 }] });
});

test("what deleting several jobs did names every job that is left, be its reason malformed", async () => {
  const answer = { successfulIds: ["a"], failedIds: { x: "reason", y: null, z: { code: 5 } } };
  const why = "The service does not say why.";
  expect(await reading(answer).jobs.deleteMany(["a", "x", "y", "z"])).toEqual({
    successfulIds: ["a"],
    failedIds: { x: "reason", y: why, z: why },
    stillRunning: [],
  });
});

test("a malformed number of jobs in a status leaves the others", async () => {
  const statuses = { COMPLETED: 5, FAILED: "many", PAUSED: null, QUEUED: "2", RUNNING: {} };
  expect(await reading(statuses).jobs.statuses()).toEqual({ COMPLETED: 5, QUEUED: 2 });
});

test("drawings of circuits need neither a format nor numbers, and unreadable ones keep their place", async () => {
  const drawn = { circuits: [{ ascii: "q: H" }, null, { ascii: "q: X", index: 2 }] };
  expect(await reading(drawn).jobs.ascii("q")).toEqual({
    format: "ascii",
    circuits: [
      { index: 0, ascii: "q: H" },
      { index: 1, ascii: "" },
      { index: 2, ascii: "q: X" },
    ],
  });
});

test("the results of a batch come as the service wrote them, each in its place, empty ones too", async () => {
  const result = { status: "COMPLETED", cost: "0E-33", resultData: { measurementCounts: { "0": "5" } } };
  const results = await reading([result, {}, null, [], result]).jobs.result("q");
  expect(results).toHaveLength(5);
  expect([...(results as object[])]).toMatchObject([
    { cost: 0, resultData: result.resultData },
    {},
    {},
    {},
    { cost: 0 },
  ]);
});
