import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatJobQrn } from "../../../src/contract/qrn.ts";
import { type Serving, serving, statevector } from "../serving.ts";

describe("the usage series", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  let made = 0;
  /** Puts jobs that ended at these moments into the store, as if they had run then. */
  async function ran(userId: number, ...ends: string[]) {
    for (const end of ends) {
      made += 1;
      const at = Date.parse(end);
      await service.store
        .insertInto("jobs")
        .values({
          qrn: formatJobQrn(statevector, String(made).padStart(28, "0")),
          user_id: userId,
          organization_id: "",
          group_id: null,
          idempotency_key: null,
          request_digest: null,
          device_qrn: statevector,
          vendor: "svc",
          provider: "svc",
          device_type: "SIMULATOR",
          experiment_type: "gate_model",
          name: null,
          shots: 1,
          programs: 1,
          is_batch: 0,
          status: "COMPLETED",
          status_msg: null,
          attempt: 1,
          crashes: 0,
          estimate: 0,
          cost: 0,
          tags_json: "{}",
          options_json: "{}",
          created_at: at,
          updated_at: at,
          started_at: at,
          ended_at: at,
          duration_us: 1,
          deleted_at: null,
        })
        .execute();
    }
  }

  const at = (moment: string) =>
    service.pass(Date.parse(moment) - Date.parse(new Date(Date.now()).toISOString()));

  async function series(user: { call: Serving["call"] }, query: string) {
    return (await user.call("GET", `/usage/simulator/series?deviceQrn=${statevector}&${query}`)).body.data;
  }

  test("has a row for each day of the window, zeros included, ending today", async () => {
    const user = await service.user();
    await user.ended((await user.submit()).jobQrn);
    const rows = await series(user, "");
    expect(rows).toHaveLength(30);
    expect(rows.at(-1)).toEqual({ date: new Date().toISOString().slice(0, 10), count: 1 });
    expect(rows.slice(0, -1).every((row: { count: number }) => row.count === 0)).toBe(true);
    expect(await series(user, "days=1")).toHaveLength(1);
    expect(await series(user, "days=365")).toHaveLength(365);
  });

  test("days go as the timezone has them, those of 23 and 25 hours too", async () => {
    const user = await service.user();
    await ran(
      user.userId,
      "2026-03-28T22:59:00Z",
      "2026-03-28T23:00:00Z",
      "2026-03-29T21:59:00Z",
      "2026-03-29T22:00:00Z",
      "2026-10-24T22:00:00Z",
      "2026-10-25T22:59:00Z",
      "2026-10-25T23:00:00Z",
    );
    const all = await series(user, "days=0&timezone=Europe/Berlin");
    const count = (date: string) => all.find((row: { date: string }) => row.date === date)?.count;
    expect(["2026-03-28", "2026-03-29", "2026-03-30"].map(count)).toEqual([1, 2, 1]);
    expect(["2026-10-25", "2026-10-26"].map(count)).toEqual([2, 1]);
    expect(all[0].date).toBe("2026-03-28");
    const kathmandu = await series(user, "days=0&timezone=Asia/Kathmandu");
    expect(kathmandu[0]).toEqual({ date: "2026-03-29", count: 2 });
  });

  test("today is the timezone's today", async () => {
    const user = await service.user();
    const now = Date.now();
    at("2026-12-31T23:30:00Z");
    expect((await series(user, "days=1&timezone=UTC"))[0].date).toBe("2026-12-31");
    expect((await series(user, "days=1&timezone=Europe/Berlin"))[0].date).toBe("2027-01-01");
    service.pass(now - Date.parse("2026-12-31T23:30:00Z"));
  });

  test("is empty for all time before the first job, and counts nobody else's", async () => {
    const [user, other] = [await service.user(), await service.user()];
    await other.ended((await other.submit()).jobQrn);
    expect(await series(user, "days=0")).toEqual([]);
  });

  test.each([
    ["days=366", "days"],
    ["days=-1", "days"],
    ["days=1.5", "days"],
    ["timezone=Mars/Olympus", "timezone"],
    [`timezone=${"x".repeat(51)}`, "timezone"],
    ["timezone=%2B02:00", "timezone"],
    ["deviceQrn=", "deviceQrn"],
  ])("refuses %s", async (query, path) => {
    const given = query.startsWith("deviceQrn") ? query : `deviceQrn=${statevector}&${query}`;
    const { status, body } = await service.call("GET", `/usage/simulator/series?${given}`);
    expect([status, body.error.details[0].path]).toEqual([400, path]);
  });
});
