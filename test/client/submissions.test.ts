import { expect, test } from "vitest";
import { openClient } from "../../src/client/client.ts";
import {
  ConnectionError,
  LostSubmissionError,
  NotFoundError,
  ServiceError,
} from "../../src/client/errors/index.ts";
import type { EndpointSource } from "../../src/client/options.ts";
import { isOutage } from "../../src/client/retry.ts";
import { LIMITS } from "../../src/contract/limits.ts";
import { answering, fastTiming, keepsKeys, listening, type Reply, send } from "./answering.ts";
import { losses } from "./losses.ts";

const request = { deviceQrn: "d", shots: 1, program: { format: "qasm3", data: "" } };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

type Loss = keyof typeof losses;
/** Those that the client sees before a time limit ends the call. */
const kinds = Object.keys(losses).filter(kind => kind !== "silence") as Loss[];

/** A service of jobs and groups. */
interface ServiceOptions {
  /** Submissions whose answers are lost, and how. */
  losses?: number;
  loss?: Loss;
  /** Whether it makes a submission once per key, and says so. */
  keeps?: boolean;
  /** Looks at the list until what was made is in it. */
  listsAfter?: number;
}

async function jobService({
  losses: lost = 0,
  loss = "reset",
  keeps = false,
  listsAfter = 0,
}: ServiceOptions) {
  const made: { id: string; key: string | undefined; record: { [field: string]: unknown } }[] = [];
  const keys: (string | undefined)[] = [];
  let looks = 0;
  const service = await listening((incoming, response) => {
    const headers = keeps ? keepsKeys : {};
    const { pathname } = new URL(incoming.url!, "http://localhost");
    const isGroup = pathname.includes("/group");
    const data = made.map(({ record }) => record);
    if (incoming.method === "GET") {
      keys.push(incoming.headers["idempotency-key"] as string | undefined);
      looks += 1;
      const one = { jobQrn: "q", status: "RUNNING" };
      const isList = /\/(?:jobs|group)$/.test(pathname);
      return send(response, {
        headers,
        body: { success: true, data: isList ? (looks > listsAfter ? data : []) : one },
      });
    }
    let text = "";
    incoming.on("data", chunk => (text += chunk));
    incoming.on("end", () => {
      const key = incoming.headers["idempotency-key"] as string | undefined;
      keys.push(key);
      const known = keeps ? made.find(one => one.key === key) : undefined;
      const id = known?.id ?? `q${made.length}`;
      const { name, tags } = JSON.parse(text);
      const record = { [isGroup ? "groupJobQrn" : "jobQrn"]: id, status: "INITIALIZING", name, tags };
      if (!known) made.push({ id, key, record });
      if (keys.length > lost) send(response, { status: 201, headers, body: { success: true, data: record } });
      else losses[loss](incoming, response);
    });
  });
  const open = (options = {}) =>
    openClient({ url: `${service.origin}/api/v1`, apiKey: "" }, options, fastTiming);
  return { client: open(), open, made, keys, ...service };
}

test.each(kinds)(
  "a job is made once though its first answers are lost, by a service that keeps keys: %s",
  async loss => {
    await using service = await jobService({ losses: 3, loss, keeps: true });
    const job = await service.client.jobs.create({ ...request, tags: { course: "qc" } });
    expect(job).toMatchObject({ jobQrn: "q0", tags: { course: "qc" } });
    expect(service.made).toHaveLength(1);
    expect(service.made[0]!.key).toMatch(uuid);
  },
);

test.each(kinds)(
  "a job is made once by a service that ignores keys, and is found by its tag: %s",
  async loss => {
    await using service = await jobService({ losses: 9, loss, listsAfter: 3 });
    const job = await service.client.jobs.create({ ...request, tags: { course: "qc" } });
    expect(job).toMatchObject({ jobQrn: "q0", tags: { course: "qc" } });
    expect(job.tags).not.toHaveProperty("ketbook-run");
    expect(await service.client.groups.create({ name: "g" })).toMatchObject({ groupJobQrn: "q1", tags: {} });
    expect(service.made).toHaveLength(2);
  },
);

