import { expect, test } from "vitest";
import { toMicro } from "../../src/service/billing/price.ts";
import { bellJob, endless, serving } from "./serving.ts";

const samplesOf = (text: string) =>
  new Map(
    text
      .split("\n")
      .filter(line => line && !line.startsWith("#"))
      .map(line => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );

test("metrics tell of queue, runs, latencies, lag, ledger and size, in the form that Prometheus reads", async () => {
  await using service = await serving();
  const read = async () => {
    const answer = await fetch(new URL("/metrics", service.service.url));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    return answer.text();
  };
  const name = 'na"me\\\n{secret}';
  const user = await service.user({ organization: "secret", user: "secret", grant: toMicro(10_000) });
  await user.ended((await user.submit({ name })).jobQrn);
  await user.submit({ program: { format: "qasm3", data: "no program" }, name });
  for (let at = 0; at < 4; at += 1)
    await user.submit({ program: endless, deviceQrn: "ibm:emulated:qpu:perth" });
  await user.call("GET", "/nothing/secret");
  await user.call("SECRET", "/jobs");
  await user.call("GET", "/jobs/summary");
  const run = 'ketbook_runs_total{device="svc:svc:sim:statevector",status=';
  await expect.poll(async () => samplesOf(await read()).get(`${run}"FAILED"}`), { interval: 300 }).toBe(1);
  const text = await read();
  expect(text).not.toMatch(/secret/i);
  for (const line of text.trimEnd().split("\n")) {
    expect(line).toMatch(
      /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-zA-Z]+="[^"\n]*"(,[a-zA-Z]+="[^"\n]*")*\})? [\d.e+-]+)$/,
    );
  }
  const samples = samplesOf(text);
  expect(samples.get(`${run}"COMPLETED"}`)).toBe(1);
  expect(samples.get("ketbook_ledger_sum_credits")).toBe(0);
  expect(samples.get("ketbook_stored_bytes")).toBeGreaterThan(100);
  expect(samples.get('ketbook_store_file_bytes{file="database"}')).toBeGreaterThan(4096);
  const summaries = 'method="GET",route="/api/v1/jobs/summary",status="200"';
  expect(samples.get(`ketbook_http_request_duration_seconds_count{${summaries}}`)).toBe(1);
  const submissions = 'method="POST",route="/api/v1/jobs",status="201"';
  const bucket = (bound: string) =>
    samples.get(`ketbook_http_request_duration_seconds_bucket{${submissions},le="${bound}"}`)!;
  expect(bucket("+Inf")).toBe(6);
  expect(bucket("0.001")).toBeLessThanOrEqual(bucket("10"));
  expect(samples.get(`ketbook_http_request_duration_seconds_count{${submissions}}`)).toBe(6);
  expect(samples.get('ketbook_event_loop_lag_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0);
});

test("from elsewhere, metrics are for keys with the scope admin", async () => {
  await using service = await serving();
  const get = async (headers: Record<string, string>) =>
    (await fetch(new URL("/metrics", service.service.url), { headers })).status;
  expect(await get({})).toBe(200);
  const passedOn = { "x-forwarded-for": "203.0.113.9" };
  expect(await get(passedOn)).toBe(401);
  const [admin, writer] = [await service.user({ scope: "admin" }), await service.user()];
  expect(await get({ ...passedOn, "x-api-key": writer.key })).toBe(403);
  expect(await get({ ...passedOn, "x-api-key": admin.key })).toBe(200);
  expect((await admin.call("POST", "/jobs", bellJob())).status).toBe(201);
});
