import { describe, expect, test } from "vitest";
import { KetbookError } from "../../src/client/errors/index.ts";
import type { RecordedProgram } from "../../src/contract/job.ts";
import { connect } from "../../src/index.ts";
import { Result } from "../../src/notebook/results/result.ts";
import { listening, send } from "../client/answering.ts";
import { bundleOf } from "./bundle.ts";

const qrn = "aws:x:qpu:y-1-qjob-1";
const job = { jobQrn: qrn, deviceQrn: "aws:x:qpu:y", status: "COMPLETED", shots: 10, runtimeOptions: {} };
const result = { status: "COMPLETED", resultData: { measurementCounts: { "01": 10 } } };

/** A service that recorded this for a job, and keeps the bodies of submissions. */
async function recorded(program: unknown, compiled: unknown = program) {
  const submitted: { program: RecordedProgram | RecordedProgram[] }[] = [];
  const { origin, ...rest } = await listening((request, response) => {
    const answer = (data: unknown) => send(response, { body: { success: true, data } });
    const { url = "" } = request;
    if (request.method === "POST") {
      let body = "";
      request.on("data", part => (body += part));
      request.on("end", () => {
        submitted.push(JSON.parse(body));
        answer({ ...job, jobQrn: `${qrn}2`, ...(Array.isArray(program) && { batchJobQrn: "b" }) });
      });
    } else if (url.endsWith("/compiled-program")) answer(compiled);
    else if (url.endsWith("/program")) answer(program);
    else if (url.endsWith("/result")) answer(Array.isArray(program) ? program.map(() => result) : result);
    else answer(job);
  });
  const ketbook = connect({ url: `${origin}/api/v1`, apiKey: "secret-key" });
  return {
    ketbook,
    job: await ketbook.job(qrn),
    submitted,
    [Symbol.asyncDispose]: rest[Symbol.asyncDispose],
  };
}

describe.each<RecordedProgram>([
  { format: "qir.bc", data: "QkPA3g==" },
  { format: "qasm2", data: 'include "qelib1.inc"; qreg q[1]; creg c[1]; measure q -> c;' },
  { format: "ahs", data: { hamiltonian: { terms: [1, "x"] } } },
  { format: "pulses", data: [["play", 1]] },
])("a program that was recorded in $format", program => {
  const text = typeof program.data === "string" ? program.data : JSON.stringify(program.data, null, 2);

  test("keeps format and data when it is looked at, and is run again as it was", async () => {
    await using service = await recorded(program);
    for (const found of [
      await service.job.program(),
      await service.job.compiled(),
      (await service.job.programs())[0]!,
    ]) {
      expect(found.format).toBe(program.format);
      expect(String(found)).toBe(text);
      expect(JSON.parse(JSON.stringify(found))).toEqual(program);
      expect(bundleOf(found)["text/plain"]).toBeTypeOf("string");
      await service.ketbook.run(found).on(job.deviceQrn).submit();
    }
    await service.job.rerun();
    expect(service.submitted.map(each => each.program)).toEqual([program, program, program, program]);
    expect(bundleOf(await service.job.programs())["text/plain"]).toContain(program.format);
  });

  test("is known to the result with its format, when that was saved too, and is replayed as it was", async () => {
    await using service = await recorded([program, program]);
    await service.job.programs();
    const given = (await service.job.results())[1]!;
    expect((await given.provenance()).program).toBe(text);
    expect((await given.provenance()).compiledProgram).toBe(text);
    const loaded = Result.from(JSON.parse(JSON.stringify(given)));
    expect(loaded.context).toMatchObject({ program, compiledProgram: program });
    await given.replay().submit();
    await loaded.replay(service.ketbook).submit();
    expect(service.submitted.map(each => each.program)).toEqual([program, program]);
  });
});

test("a program of a batch that cannot be read keeps its place, and is listed as unread; it is not run again", async () => {
  const program = { format: "qir.bc", data: "QkPA3g==" };
  await using service = await recorded([program, null]);
  const programs = await service.job.programs();
  expect(programs.map(({ format }) => format)).toEqual(["qir.bc", "unknown"]);
  expect((await service.job.programs()).unread).toMatchObject([{ index: 1, value: null }]);
  expect(bundleOf(programs)["text/plain"]).toContain("1 record could not be read");
  expect(await service.job.program()).toMatchObject(program);
  await expect(service.job.rerun()).rejects.toThrow("An empty string is not a program");
});

test.each([[[]], [[null]]])("a job of which the service gives %j has no program, and says so", async none => {
  await using service = await recorded(none);
  await expect(service.job.program()).rejects.toThrow(KetbookError);
  await expect(service.job.program()).rejects.toThrow("has no program of this job");
  await expect(service.job.compiled()).rejects.toThrow("has no compiled program of this job");
});