test.each(kinds)("a job that may exist, but is not listed, is not submitted again: %s", async loss => {
  await using service = await jobService({ losses: 99, loss, listsAfter: 99 });
  const before = new Date();
  const error: LostSubmissionError = await service.client.jobs
    .create({ ...request, name: "bell" })
    .catch(e => e);
  expect(error).toBeInstanceOf(LostSubmissionError);
  expect(error).toMatchObject({ jobQrn: null, submittedName: "bell", looked: true });
  expect(error.submittedAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
  const run = error.idempotencyKey!;
  expect(error.message).toContain(
    `The job "bell" may exist: it was submitted at ${error.submittedAt.toISOString()}`,
  );
  expect(error.message).toContain(`jobs({ run: "${run}" })`);
  expect(service.made[0]!.record.tags).toEqual({ "ketbook-run": run });
  await expect(service.client.jobs.create(request, { idempotencyKey: run })).rejects.toThrow(
    LostSubmissionError,
  );
  await expect(service.client.groups.create()).rejects.toThrow(/The group may exist.*groups\(\{ run: /s);
  expect(service.made).toHaveLength(2);
});

test("a submission that is met by silence is made once, and looked for by the next try", async () => {
  await using service = await jobService({ losses: 1, loss: "silence" });
  const options = { idempotencyKey: "mine", timeout: 200 };
  const error = await service.client.jobs.create(request, options).catch(e => e);
  expect(error).toBeInstanceOf(LostSubmissionError);
  expect(error).toMatchObject({ looked: false, idempotencyKey: "mine" });
  expect(await service.client.jobs.create(request, { idempotencyKey: "mine" })).toMatchObject({
    jobQrn: "q0",
  });
  expect(service.made).toHaveLength(1);
});

test("a submission whose connection was refused is sent again", async () => {
  await using service = await jobService({});
  const source: EndpointSource = async refresh => ({
    url: refresh ? `${service.origin}/api/v1` : "http://127.0.0.1:1/api/v1",
    apiKey: "",
  });
  expect(await openClient(source, {}, fastTiming).jobs.create(request)).toMatchObject({ jobQrn: "q0" });
  expect(service.keys).toHaveLength(1);
});

test("two submissions have keys of their own, and one that the caller names has that one", async () => {
  await using service = await jobService({});
  await service.client.jobs.create(request);
  await service.client.jobs.create(request);
  await service.client.jobs.create(request, { idempotencyKey: "mine" });
  expect(new Set(service.keys).size).toBe(3);
  expect(service.keys[2]).toBe("mine");
});

test("a submission that fails says under which key to submit it again, and then it is found", async () => {
  await using service = await jobService({ losses: 6, keeps: true });
  await service.client.jobs.list();
  const error: ConnectionError = await service.client.jobs.create(request).then(
    () => expect.fail("it succeeded"),
    reason => reason,
  );
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.message).toContain(`idempotency key ${error.idempotencyKey}`);
  const idempotencyKey = error.idempotencyKey ?? "";
  expect(await service.open().jobs.create(request, { idempotencyKey })).toMatchObject({ jobQrn: "q0" });
  expect(service.made).toHaveLength(1);
});

test("a submission with as many tags as a service takes is sent as it is", async () => {
  await using service = await jobService({});
  const tags = Object.fromEntries(Array.from({ length: LIMITS.maxTags }, (_, i) => [`t${i}`, "x"]));
  await service.client.jobs.create({ ...request, tags });
  expect(service.made[0]!.record.tags).toEqual(tags);
});

test("look-ups carry no key", async () => {
  await using service = await jobService({});
  await service.client.jobs.get("q");
  expect(service.keys).toEqual([undefined]);
});

test("a job whose cancellation was answered, but the answer lost, is not cancelled again", async () => {
  const asked: string[] = [];
  await using service = await answering(({ method = "" }) => {
    asked.push(method);
    return method === "GET"
      ? { body: { success: true, data: { jobQrn: "q", status: "CANCELLED" } } }
      : "hang up";
  });
  expect(await service.client.jobs.cancel("q")).toMatchObject({ status: "CANCELLED" });
  expect(asked).toEqual(["POST", "GET"]);
});

test.each([
  ["cancel", 409, "CANCELLING"],
  ["delete", 404, "COMPLETED"],
] as const)(
  "a %s whose answer is lost counts as done when its repetition says so",
  async (name, status, now) => {
    await using service = await answering(({ method }, call) => {
      if (method === "GET") return { body: { success: true, data: { jobQrn: "q", status: now } } };
      return call === 1 ? "hang up" : { status, body: { message: "No." } };
    });
    expect(await service.client.jobs[name]("q")).toMatchObject({ jobQrn: "q" });
  },
);

test("what is not there was not deleted by a request that never arrived", async () => {
  await using service = await answering(() => ({ status: 404, body: {} }));
  const source: EndpointSource = async refresh => ({
    url: refresh ? service.url : "http://127.0.0.1:1/api/v1",
    apiKey: "",
  });
  await expect(openClient(source, {}, fastTiming).jobs.delete("q")).rejects.toThrow(NotFoundError);
});

test("a group is cancelled though the response to its cancellation was lost", async () => {
  await using service = await answering(({ method }, call) => {
    if (method === "GET") return { body: { success: true, data: { groupJobQrn: "g", status: "CANCELLED" } } };
    return call === 1 ? "hang up" : { status: 409, body: { error: { code: "GROUP_TERMINAL" } } };
  });
  expect(await service.client.groups.cancel("g")).toMatchObject({ status: "CANCELLED" });
});

test.each([
  [{ success: false, data: {} }, {}],
  [{ success: false, message: "" }, {}],
  [{ success: false, data: {}, error: {} }, keepsKeys],
])("a submission refused under 201 may have been made all the same: %j", async (body, headers) => {
  await using service = await answering(({ method }) =>
    method === "GET" ? { headers, body: { success: true, data: [] } } : { headers, status: 201, body },
  );
  const error: LostSubmissionError = await service.client.jobs.create(request).catch(reason => reason);
  expect(error).toBeInstanceOf(LostSubmissionError);
  expect(error).toMatchObject({ looked: true, cause: expect.any(ServiceError) });
  expect(error.message).toContain(
    "(The service refused the request under status 201, and gives no reason.). The job may exist",
  );
  expect(error.message).toContain(
    headers === keepsKeys
      ? `submit it again with { idempotencyKey: "${error.idempotencyKey}" }, for which this service makes one job.`
      : "before you submit a new one, since this service may not recognize a repetition.",
  );
});

test("a submission that is redirected is looked for once if the look is redirected too, and is no outage", async () => {
  const asked: string[] = [];
  await using service = await answering(({ method = "" }) => {
    asked.push(method);
    return { status: 302, body: "", headers: { location: "https://portal.example.org/" } };
  });
  const error: LostSubmissionError = await service.client.jobs.create(request).catch(reason => reason);
  expect(error).toBeInstanceOf(LostSubmissionError);
  expect(error.looked).toBe(false);
  expect(error.message).toContain(
    "The service could not be asked for it: The service has moved: it answered 302",
  );
  expect(isOutage(error)).toBe(false);
  expect(asked).toEqual(["POST", "GET"]);
});

test.each<[string, Reply]>([
  ["of another shape", { status: 201, body: { success: true, data: {} } }],
  ["that refuses under 201", { status: 201, body: { success: false } }],
  ["that redirects", { status: 307, body: "", headers: { location: "https://portal.example.org/" } }],
])("after answers %s, a job is found by its tag at a service that keeps keys", async (_, reply) => {
  let tags = {};
  let posts = 0;
  const record = () => ({ jobQrn: "q", status: "QUEUED", tags });
  await using service = await answering((incoming, call) => {
    if (call === 1 || incoming.method === "GET")
      return { headers: keepsKeys, body: { success: true, data: call === 1 ? [] : [record()] } };
    posts += 1;
    tags = { "ketbook-run": incoming.headers["idempotency-key"] };
    return { ...reply, headers: { ...keepsKeys, ...reply.headers } };
  });
  await service.client.jobs.list();
  expect(await service.client.jobs.create(request)).toMatchObject({ jobQrn: "q" });
  expect(posts).toBe(5);
});
