import { afterAll, beforeAll, expect, test } from "vitest";
import { type Body, bell, findSubject, long, type Subject } from "./subject.ts";

let service: Subject;
beforeAll(async () => {
  service = await findSubject();
});
afterAll(() => service.close());

const make = async (body?: object) => (await service.call("POST", "/jobs/group", { body })).body.data;
const get = async (qrn: string) => (await service.call("GET", `/jobs/group/${qrn}`)).body.data;
const post = (qrn: string, action: string) => service.call("POST", `/jobs/group/${qrn}/${action}`);

test("a group is made OPEN, with 201, with or without a body", async () => {
  const { status, body } = await service.call("POST", "/jobs/group");
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ status: "OPEN", maxTTL: 3600, jobCount: 0 });
  expect(body.data.groupJobQrn).toMatch(/^group:./);
  expect(await make({ name: "n", tags: { a: 1 }, metadata: { m: [] }, maxTTL: 5 })).toMatchObject({
    name: "n",
    tags: { a: 1 },
    metadata: { m: [] },
    maxTTL: 5,
  });
});

test.each([{ maxTTL: 0 }, { maxTTL: 86_401 }, { maxTTL: "5" }, { name: 5 }, { tags: { a: {} } }])(
  "a group of %j is refused with 422",
  async body => {
    const answer = await service.call("POST", "/jobs/group", { body });
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
  },
);

test("a group whose jobs are all COMPLETED resolves to COMPLETED when it is got", async () => {
  const { groupJobQrn } = await make();
  const jobs = [await service.submit({ groupJobQrn }), await service.submit({ groupJobQrn })];
  for (const job of jobs) await service.ended(job.jobQrn);
  expect(await get(groupJobQrn)).toMatchObject({ status: "COMPLETED", jobCount: 2, completedCount: 2 });
  const { data } = (await service.call("GET", `/jobs/group/${groupJobQrn}/jobs`)).body;
  expect(data.map((job: Body) => job.jobQrn).sort()).toEqual(jobs.map(job => job.jobQrn).sort());
});

test("a group with a job that failed resolves to FAILED", async () => {
  const { groupJobQrn } = await make();
  const job = await service.submit({ groupJobQrn, program: { ...bell, data: "nonsense" } });
  await service.ended(job.jobQrn);
  expect(await get(groupJobQrn)).toMatchObject({ status: "FAILED", failedCount: 1 });
});

test("a group that is not OPEN takes no jobs", async () => {
  const { groupJobQrn } = await make();
  expect((await post(groupJobQrn, "close")).body.data.status).toBe("CLOSED");
  const body = { deviceQrn: service.device, shots: 1, program: bell, groupJobQrn };
  const answer = await service.call("POST", "/jobs", { body });
  expect([answer.status, answer.body.error.code]).toEqual([409, "GROUP_NOT_OPEN"]);
});

test("an empty group stays OPEN, and resolves to COMPLETED once it is CLOSED", async () => {
  const { groupJobQrn } = await make();
  expect(await get(groupJobQrn)).toMatchObject({ status: "OPEN" });
  await post(groupJobQrn, "close");
  expect(await get(groupJobQrn)).toMatchObject({ status: "COMPLETED" });
});

test("cancelling a group, OPEN or CLOSED, cancels its jobs", async () => {
  for (const first of ["OPEN", "CLOSED"]) {
    const { groupJobQrn } = await make();
    const { jobQrn } = await service.submit({ groupJobQrn, program: long });
    if (first === "CLOSED") await post(groupJobQrn, "close");
    const { status, body } = await post(groupJobQrn, "cancel");
    expect([status, body.data.status]).toEqual([200, "CANCELLED"]);
    expect(await service.ended(jobQrn)).toMatchObject({ status: "CANCELLED" });
  }
});

test("a terminal group can be neither closed nor cancelled", async () => {
  const { groupJobQrn } = await make();
  await post(groupJobQrn, "cancel");
  for (const action of ["close", "cancel"]) expect((await post(groupJobQrn, action)).status).toBe(409);
});

test("an OPEN group whose maxTTL is over is closed when groups are listed", async () => {
  const { groupJobQrn } = await make({ maxTTL: 1 });
  await expect
    .poll(
      async () => {
        const { data } = (await service.call("GET", "/jobs/group")).body;
        return data.find((group: Body) => group.groupJobQrn === groupJobQrn).status;
      },
      { timeout: 5000 },
    )
    .toBe("CLOSED");
});

test("groups are listed newest first, in pages of 50 by default, and by status", async () => {
  const made = [(await make()).groupJobQrn, (await make()).groupJobQrn];
  const { data, pagination } = (await service.call("GET", "/jobs/group?status=OPEN")).body;
  expect(data.slice(0, 2).map((group: Body) => group.groupJobQrn)).toEqual(made.reverse());
  expect(pagination).toMatchObject({ page: 1, limit: 50 });
  for (const query of ["status=open", "page=0", "limit=101"]) {
    expect((await service.call("GET", `/jobs/group?${query}`)).status).toBe(400);
  }
});

test.each([
  ["GET", ""],
  ["GET", "/jobs"],
  ["POST", "/close"],
  ["POST", "/cancel"],
])("%s of an unknown group%s is 404", async (method, rest) => {
  expect((await service.call(method, `/jobs/group/group:none${rest}`)).status).toBe(404);
});
