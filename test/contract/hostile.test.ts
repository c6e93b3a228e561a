import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bell, findSubject, type Subject } from "./subject.ts";

let service: Subject;
let paths: [string, string][];
beforeAll(async () => {
  service = await findSubject();
  const found = await fetch(`${service.url}/openapi.json`);
  const { paths: described } = (await found.json()) as { paths: Record<string, object> };
  paths = Object.entries(described).flatMap(([path, methods]) =>
    Object.keys(methods).map((method): [string, string] => [method.toUpperCase(), path]),
  );
});
afterAll(() => service.close());

/** In a page the same code answers, behind a bridge that a fifth of the requests shows. */
const runs = () => ({ numRuns: process.env.KETBOOK_CONTRACT_SITE ? 30 : 150 });

/** Every answer is JSON in its documented shape, never a fault of the service, and never tells of its inside. */
async function expectSound(method: string, path: string, body?: string) {
  const answer = await service.call(method, path, body === undefined ? {} : { body });
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(500);
  expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|\.ts:\d|SQLITE|at Object\./);
}

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "",
    "\0",
    "../..",
    "%00",
    "'; drop table jobs; --",
    "__proto__",
    "\u202e",
    "\ud800",
    "💥",
    "a".repeat(5000),
  ),
);

test("any path and query is answered soundly", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), text, fc.dictionary(text, text, { maxKeys: 3 }), async (pick, part, query) => {
      const [method, template] = paths[pick % paths.length]!;
      const path = template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(part.toWellFormed()) || "x");
      await expectSound(method, `${path}?${new URLSearchParams(query)}`);
    }),
    runs(),
  );
});

test("any value of a known query parameter is answered soundly", { timeout: 60_000 }, async () => {
  const names = [
    "page",
    "limit",
    "search",
    "tags",
    "status",
    "vendor",
    "qrns",
    "shots",
    "days",
    "timezone",
    "deviceQrn",
    "sortBy",
    "retired",
  ];
  const value = fc.oneof(text, fc.json(), fc.integer().map(String), fc.double().map(String));
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.constantFrom(...names), value, async (pick, name, given) => {
      const [method, template] = paths[pick % paths.length]!;
      await expectSound(
        method,
        `${template.replaceAll(/\{\w+\}/g, "x")}?${new URLSearchParams({ [name]: given })}`,
      );
    }),
    runs(),
  );
});

test("any body is answered soundly", { timeout: 60_000 }, async () => {
  const wild = fc.oneof(
    text,
    fc.json({ maxDepth: 5 }),
    fc.constantFrom("null", "[]", "1", '{"__proto__":{"shots":1}}', "\ufeff{}"),
  );
  const nearly = fc
    .record(
      {
        deviceQrn: fc.oneof(fc.constant(service.device), text),
        shots: fc.oneof(fc.nat({ max: 10 }), fc.double(), text),
        program: fc.oneof(
          fc.constant(bell),
          fc.record({ format: fc.constant("qasm3"), data: text }),
          fc.anything(),
        ),
        name: fc.oneof(text, fc.constant(null)),
        tags: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean(), fc.double())),
        runtimeOptions: fc.dictionary(text, fc.jsonValue()),
      },
      { requiredKeys: [] },
    )
    .map(body => JSON.stringify(body, (_key, value) => (typeof value === "bigint" ? String(value) : value)));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("/jobs", "/jobs/group"), fc.oneof(wild, nearly), (path, body) =>
      expectSound("POST", path, body),
    ),
    runs(),
  );
});

test("hostile names and tags come back as they were, and are found", async () => {
  for (const text of [
    "<script>alert(1)</script>",
    "'; drop table jobs; --",
    "💥 \u202e",
    "a\\b%c_d",
    "\n\t",
  ]) {
    const hostile = `${text}${Date.now()}`;
    const { jobQrn } = await service.submit({ name: hostile, tags: { [hostile]: hostile } });
    const { data } = (await service.call("GET", `/jobs/${jobQrn}`)).body;
    expect(data).toMatchObject({ name: hostile, tags: { [hostile]: hostile } });
    const tags = encodeURIComponent(JSON.stringify({ [hostile]: hostile }));
    for (const query of [`search=${encodeURIComponent(hostile)}`, `tags=${tags}`]) {
      const found = (await service.call("GET", `/jobs?${query}`)).body.data;
      expect(found.map((job: { jobQrn: string }) => job.jobQrn)).toEqual([jobQrn]);
    }
  }
});
