import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newFolder } from "../../folder.ts";
import { ketbookHere } from "../command-line.ts";
import { ketbook } from "../process.ts";
import { type Answer, bellJob, caller, type Serving, serving } from "../serving.ts";

const outcome = ({ status, body }: Answer) => [status, body.error?.code];

describe("scopes", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test("a key with the scope read looks at everything of its user's, and changes nothing", async () => {
    const writer = await service.user({ organization: "lab", user: "ada" });
    const reader = await service.user({ organization: "lab", user: "ada", scope: "read" });
    const { jobQrn } = await writer.ended((await writer.submit()).jobQrn);
    const { groupJobQrn } = (await writer.call("POST", "/jobs/group", {})).body.data;
    const group = `/jobs/group/${groupJobQrn}`;
    for (const path of [
      ...["", "/summary", "/statuses", `/${jobQrn}`, `/${jobQrn}/result`, `/${jobQrn}/program`].map(
        rest => `/jobs${rest}`,
      ),
      ...["/jobs/group", group, `${group}/jobs`, "/devices", "/billing/credits/balance", "/usage/simulator"],
    ]) {
      expect((await reader.call("GET", path)).status, path).toBe(200);
    }
    const qrns = encodeURIComponent(JSON.stringify([jobQrn]));
    for (const [method, path, body] of [
      ["POST", "/jobs", bellJob()],
      ["POST", `/jobs/${jobQrn}/cancel`],
      ["DELETE", `/jobs/${jobQrn}`],
      ["DELETE", `/jobs?qrns=${qrns}`],
      ["POST", "/jobs/group", {}],
      ["POST", `${group}/close`],
      ["POST", `${group}/cancel`],
    ] as const) {
      const answer = await reader.call(method, path, body);
      expect(outcome(answer), path).toEqual([403, "FORBIDDEN"]);
      expect(answer.body.message).toContain("a key with the scope submit, and this key has the scope read");
    }
    expect((await reader.call("GET", `/jobs/${jobQrn}`)).status).toBe(200);
  });

  test("hold in version 1, too", async () => {
    const { key } = await service.user({ scope: "read" });
    const legacy = (method: string, path: string) =>
      fetch(`${service.service.legacyUrl}${path}`, { method, headers: { "api-key": key } });
    expect((await legacy("GET", "/quantum-jobs")).status).toBe(200);
    for (const [method, path] of [
      ["POST", "/quantum-jobs"],
      ["PUT", "/quantum-jobs/cancel/x"],
      ["DELETE", "/quantum-jobs/x"],
    ]) {
      expect((await legacy(method!, path!)).status, path).toBe(403);
    }
  });
});

test("a key ends to hold when it expires, and its refusal says when that was", async () => {
  await using service = await serving();
  const user = await service.user({ expiresAt: Date.now() + 60_000 });
  expect((await user.call("GET", "/jobs")).status).toBe(200);
  service.pass(61_000);
  const answer = await user.call("GET", "/jobs");
  expect(outcome(answer)).toEqual([401, "INVALID_API_KEY"]);
  expect(answer.body.message).toMatch(/expired at \d{4}-\d\d-\d\dT/);
  expect((await service.call("GET", "/jobs")).status).toBe(200);
});

describe("ketbook keys and ketbook audit", () => {
  test("make keys that expire and that may less, and tell who did what to keys, credits and jobs", async () => {
    const folder = newFolder();
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await ketbookHere(...args, "--data", folder, "--json");
      expect([code, stderr]).toEqual([0, ""]);
      return stdout;
    };
    await using running = await serving({ folder });
    const { service } = running;
    const create = async (...args: string[]): Promise<string> =>
      JSON.parse(await run("keys", "create", "--org", "lab", "--user", "ada", ...args)).apiKey;
    const reader = await create("--scope", "read", "--expires", "30d", "--credits", "50");
    const brief = await create("--expires", "1s", "--tier", "local");
    const writer = await create();
    const submit = (key: string) => caller(service.url, key).call("POST", "/jobs", bellJob());
    expect((await submit(reader)).status).toBe(403);
    const { jobQrn } = (await submit(writer)).body.data;
    await caller(service.url, writer).call("DELETE", `/jobs/${jobQrn}`);
    const listed = JSON.parse(await run("keys", "list"));
    expect(listed).toMatchObject([
      { organization: "local", scope: "admin", expiresAt: null },
      { user: "ada", scope: "read", state: "valid", expiresAt: expect.stringMatching(/^\d{4}-/) },
      { user: "ada", scope: "submit", tier: "local" },
      { user: "ada", scope: "submit", expiresAt: null },
    ]);
    await expect.poll(async () => (await submit(brief)).status, { timeout: 5000 }).toBe(401);
    await run("keys", "revoke", listed[3].id);
    const trail = (await run("audit"))
      .trim()
      .split("\n")
      .map(line => JSON.parse(line));
    const by = { actor: expect.stringMatching(/^cli:./) };
    expect(trail).toMatchObject([
      { event: "key.created", actor: "service", details: { user: "local", scope: "admin" } },
      { event: "credits.granted", actor: "service", details: { credits: 1_000_000 } },
      { ...by, event: "key.created", subject: listed[1].id, details: { scope: "read" } },
      { ...by, event: "credits.granted", details: { organization: "lab", credits: 50 } },
      { ...by, event: "key.created", subject: listed[2].id },
      { ...by, event: "tier.changed", subject: "ada", details: { from: "free", to: "local" } },
      { ...by, event: "key.created", subject: listed[3].id },
      { event: "job.deleted", actor: `key:${listed[3].id}`, subject: jobQrn },
      { ...by, event: "key.revoked", subject: listed[3].id },
    ]);
    for (const key of [service.apiKey, reader, writer]) expect(JSON.stringify(trail)).not.toContain(key);
    expect((await ketbook("audit", "--data", folder)).stdout).toContain("tier.changed  ada  by cli:");
  });

  test.each([
    ["--expires", "2020-01-01", "It must be in the future"],
    ["--expires", "soon", "It must be in the future"],
    ["--scope", "all", "Allowed choices are read, submit, admin"],
  ])("refuse %s %s with a sentence", async (option, value, said) => {
    const { code, stderr } = await ketbookHere("keys", "create", "--org", "o", "--user", "u", option, value);
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
  });
});

test("what is undone leaves no trace in the audit trail", async () => {
  await using service = await serving();
  const events = () => service.store.selectFrom("audit_events").selectAll().execute();
  const before = await events();
  await expect(service.user({ grant: Number.NaN, tier: "x" })).resolves.toBeDefined();
  const made = await events();
  expect(made.length).toBe(before.length + 1);
  await service.call("DELETE", "/jobs/none");
  expect(await events()).toEqual(made);
});
