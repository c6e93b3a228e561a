import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mayUse } from "../../../src/service/accounts/caller.ts";
import { toMicro } from "../../../src/service/billing/price.ts";
import { newFolder } from "../../folder.ts";
import { ketbookHere } from "../command-line.ts";
import { ketbook } from "../process.ts";
import { bellJob, caller, type Serving, serving, statevector } from "../serving.ts";

describe("users", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test("what belongs to another user is not there, in lists and counts too", async () => {
    const [owner, other] = [await service.user(), await service.user()];
    const { jobQrn } = await owner.ended((await owner.submit({ name: "secret", tags: { k: 1 } })).jobQrn);
    for (const [method, rest] of [
      ["GET", ""],
      ["GET", "/result"],
      ["GET", "/program"],
      ["GET", "/program/ascii"],
      ["GET", "/compiled-program"],
      ["POST", "/cancel"],
      ["DELETE", ""],
    ]) {
      const { status, body } = await other.call(method!, `/jobs/${jobQrn}${rest}`);
      expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
    }
    for (const query of ["", "?search=secret", `?tags=${encodeURIComponent('{"k":1}')}`]) {
      expect((await other.call("GET", `/jobs${query}`)).body.pagination.total).toBe(0);
    }
    expect((await other.call("GET", "/jobs/summary")).body.data.total).toBe(0);
    expect((await owner.call("GET", "/jobs")).body.pagination.total).toBe(1);
  });

  test("users of one organization share its credits, and nothing else", async () => {
    const [one, two] = [
      await service.user({ organization: "both" }),
      await service.user({ organization: "both", grant: 0 }),
    ];
    const { jobQrn } = await one.ended((await one.submit()).jobQrn);
    expect((await two.call("GET", `/jobs/${jobQrn}`)).status).toBe(404);
    expect((await two.call("GET", "/billing/credits/balance")).body.data.svcCredits).toBe(999.625);
  });

  test("a key reaches only the devices that it allows", async () => {
    const user = await service.user({ allow: ["ibm:*", "svc:svc:sim:s*e"] });
    for (const answer of [
      await user.call("POST", "/jobs", bellJob()),
      await user.call("GET", `/jobs/cost-estimate?deviceQrn=${statevector}`),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([403, "DEVICE_FORBIDDEN"]);
    }
    const sparse = await user.call("POST", "/jobs", bellJob({ deviceQrn: "svc:svc:sim:sparse" }));
    expect(sparse.body.error?.code).not.toBe("DEVICE_FORBIDDEN");
    expect((await user.call("GET", `/devices/${statevector}`)).status).toBe(200);
  });

  test("the daily quota of a simulator is counted by user, and starts anew at midnight UTC", async () => {
    const [user, other] = [await service.user(), await service.user()];
    const usage = async () => {
      const { data } = (await user.call("GET", "/usage/simulator")).body;
      return data.find((row: { deviceQrn: string }) => row.deviceQrn === statevector);
    };
    expect(await usage()).toMatchObject({ tier: "free", dailyLimit: 500, used: 0, remaining: 500 });
    await user.submit();
    expect(await usage()).toMatchObject({ used: 1, remaining: 499 });
    await service.store
      .updateTable("quota_usage")
      .set({ used: 500 })
      .where("user_id", "=", user.userId)
      .execute();
    const refused = await user.call("POST", "/jobs", bellJob());
    expect([refused.status, refused.body.error.code]).toEqual([429, "QUOTA_EXCEEDED"]);
    const { resetsAt } = await usage();
    const wait = Number(refused.headers.get("retry-after"));
    expect(Math.abs(Date.parse(resetsAt) - Date.now() - wait * 1000)).toBeLessThan(5000);
    expect(resetsAt).toMatch(/T00:00:00\.000Z$/);
    await other.submit();
    service.pass(wait * 1000);
    expect(await usage()).toMatchObject({ used: 0 });
    await user.submit();
    service.pass(-wait * 1000);
  });

  test("a refused submission does not use up the quota", async () => {
    const user = await service.user({ grant: 0 });
    expect((await user.call("POST", "/jobs", bellJob())).status).toBe(402);
    const rows = await service.store
      .selectFrom("quota_usage")
      .selectAll()
      .where("user_id", "=", user.userId)
      .execute();
    expect(rows).toEqual([]);
  });

  test("the folder's own user has no daily limit", async () => {
    const { data } = (await service.call("GET", "/usage/simulator")).body;
    expect(data[0]).toMatchObject({ tier: "local", dailyLimit: null, remaining: null });
  });
});

test.each([
  [["*"], "a:b:c:d", true],
  [[], "a:b:c:d", false],
  [["a:b:c:d"], "a:b:c:d", true],
  [["a:b:c:d"], "a:b:c:dd", false],
  [["a:*:d"], "a:b:c:d", true],
  [["a:*d*d"], "a:d", false],
  [["a:*:*:x", "*:d"], "a:b:c:d", true],
  [["a.b:c:d"], "aab:c:d", false],
])("the patterns %j let %s in: %s", (allow, qrn, expected) => {
  expect(mayUse({ allow }, qrn)).toBe(expected);
});

describe("ketbook keys", () => {
  test("makes, lists and revokes keys, while the service runs and while it does not", async () => {
    const folder = newFolder();
    const keys = async (...args: string[]) => {
      const { code, stdout } = await ketbookHere("keys", ...args, "--data", folder, "--json");
      expect(code).toBe(0);
      return JSON.parse(stdout);
    };
    const before = await keys("create", "--org", "lab", "--user", "ada", "--credits", "100");
    await using running = await serving({ folder });
    const { url } = running.service;
    const during = await keys(
      "create",
      "--org",
      "lab",
      "--user",
      "bob",
      "--tier",
      "local",
      "--allow",
      "ibm:*",
      "svc:*:noisy",
    );
    for (const { apiKey } of [before, during]) {
      const { body } = await caller(url, apiKey).call("GET", "/billing/credits/balance");
      expect(body.data.svcCredits).toBe(100);
    }
    const listed = await keys("list");
    expect(listed).toHaveLength(3);
    const bob = listed.find((key: { user: string }) => key.user === "bob");
    expect(bob).toMatchObject({
      organization: "lab",
      tier: "local",
      allow: ["ibm:*", "svc:*:noisy"],
      revokedAt: null,
    });
    expect(JSON.stringify(listed)).not.toContain(during.apiKey);
    await keys("revoke", bob.id);
    await keys("revoke", before.apiKey);
    for (const { apiKey } of [before, during]) {
      expect((await caller(url, apiKey).call("GET", "/jobs")).status).toBe(401);
    }
    expect((await ketbook("keys", "revoke", bob.id, "--data", folder)).code).toBe(1);
  });

  test.each([
    ["--allow", "*nonexistent"],
    ["--tier", "gold"],
    ["--credits", "-1"],
    ["--credits", "many"],
  ])("refuses %s %s with a sentence", async (option, value) => {
    const { code, stderr } = await ketbookHere(
      "keys",
      "create",
      "--org",
      "o",
      "--user",
      "u",
      option,
      value,
      "--data",
      newFolder(),
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/It must be|matches no device\. The devices are svc:svc:sim:statevector, /);
  });

  test("credits are kept to the sixth decimal", () => {
    expect(toMicro(0.1) + toMicro(0.2)).toBe(toMicro(0.3));
  });
});
