import { Hono } from "hono";
import { expect, test } from "vitest";
import { z } from "zod";
import { type CallState, createAdmission } from "../../../src/service/http/admission.ts";
import { createBodyReader } from "../../../src/service/http/body-reader.ts";
import { describeOperations } from "../../../src/service/http/openapi.ts";
import {
  defineOperation,
  errorsOf,
  type Operation,
  operation,
  routeOperations,
} from "../../../src/service/http/operation.ts";
import { createHttpServer, listen } from "../../../src/service/node/server.ts";

/** Serves operations that need no key, and no store. */
async function serve(...operations: Operation[]) {
  const app = new Hono<CallState>();
  const admission = createAdmission({ store: undefined as never, clock: Date.now });
  routeOperations(app, operations, { base: "/v", admission, readBody: createBodyReader() });
  const server = createHttpServer(app.fetch, () => {});
  const url = await listen(server, "127.0.0.1", 0);
  return { url: `${url}/v`, [Symbol.dispose]: () => server.close() };
}

test("an operation can answer with a stream of events, each of which is sent as it comes", async () => {
  const { readable, writable } = new TransformStream<Uint8Array>();
  const source = writable.getWriter();
  const write = (event: object) =>
    source.write(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
  const events = defineOperation({
    id: "watchTicks",
    path: "/ticks/{clock}",
    summary: "Sends an event each tick.",
    requiresAuth: false,
    mediaType: "text/event-stream",
    answer: z.object({ clock: z.string(), tick: z.int() }),
    async handle({ params }) {
      void write({ clock: params.clock, tick: 1 });
      return readable;
    },
  });
  using service = await serve(events);
  const answer = await fetch(`${service.url}/ticks/a%2Fb`);
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe('data: {"clock":"a/b","tick":1}\n\n');
  void write({ clock: "a/b", tick: 2 });
  expect((await reader.read()).value).toBe('data: {"clock":"a/b","tick":2}\n\n');
  void source.close();
  expect((await reader.read()).done).toBe(true);
  const { paths } = describeOperations([events], "/v", "1.0.0");
  const { content } = paths["/ticks/{clock}"]!.get!.responses[200]!;
  expect(content["text/event-stream"]?.schema.properties).toHaveProperty("tick");
});

test("an operation may answer with text of any length in another form than JSON, a line at a time", async () => {
  const lines = Array.from({ length: 20_000 }, (_, row) => JSON.stringify({ row }));
  using service = await serve(
    defineOperation({
      id: "exportRows",
      path: "/rows",
      summary: "Sends a row a line.",
      requiresAuth: false,
      mediaType: "application/x-ndjson",
      answer: z.object({ row: z.int() }),
      handle: async () => lines.map(line => `${line}\n`),
    }),
  );
  const answer = await fetch(`${service.url}/rows`);
  expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
  expect((await answer.text()).trimEnd().split("\n")).toEqual(lines);
});

test("the errors of an operation follow from what it takes, besides those of its own", () => {
  const handle = async () => 1;
  const plain = { id: "a", path: "/a", summary: "", data: z.number(), handle } as const;
  const common = ["RATE_LIMITED", "INTERNAL", "STORE_UNAVAILABLE", "STORAGE_FULL"] as const;
  const errors = (declared: Operation) => [...errorsOf(declared)].sort();
  expect(errors(operation({ ...plain, requiresAuth: false }))).toEqual([...common].sort());
  const full = operation({ ...plain, path: "/a/{b}", body: z.unknown(), errors: ["GROUP_TERMINAL"] });
  expect(errors(full)).toEqual(
    [
      ...common,
      ...["NO_VALID_AUTHENTICATION", "INVALID_API_KEY_FORMAT", "INVALID_API_KEY", "FORBIDDEN"],
      ...["NOT_FOUND", "VALIDATION_ERROR", "PAYLOAD_TOO_LARGE", "GROUP_TERMINAL"],
    ].sort(),
  );
});
