import { afterAll, beforeAll, expect, test } from "vitest";
import { bell, bellJob, type Serving, serving } from "../serving.ts";

let service: Serving;
beforeAll(async () => {
  service = await serving();
});
afterAll(() => service[Symbol.asyncDispose]());

const turn = {
  format: "qasm3",
  data: 'OPENQASM 3.0;\ninclude "stdgates.inc";\ninput angle theta;\nqubit q;\nbit c;\nry(theta) q;\nc = measure q;\n',
};

test("a compiled program says how it was run, and runs again to the same result", async () => {
  const job = await service.ended((await service.submit({ runtimeOptions: { seed: 3 } })).jobQrn);
  const { status, body } = await service.call("GET", `/jobs/${job.jobQrn}/compiled-program`);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    format: "qasm3",
    data: expect.stringContaining("// Method: statevector"),
  });
  const again = await service.ended(
    (await service.submit({ program: body.data, runtimeOptions: { seed: 3 } })).jobQrn,
  );
  const counts = async (qrn: string) =>
    (await service.call("GET", `/jobs/${qrn}/result`)).body.data.resultData.measurementCounts;
  expect(await counts(again.jobQrn)).toEqual(await counts(job.jobQrn));
});

test("a batch has a compiled program for each of its programs, and a failed job has none", async () => {
  const batch = await service.ended((await service.submit({ program: [bell, bell] })).jobQrn);
  const compiled = await service.call("GET", `/jobs/${batch.jobQrn}/compiled-program`);
  expect(compiled.body.data).toHaveLength(2);
  const failed = await service.ended((await service.submit({ program: { ...bell, data: "oops" } })).jobQrn);
  const none = await service.call("GET", `/jobs/${failed.jobQrn}/compiled-program`);
  expect(none.status).toBe(404);
  expect(none.body.message).toContain("FAILED");
});

test("a program's inputs come from the options, and a missing one fails the job where it is declared", async () => {
  const options = { inputs: { theta: Math.PI } };
  const job = await service.ended((await service.submit({ program: turn, runtimeOptions: options })).jobQrn);
  const { body } = await service.call("GET", `/jobs/${job.jobQrn}/result`);
  expect(body.data.resultData.measurementCounts).toEqual({ "1": 100 });
  const missing = await service.ended((await service.submit({ program: turn })).jobQrn);
  expect(missing.statusMsg).toMatch(/^3:13: .*theta/);
});

test("output variables are in the result, shot by shot, when the memory is kept", async () => {
  const data = `${bell.data}\noutput int sum; sum = int(c[0]) + int(c[1]);`;
  const job = await service.ended(
    (await service.submit({ program: { ...bell, data }, shots: 20, runtimeOptions: { memory: true } }))
      .jobQrn,
  );
  const { body } = await service.call("GET", `/jobs/${job.jobQrn}/result`);
  const { outputs, measurements } = body.data.resultData;
  expect(outputs.map(({ sum }: { sum: number }) => sum)).toEqual(
    measurements.map((bits: number[]) => (bits.join("") === "11" ? 2 : 0)),
  );
});

test("a failed job lists everything that is wrong with its program", async () => {
  const data = `${bell.data}\nhh q[0];\ncx q[0] q[1];`;
  const job = await service.ended((await service.submit({ program: { ...bell, data } })).jobQrn);
  expect(job.status).toBe("FAILED");
  const places = (job.metadata.diagnostics as { line: number; column: number }[]).map(({ line }) => line);
  expect(places).toEqual([8, 9]);
  expect(job.statusMsg).toMatch(/^8:1: /);
});

test("a value that no input variable can take is refused", async () => {
  const { status, body } = await service.call(
    "POST",
    "/jobs",
    bellJob({ runtimeOptions: { inputs: { theta: null } } }),
  );
  expect(status).toBe(400);
  expect(body.error.details[0].path).toMatch(/^runtimeOptions\.inputs/);
});

