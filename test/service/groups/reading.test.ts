import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storePath } from "../../../src/service/node/sqlite/open.ts";
import { type Serving, serving } from "../serving.ts";

let service: Serving;
beforeAll(async () => {
  service = await serving();
});
afterAll(() => service[Symbol.asyncDispose]());

const HOUR_MS = 3_600_000;

test("a look at groups whose time is over shows them CLOSED, and writes nothing", async () => {
  const { call, ended, submit } = await service.user();
  const made = (await call("POST", "/jobs/group", { name: "over" })).body.data;
  const { groupJobQrn } = made;
  await ended((await submit({ groupJobQrn })).jobQrn);
  const busy = (await call("POST", "/jobs/group", { name: "empty", maxTTL: 7200 })).body.data;
  service.pass(HOUR_MS + 1);
  using database = new DatabaseSync(storePath(service.folder), { readOnly: true });
  const version = () => database.prepare("pragma data_version").get();
  const before = version();
  const names = async (query: string) =>
    (await call("GET", `/jobs/group${query}`)).body.data.map(
      (group: { name: string; status: string }) => `${group.name} ${group.status}`,
    );
  expect(await names("")).toEqual(["empty OPEN", "over CLOSED"]);
  expect(await names("?status=OPEN")).toEqual(["empty OPEN"]);
  expect(await names("?status=CLOSED")).toEqual(["over CLOSED"]);
  const { data: open } = (await call("GET", `/jobs/group/${busy.groupJobQrn}`)).body;
  expect(open.status).toBe("OPEN");
  expect(version()).toEqual(before);

  const listed = (await call("GET", "/jobs/group?status=CLOSED")).body.data[0];
  expect(listed.updatedAt).toBe(made.expiresAt);
  const { status, body } = await call("POST", "/jobs", {
    deviceQrn: "svc:svc:sim:statevector",
    shots: 1,
    program: { format: "qasm3", data: "OPENQASM 3.0; qubit q;" },
    groupJobQrn,
  });
  expect([status, body.error.code]).toEqual([409, "GROUP_NOT_OPEN"]);
  expect((await call("GET", `/jobs/group/${groupJobQrn}`)).body.data.status).toBe("COMPLETED");
});
