import { afterAll, beforeAll, expect, test } from "vitest";
import { type Body, findSubject, type Subject } from "./subject.ts";

let service: Subject;
beforeAll(async () => {
  service = await findSubject();
});
afterAll(() => service.close());

const list = async (query = "") =>
  (await service.call("GET", `/devices?limit=100&${query}`)).body.data as Body[];

test("a device is listed as it is got", async () => {
  const { data } = (await service.call("GET", `/devices/${service.device}`)).body;
  expect(data).toMatchObject({ qrn: service.device, deviceType: "SIMULATOR", status: "ONLINE" });
  expect(data.runInputTypes).toContain("qasm3");
  expect((await list(`qrn=${service.device}`)).map(device => device.qrn)).toEqual([service.device]);
});

test("devices are listed in pages of 20 by default", async () => {
  const { pagination, meta } = (await service.call("GET", "/devices")).body;
  expect(pagination).toMatchObject({ page: 1, limit: 20 });
  expect(Date.parse(meta.timestamp)).not.toBeNaN();
});

test.each([
  ["vendor", "vendor"],
  ["providerId", "providerId"],
  ["deviceType", "deviceType"],
  ["status", "status"],
])("the filter %s keeps what matches, and nothing else", async (name, field) => {
  const all = await list();
  for (const value of new Set(all.map(device => device[field]))) {
    const expected = all.filter(device => device[field] === value).map(device => device.qrn);
    expect((await list(`${name}=${encodeURIComponent(value)}`)).map(device => device.qrn)).toEqual(expected);
  }
});

test.each(["private", "verified", "directAccess"])("the filter %s parts the list in two", async name => {
  const [yes, no] = [await list(`${name}=true`), await list(`${name}=false`)];
  expect(yes.every(device => device[name] === true) && no.every(device => device[name] === false)).toBe(true);
  expect(yes.length + no.length).toBe((await list()).length);
});

test("retired=false leaves RETIRED devices out, and true lets them in", async () => {
  expect((await list("retired=false")).some(device => device.status === "RETIRED")).toBe(false);
  expect((await list("retired=true")).length).toBe((await list()).length);
});

test("the search looks into names and descriptions", async () => {
  const [device] = await list(`qrn=${service.device}`);
  const found = await list(`search=${encodeURIComponent(device.name.toUpperCase())}`);
  expect(found.map(each => each.qrn)).toContain(service.device);
});

test.each(["name", "vendor", "deviceType", "status", "numberQubits", "createdAt", "updatedAt"])(
  "the list can be sorted by %s, both ways",
  async key => {
    const rank = (device: Body) =>
      typeof device[key] === "number" ? device[key] : String(device[key]).toLowerCase();
    for (const [order, sign] of [
      ["asc", 1],
      ["desc", -1],
      [undefined, 1],
    ] as const) {
      const ranks = (await list(`sortBy=${key}${order ? `&sortOrder=${order}` : ""}`)).map(rank);
      expect(ranks).toEqual([...ranks].sort((a, b) => (a < b ? -sign : a > b ? sign : 0)));
    }
  },
);

test.each([
  "vendor=all",
  "deviceType=sim",
  "status=online",
  "retired=1",
  "private=",
  "verified=maybe",
  "search=",
  `search=${"x".repeat(256)}`,
  "sortBy=qrn",
  "sortOrder=up",
  "page=0",
  "limit=0",
])("the query %s is refused with 400", async query => {
  const { status, body } = await service.call("GET", `/devices?${query}`);
  expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
});

test("an unknown device is 404", async () => {
  expect((await service.call("GET", "/devices/svc:svc:sim:none")).status).toBe(404);
});

test("a device that takes no jobs refuses them, a retired one for good", async () => {
  const program = { format: "qasm3", data: "OPENQASM 3.0;\nqubit q;" };
  const expected: Record<string, [number, string]> = {
    RETIRED: [410, "DEVICE_RETIRED"],
    OFFLINE: [409, "DEVICE_NOT_AVAILABLE"],
    UNAVAILABLE: [409, "DEVICE_NOT_AVAILABLE"],
  };
  for (const device of await list()) {
    if (!(device.status in expected)) continue;
    const { status, body } = await service.call("POST", "/jobs", {
      body: { deviceQrn: device.qrn, shots: 1, program },
    });
    expect([status, body.error.code]).toEqual(expected[device.status]);
    const quote = await service.call("GET", `/jobs/cost-estimate?deviceQrn=${device.qrn}`);
    expect(quote.status).toBe(device.status === "RETIRED" ? 410 : 200);
  }
});

test("calibrations are given, or 404 where there are none, and 400 for what is no QRN", async () => {
  for (const device of await list()) {
    const { status, body } = await service.call("GET", `/devices/${device.qrn}/calibrations`);
    if (status === 200) expect(body.data.deviceQrn).toBe(device.qrn);
    else expect(status).toBe(404);
  }
  expect((await service.call("GET", "/devices/none/calibrations")).status).toBe(400);
});
