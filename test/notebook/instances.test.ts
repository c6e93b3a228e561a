import { inspect } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, devices, Ketbook, KetbookError, NotFoundError, run } from "../../src/index.ts";
import { type Serving, serving } from "../service/serving.ts";
import { bundleOf } from "./bundle.ts";
import { useServiceHere } from "./own-service.ts";
import { bell, endless } from "./programs.ts";

await useServiceHere();
const services: Serving[] = [];
let a: Ketbook;
let b: Ketbook;

beforeAll(async () => {
  for (let at = 0; at < 2; at++) services.push(await serving());
  const of = ({ url, apiKey }: { url: string; apiKey: string }) =>
    new Ketbook({ url, apiKey, device: "statevector" });
  [a, b] = [of(services[0]!.service), of(services[1]!.service)];
});

afterAll(async () => {
  for (const service of services) await service[Symbol.asyncDispose]();
});

test("what one account made stays with it, whatever the notebook connects to later", async () => {
  connect(a);
  const prepared = run(bell).shots(5);
  const [device] = await devices({ qrn: "ibm:emulated:qpu:perth" });
  const job = await run(bell).shots(7).submit();
  const spentBefore = (await b.credits()).svcCredits;
  connect(b);
  await job.refresh();
  expect((await job.result()).shots).toBe(7);
  expect((await prepared).job.qrn).not.toBe("");
  await device!.calibration();
  expect((await b.credits()).svcCredits).toBe(spentBefore);
  expect(await b.jobs()).toHaveLength(0);
  expect((await a.jobs()).length).toBe(2);
  await expect(b.job(job.qrn)).rejects.toThrow(NotFoundError);
  await run(bell).shots(3);
  expect(await b.jobs()).toHaveLength(1);
});

test("the helpers of an account work detached", async () => {
  const { run, job, device, toJSON } = a;
  const { qrn } = await run(bell).shots(3).submit();
  expect((await job(qrn).result()).shots).toBe(3);
  expect((await device("perth")).qrn).toBe("ibm:emulated:qpu:perth");
  expect(toJSON().device).toBe("statevector");
  expect(Object.keys(a)).not.toContain("run");
});

test("lists, groups and the jobs in them belong to the account that they are from", async () => {
  const group = await a.createGroup({ name: "of a" });
  const long = await a.run(endless).in(group).submit();
  connect(b);
  const [listed] = await a
    .jobs({ status: "RUNNING" })
    .limit(1)
    .filter(({ qrn }) => qrn === long.qrn);
  await (listed ?? long).cancel();
  await expect(long.wait()).rejects.toThrow(/CANCELLED/);
  await group.close();
  expect((await a.group(group.qrn)).status).not.toBe("OPEN");
  await expect(b.group(group.qrn)).rejects.toThrow(NotFoundError);
});

test("the typed client answers plain records, and its lists are awaited or iterated over", async () => {
  const { rows, pagination } = await a.client.devices.list({ limit: 2 });
  expect(rows).toHaveLength(2);
  expect(pagination.total).toBeGreaterThan(2);
  const seen: string[] = [];
  for await (const { qrn } of a.client.devices.list({ limit: 2 })) seen.push(qrn);
  expect(seen).toHaveLength(pagination.total);
  expect((await a.client.account.balance()).svcCredits).toBeGreaterThan(0);
});

test("a run without a device goes to the connection's, and without one says which there are", async () => {
  expect((await a.run(bell).shots(5)).job.record.deviceQrn).toBe("svc:svc:sim:statevector");
  expect((await run(bell).shots(5)).job.record.deviceQrn).toBe("svc:svc:sim:statevector");
  const { url, apiKey } = services[0]!.service;
  const bare = new Ketbook({ url, apiKey });
  await expect(bare.run(bell)).rejects.toThrow(/No device is named.*\.on\("…"\).* statevector,/);
  const shown = bare.run(bell);
  await shown.settled();
  expect(bundleOf(shown)["text/plain"]).toContain("not chosen yet");
});

test("what is awaitable is a promise to its reader", async () => {
  const ended: string[] = [];
  const count = await a
    .devices()
    .finally(() => ended.push("devices"))
    .then(all => all.length);
  expect(count).toBeGreaterThan(0);
  expect(await a.job("none").catch(error => error)).toBeInstanceOf(NotFoundError);
  expect(
    await a
      .run(bell)
      .shots(5)
      .finally(() => ended.push("run")),
  ).toMatchObject({ shots: 5 });
  expect(await Promise.race([a.credits()])).toHaveProperty("svcCredits");
  expect(ended).toEqual(["devices", "run"]);
  const typed: Promise<unknown>[] = [a.devices(), a.job("none"), a.run(bell), a.credits(), a.groups()];
  expect(typed).toHaveLength(5);
});

test("a pending job has what a job has", async () => {
  const pending = a.run([bell, bell]).shots(5).submit();
  expect(await pending.qrn).toMatch(/qjob/);
  expect(await pending.programs()).toHaveLength(2);
  expect((await pending.results()).map(({ shots }) => shots)).toEqual([5, 5]);
  expect((await pending.refresh()).status).toBe("COMPLETED");
  expect(await pending.ascii()).toContain("q");
  expect((await pending.compiled()).data).toContain("OPENQASM");
  expect(await pending.cost).toBeGreaterThan(0);
});

