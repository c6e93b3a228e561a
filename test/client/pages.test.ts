import { expect, test } from "vitest";
import { ServiceError } from "../../src/client/errors/index.ts";
import { systemTiming } from "../../src/client/timing.ts";
import { answering, type Reply, timesFaster } from "./answering.ts";

const rows = (...qrns: string[]) => qrns.map(jobQrn => ({ jobQrn }));
const body = (data: unknown, pagination?: object): Reply => ({ body: { success: true, data, pagination } });
const pageOf = (url = "") => Number(new URL(url, "http://x").searchParams.get("page") ?? 1);

async function qrnsOf(list: AsyncIterable<{ jobQrn: string }>): Promise<string[]> {
  const qrns: string[] = [];
  for await (const { jobQrn } of list) qrns.push(jobQrn);
  return qrns;
}

test("yields every row of every page, and fetches no page that is not read", async () => {
  await using service = await answering(({ url }) => {
    const page = pageOf(url);
    return body(rows(`a${page}`, `b${page}`), { page, limit: 2, total: 6, totalPages: 3, hasNext: page < 3 });
  });
  expect(await qrnsOf(service.client.jobs.list())).toEqual(["a1", "b1", "a2", "b2", "a3", "b3"]);
  for await (const { jobQrn } of service.client.jobs.list()) if (jobQrn === "b1") break;
  expect(service.calls()).toBe(4);
});

test.each<[string, (page: number) => Reply, number, string[]]>([
  ["repeats its only page", () => body(rows("a", "b"), { hasNext: true }), 2, ["a", "b"]],
  ["has nothing on its pages", page => body(page === 1 ? rows("a") : [], { hasNext: true }), 2, ["a"]],
  [
    "has passed the last of its pages",
    page => body(rows(`a${page}`), { page, totalPages: 2, hasNext: true }),
    2,
    ["a1", "a2"],
  ],
  [
    "goes through its pages in a circle",
    page => body(rows(`a${page % 3}`), { hasNext: true }),
    4,
    ["a1", "a2", "a0"],
  ],
  [
    "has nothing but unreadable records on its next page",
    page => body(page === 1 ? rows("a") : [7], { hasNext: true }),
    2,
    ["a"],
  ],
])("ends though the service says that there is more and %s", async (_, reply, calls, expected) => {
  await using service = await answering(({ url }) => reply(pageOf(url)));
  expect(await qrnsOf(service.client.jobs.list())).toEqual(expected);
  expect(service.calls()).toBe(calls);
});

test("yields a row once that moved to the next page meanwhile", async () => {
  await using service = await answering(({ url }) =>
    pageOf(url) === 1 ? body(rows("a", "b"), { hasNext: true }) : body(rows("b", "c"), { hasNext: false }),
  );
  expect(await qrnsOf(service.client.jobs.list())).toEqual(["a", "b", "c"]);
});

test("yields pages one by one, with the records that could not be read", async () => {
  await using service = await answering(({ url }) => {
    const page = pageOf(url);
    return body([{ jobQrn: `a${page}` }, 7], { hasNext: page < 2 });
  });
  const pages: [string[], number][] = [];
  for await (const { rows, unread } of service.client.jobs.list().pages()) {
    pages.push([rows.map(({ jobQrn }) => jobQrn), unread.length]);
  }
  expect(pages).toEqual([
    [["a1"], 1],
    [["a2"], 1],
  ]);
});

test.each<[object | undefined, object]>([
  [undefined, { page: 1, total: 2, totalPages: 1, hasNext: false }],
  [
    { total: "1177", hasNext: true, limit: 2 },
    { page: 1, total: 1177, totalPages: 2, hasNext: true },
  ],
  [
    { page: 1, limit: 2, totalPages: 9 },
    { total: 2, totalPages: 9, hasNext: true, hasPrev: false },
  ],
  [{ hasNext: "yes", total: {} }, { total: 2 }],
])("knows where a page stands as far as the service says: %j", async (pagination, expected) => {
  await using service = await answering(() => body(rows("a", "b"), pagination));
  expect((await service.client.jobs.list()).pagination).toMatchObject(expected);
});

test("a list is a promise to its reader: then, catch and finally", async () => {
  await using service = await answering(() => ({ status: 403, body: { message: "No." } }));
  const list = service.client.devices.list();
  expect(service.calls()).toBe(0);
  let ended = 0;
  const message = list.catch(error => error.message).finally(() => (ended += 1));
  expect(await message).toBe("No.");
  await expect(list.finally(() => (ended += 1))).rejects.toThrow("No.");
  expect([ended, service.calls()]).toEqual([2, 1]);
});

test("a list without end is given up, with a word on how to ask for less", async () => {
  await using service = await answering(({ url }) => body(rows(`a${pageOf(url)}`), { hasNext: true }));
  const error = await qrnsOf(service.client.jobs.list()).catch(reason => reason);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({
    code: "TOO_MANY_PAGES",
    message: expect.stringContaining("after 2000 pages"),
  });
  expect(service.calls()).toBe(2000);
}, 60_000);

test("a list whose pages take more than ten minutes is given up, however few they are", async () => {
  const { now } = systemTiming;
  await using service = await answering(
    ({ url }) => {
      const after = pageOf(url) * 61_000;
      systemTiming.now = () => now() + after;
      return body(rows(`a${pageOf(url)}`), { hasNext: true });
    },
    { timing: timesFaster(1) },
  );
  const error = await qrnsOf(service.client.jobs.list()).catch(reason => reason);
  systemTiming.now = now;
  expect(error).toMatchObject({ code: "TOO_MANY_PAGES", message: expect.stringContaining("after 10 pages") });
  expect(service.calls()).toBe(10);
});
