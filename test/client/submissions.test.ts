import { expect, test } from "vitest";
import { openClient } from "../../src/client/client.ts";
import { ConnectionError, NotFoundError, ServiceError } from "../../src/client/errors.ts";
import type { EndpointSource } from "../../src/client/options.ts";
import { answering, fastTiming, listening, send } from "./answering.ts";

const request = { deviceQrn: "d", shots: 1, program: { format: "qasm3", data: "" } };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A service that makes what is submitted once a key, and loses its first answers. */
async function forgetful(losses: number, loss: "reset" | 500) {
  const made = new Map<string, string>();
  const keys: (string | undefined)[] = [];
  const service = await listening((incoming, response) => {
    const key = incoming.headers["idempotency-key"] as string | undefined;
    keys.push(key);
    const isGroup = incoming.url?.endsWith("/group");
    const id = made.get(key ?? "") ?? `q${made.size}`;
    made.set(key ?? String(Math.random()), id);
    incoming.resume().on("end", () => {
      if (keys.length > losses) {
        const record = isGroup ? { groupJobQrn: id } : { jobQrn: id, status: "INITIALIZING" };
        send(response, { status: 201, body: { success: true, data: record } });
      } else if (loss === 500) send(response, { status: 500, body: {} });
      else incoming.socket.resetAndDestroy();
    });
  });
  const client = openClient({ url: `${service.origin}/api/v1`, apiKey: "" }, {}, fastTiming);
  return { client, made, keys, [Symbol.asyncDispose]: service[Symbol.asyncDispose] };
}

test.each(["reset", 500] as const)("a job whose first answers are lost (%s) is made once", async loss => {
  await using service = await forgetful(3, loss);
  expect(await service.client.jobs.create(request)).toMatchObject({ jobQrn: "q0" });
  expect(service.made.size).toBe(1);
  expect(new Set(service.keys).size).toBe(1);
  expect(service.keys[0]).toMatch(uuid);
});

test("a group whose first answer is lost is made once", async () => {
  await using service = await forgetful(1, "reset");
  expect(await service.client.groups.create({ name: "g" })).toMatchObject({ groupJobQrn: "q0" });
  expect(service.made.size).toBe(1);
});

test("two submissions have keys of their own, and one that the caller names has that one", async () => {
  await using service = await forgetful(0, "reset");
  await service.client.jobs.create(request);
  await service.client.jobs.create(request);
  await service.client.jobs.create(request, { idempotencyKey: "mine" });
  expect(new Set(service.keys).size).toBe(3);
  expect(service.keys[2]).toBe("mine");
});

test("a submission that fails says under which key to submit it again, and then it is found", async () => {
  await using service = await forgetful(5, "reset");
  const error: ConnectionError = await service.client.jobs.create(request).then(
    () => expect.fail("it succeeded"),
    reason => reason,
  );
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.message).toContain(`idempotency key ${error.idempotencyKey}`);
  const idempotencyKey = error.idempotencyKey ?? "";
  expect(await service.client.jobs.create(request, { idempotencyKey })).toMatchObject({ jobQrn: "q0" });
  expect(service.made.size).toBe(1);
});

test("look-ups carry no key", async () => {
  await using service = await forgetful(0, "reset");
  await service.client.jobs.get("q");
  expect(service.keys).toEqual([undefined]);
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
  { success: false, data: {} },
  { success: false, message: "" },
  { success: false, data: {}, error: {} },
])("a submission refused under 201 is said in words: %j", async body => {
  await using service = await answering(() => ({ status: 201, body }));
  const error = await service.client.jobs.create(request).catch(reason => reason);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error.message).toBe("The service refused the request under status 201, and gives no reason.");
  expect(service.calls()).toBe(1);
});