test("what sends refuses options that there are not", async () => {
  await expect(a.devices({}, { singal: 1 } as never)).rejects.toThrow(/"singal".*"signal"/);
  await expect(a.run(bell).submit({ timeout: "1s" } as never)).rejects.toThrow(
    /timeout must be milliseconds/,
  );
  await expect(a.devices().cheapest({ shot: 5 } as never)).rejects.toThrow(/"shot".*"shots"/);
  await expect(a.devices().filter((async () => false) as never)).rejects.toThrow(/returned a promise/);
  await expect(a.device("perht")).rejects.toThrow(
    /"perht": no device has that name\. Did you mean "perth"\?/,
  );
});

test("a group that is being made, and a device that is looked up, can be named before they are there", async () => {
  const group = a.createGroup({ name: "soon" });
  const result = await a.run(bell).in(group).on(a.device("sparse")).shots(5);
  expect(result.job.record).toMatchObject({ groupJobQrn: await group.qrn, deviceQrn: "svc:svc:sim:sparse" });
  expect(await group.status).toBe("OPEN");
  await group.close();
});

test("options that there are not, and values that can't be, are refused by name", () => {
  expect(() => new Ketbook({ uri: "https://quantum.example" } as never)).toThrow(/Ketbook: .*"uri".*"url"/);
  expect(() => new Ketbook({ timeout: -1 })).toThrow(/timeout must be a whole number/);
  expect(() => a.run(bell).options({ sead: 1 })).toThrow(/"sead".*Did you mean "seed"/);
  expect(() => a.run(bell).options({ seed: -1 })).toThrow(/seed must be a whole number, 0 or more, not -1/);
  expect(() => a.run(bell).options({ "provider.option": [1] })).not.toThrow();
  expect(() => a.devices({ deviceTyp: "QPU" } as never)).toThrow(/"deviceTyp".*"deviceType"/);
  expect(() => a.jobs({ since: "yesterdayish" })).toThrow(/since must be a date/);
  expect(() => a.createGroup({ maxTLL: 3 } as never)).toThrow(/"maxTLL".*"maxTTL"/);
  expect(() => a.run(undefined as never)).toThrow(/undefined is not a program/);
  expect(() => a.run(bell).on(undefined as never)).toThrow(/on\(undefined\): give one of devices/);
  expect(() => a.run(bell).on(a.devices() as never)).toThrow(/is an await missing/);
  expect(() => a.run(bell).tagged("homework" as never)).toThrow(/tagged\("homework"\): give tags by key/);
  expect(() => a.run(bell).maxCost("100" as never)).toThrow(/maxCost\("100"\)/);
  expect(() => a.run(bell).shots("100" as never)).toThrow(/shots\("100"\)/);
  expect(() => a.run(bell).in({} as never)).toThrow(/in\(an object\): give a group/);
  expect(() => a.run(bell).options("seed=1" as never)).toThrow(/options\("seed=1"\): give options by name/);
  expect(() => a.run(bell).options({ shots: 5 })).toThrow(/Write run\(…\)\.shots/);
  expect(() => a.run(bell).options({ tagged: { course: "a" } })).toThrow(/Write run\(…\)\.tagged/);
  expect(() => a.run("")).toThrow(/An empty string is not a program/);
  expect(() => a.run(Promise.resolve(bell) as never)).toThrow(/is an await missing/);
  for (const empty of ["", "  ", undefined, 7])
    for (const helper of ["job", "group", "device"] as const)
      expect(() => a[helper](empty as never).start()).toThrow(KetbookError);
});

test("an instance says where its service is and never its key, however it is printed", async () => {
  const lab = new Ketbook({
    url: "https://me:s3cret@quantum.example/api/v1?k=s3cret",
    apiKey: "s3cret",
    device: "perth",
  });
  const line = "Ketbook at https://quantum.example/api/v1, device perth";
  expect(String(lab)).toBe(line);
  expect(inspect({ lab })).toBe(`{ lab: ${line} }`);
  expect(JSON.parse(JSON.stringify(lab))).toEqual({ url: "https://quantum.example/api/v1", device: "perth" });
  expect(String(new Ketbook())).toBe("Ketbook of this computer, device svc:svc:sim:statevector");
  for (const whole of [lab, lab.client, lab.device("perth"), lab.jobs()])
    expect(inspect(whole, { showHidden: true, depth: 9 })).not.toContain("s3cret");
});

test("an instance whose settings are broken is printed all the same, with what is wrong", () => {
  process.env.KETBOOK_URL = "ftp://quantum.example";
  try {
    const lab = new Ketbook();
    expect(String(lab)).toMatch(
      /^Ketbook without a service \(KETBOOK_URL .*is not an address such as https:/,
    );
    expect(JSON.parse(JSON.stringify(lab))).toMatchObject({ url: null, device: null });
  } finally {
    delete process.env.KETBOOK_URL;
  }
});