const qir = (gate: string) => `define void @main() #0 {
entry:
  call void @__quantum__qis__${gate}(ptr null)
  call void @__quantum__qis__mz__body(ptr null, ptr null)
  %0 = call i1 @__quantum__rt__read_result(ptr null)
  br i1 %0, label %then, label %done
then:
  call void @__quantum__qis__x__body(ptr inttoptr (i64 1 to ptr))
  br label %done
done:
  call void @__quantum__qis__mz__body(ptr inttoptr (i64 1 to ptr), ptr inttoptr (i64 1 to ptr))
  call void @__quantum__rt__result_record_output(ptr null, ptr null)
  call void @__quantum__rt__result_record_output(ptr inttoptr (i64 1 to ptr), ptr null)
  ret void
}
attributes #0 = { "entry_point" "qir_profiles"="adaptive_profile" "required_num_qubits"="2" "required_num_results"="2" }
`;

test("QIR runs, is drawn and is given as compiled", async () => {
  const program = { format: "qir.ll", data: qir("h__body") };
  const job = await service.ended((await service.submit({ program, shots: 0 })).jobQrn);
  const get = async (what: string) => (await service.call("GET", `/jobs/${job.jobQrn}/${what}`)).body.data;
  const { measurementProbabilities } = (await get("result")).resultData;
  expect(Object.keys(measurementProbabilities).sort()).toEqual(["00", "11"]);
  expect((await get("program/ascii")).circuits[0].ascii).toContain("if c[0]");
  const compiled = await get("compiled-program");
  expect(compiled.data).toContain("if (c[0]) {\n  x q[1];\n}");
  const again = await service.ended((await service.submit({ program: compiled, shots: 0 })).jobQrn);
  const { body } = await service.call("GET", `/jobs/${again.jobQrn}/result`);
  expect(body.data.resultData.measurementProbabilities).toEqual(measurementProbabilities);
});

test("QIR that is wrong fails where it is wrong, and no device takes it as bitcode", async () => {
  const program = { format: "qir.ll", data: qir("warp__body") };
  const job = await service.ended((await service.submit({ program })).jobQrn);
  expect(job).toMatchObject({ status: "FAILED", statusMsg: expect.stringMatching(/^3:13: .*warp__body/) });
  const bitcode = await service.call(
    "POST",
    "/jobs",
    bellJob({ program: { format: "qir.bc", data: "QkPA3g==" } }),
  );
  expect(bitcode.status).toBe(400);
  expect(bitcode.body.error.details[0].message).toContain("qasm3, qasm2, qir.ll");
});

test("what a simulator reads over is noted on the job, which completes", async () => {
  const data = `${bell.data}\ndefcal x $0 { play(drive, pulse); }\ncal { frame f; }`;
  const job = await service.ended((await service.submit({ program: { ...bell, data } })).jobQrn);
  expect(job.status).toBe("COMPLETED");
  expect(job.metadata.diagnostics).toEqual([
    { severity: "note", line: 8, column: 1, message: expect.stringContaining("Calibrations") },
  ]);
  const batch = await service.ended((await service.submit({ program: [bell, { ...bell, data }] })).jobQrn);
  expect(batch.metadata.diagnostics).toMatchObject([{ program: 1, line: 8 }]);
});

test("a program includes the files that it is submitted with, and none of the service's own", async () => {
  const files = { "pairs.inc": 'include "stdgates.inc";\ngate pair a, b { h a; cx a, b; }' };
  const data = 'include "pairs.inc"; qubit[2] q; bit[2] c; pair q[0], q[1]; c = measure q;';
  const program = { format: "qasm3", data, files };
  const job = await service.ended((await service.submit({ program })).jobQrn);
  expect(job.status).toBe("COMPLETED");
  expect((await service.call("GET", `/jobs/${job.jobQrn}/program`)).body.data).toEqual(program);
  const drawn = await service.call("GET", `/jobs/${job.jobQrn}/program/ascii`);
  expect(drawn.body.data.circuits[0].ascii).toContain("pair");
  const { body } = await service.call("GET", `/jobs/${job.jobQrn}/result`);
  expect(Object.keys(body.data.resultData.measurementCounts).sort()).toEqual(["00", "11"]);

  const wrong = { ...program, files: { "pairs.inc": 'include "stdgates.inc";\nhh q;' } };
  const failed = await service.ended((await service.submit({ program: wrong })).jobQrn);
  expect(failed.statusMsg).toMatch(/^pairs\.inc:2:1: /);
  const missing = { ...program, data: 'include "/etc/hostname";' };
  const refused = await service.ended((await service.submit({ program: missing })).jobQrn);
  expect(refused.statusMsg).toMatch(/^1:1: There is no file "\/etc\/hostname"/);
});
