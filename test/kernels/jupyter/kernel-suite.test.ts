import { Ajv } from "ajv";
import { beforeAll, expect, test } from "vitest";
import { openSession, type Ran, type Session } from "./session.ts";

/** What the public suite for kernels of Jupyter asks of every kernel. */

const text = { type: "string" };
const object = { type: "object" };
const count = { type: "number" };
const flag = { type: "boolean" };
const lines = { type: "array", items: text };
const bundle = {
  type: "object",
  patternProperties: { "^[\\w.+-]+/[\\w.+-]+$": {} },
  additionalProperties: false,
};
const ok = { const: "ok" };

const shapes: Record<string, Record<string, object>> = {
  kernel_info_request: {
    status: ok,
    protocol_version: text,
    implementation: text,
    implementation_version: text,
    language_info: object,
    banner: text,
    debugger: flag,
    help_links: { type: "array", items: { properties: { text, url: text }, required: ["text", "url"] } },
  },
  execute_request: {
    status: ok,
    execution_count: count,
    payload: { type: "array" },
    user_expressions: object,
  },
  inspect_request: { status: ok, found: flag, data: object, metadata: object },
  complete_request: { status: ok, matches: lines, cursor_start: count, cursor_end: count, metadata: object },
  history_request: { status: ok, history: { type: "array", items: { minItems: 3, maxItems: 3 } } },
  is_complete_request: { status: { enum: ["complete", "incomplete", "invalid", "unknown"] } },
  connect_request: {
    ...{ status: ok, shell_port: count, iopub_port: count },
    ...{ stdin_port: count, hb_port: count, control_port: count },
  },
  comm_info_request: { status: ok, comms: object },
  stream: { name: { enum: ["stdout", "stderr"] }, text },
  display_data: { data: bundle, metadata: object },
  update_display_data: { data: bundle, metadata: object, transient: object },
  execute_result: { execution_count: count, data: bundle, metadata: object },
  clear_output: { wait: flag },
  execute_input: { code: text, execution_count: count },
  error: { ename: text, evalue: text, traceback: lines },
};
const failed = { status: { const: "error" }, ename: text, evalue: text, traceback: lines };
const ajv = new Ajv({ strict: false });

function check(type: string, content: unknown): void {
  const properties = (content as { status?: string }).status === "error" ? failed : shapes[type]!;
  const valid = ajv.validate({ type: "object", properties, required: Object.keys(properties) }, content);
  expect(valid, `${type}: ${ajv.errorsText()} in ${JSON.stringify(content)}`).toBe(true);
}

let session: Session;
beforeAll(async () => {
  session = await openSession();
});

async function ask(type: string, content: object = {}): Promise<Record<string, unknown>> {
  const reply = await session.ask(type, content);
  check(type, reply);
  return reply;
}

async function run(code: string): Promise<Ran> {
  const ran = await session.run(code);
  check("execute_request", ran.reply);
  for (const { type, content } of ran.messages) if (type !== "status") check(type, content);
  return ran;
}

const typesOf = ({ messages }: Ran) => messages.map(({ type }) => type);

test("kernel_info", async () => {
  expect(await ask("kernel_info_request")).toMatchObject({
    language_info: { name: "typescript", file_extension: ".ts", mimetype: expect.stringContaining("/") },
  });
});

test("execute: standard output and standard error", async () => {
  for (const name of ["log", "error"]) {
    const { reply, outputs } = await run(`console.${name}("hello, world")`);
    expect(reply.status).toBe("ok");
    expect(outputs).toMatchObject([{ name: name === "log" ? "stdout" : "stderr", text: "hello, world\n" }]);
  }
});

test.each([
  ["console.lo", ["log"]],
  ["Math.ab", ["abs"]],
  ["proces", ["process"]],
])("completion of %s", async (code, matches) => {
  expect((await ask("complete_request", { code, cursor_pos: code.length })).matches).toEqual(matches);
});

test("is_complete", async () => {
  const samples = {
    complete: ["1", "console.log('hello')", "function f(x) {\n  return x * 2;\n}", "`a\nb`"],
    incomplete: ["function f(x) {", "console.log(", "`open", "const a = [1,", "/* open"],
    invalid: ["import = 7", "const = 3", "1 +* 2", "}"],
  };
  for (const [status, codes] of Object.entries(samples))
    for (const code of codes)
      expect(await ask("is_complete_request", { code }), code).toMatchObject({ status });
});

test("pager", async () => {
  const { reply } = await run("console?");
  expect(reply.payload).toMatchObject([
    { source: "page", data: { "text/plain": expect.stringContaining("Console") } },
  ]);
});

test("error", async () => {
  const ran = await run("throw new Error('on purpose')");
  expect(ran.reply.status).toBe("error");
  expect(typesOf(ran).filter(type => type !== "execute_input")).toEqual(["error"]);
});

test.each([
  ["6 * 7", "text/plain", "42"],
  ["'text'", "text/plain", "text"],
  ["[1, 2, 3].map(n => n * n)", "text/plain", "[ 1, 4, 9 ]"],
  ["[{ a: 1 }, { a: 2 }]", "text/html", expect.stringContaining("<table")],
  ["%%html\n<b>bold</b>", "text/html", "<b>bold</b>"],
])("execute_result of %j as %s", async (code, mime, value) => {
  const { reply, outputs } = await run(code);
  expect(reply.status).toBe("ok");
  expect(outputs).toMatchObject([{ output_type: "execute_result", data: { [mime]: value } }]);
});

test("display_data", async () => {
  // A promise that takes long shows its progress.
  const { outputs, messages } = await run("new Promise(done => setTimeout(done, 900, 5))");
  expect(messages.find(({ type }) => type === "display_data")).toMatchObject({
    content: { data: { "text/html": expect.stringContaining("Waiting"), "text/plain": expect.any(String) } },
  });
  expect(outputs.at(-1)).toMatchObject({ data: { "text/plain": "5" } });
});

test("history: the last cells, a range and a pattern, with and without results", async () => {
  const codes = ["6 * 7", "'needle 1'", "[1, 2]"];
  const history = async (content: object) => {
    for (const code of codes) await run(code);
    return (await ask("history_request", { output: false, raw: true, ...content })).history as unknown[][];
  };
  const tail = await history({ hist_access_type: "tail", n: 3 });
  expect(tail.map(([, , source]) => source)).toEqual(codes);
  expect((await history({ hist_access_type: "tail", n: 3, output: true })).map(([, , both]) => both)).toEqual(
    [
      ["6 * 7", "42"],
      ["'needle 1'", "needle 1"],
      ["[1, 2]", "[ 1, 2 ]"],
    ],
  );
  const [number, start] = tail[0] as [number, number];
  const range = await history({ hist_access_type: "range", session: number, start, stop: start + 1 });
  expect(range).toEqual([[number, start, "6 * 7"]]);
  const search = { hist_access_type: "search", pattern: "?needle*" };
  expect((await history(search)).length).toBeGreaterThanOrEqual(4);
  expect(await history({ ...search, unique: true })).toHaveLength(1);
  expect(await history({ ...search, n: 3 })).toHaveLength(3);
});

test("inspect", async () => {
  for (const code of ["console", "parseInt", "Math.max"])
    expect(await ask("inspect_request", { code, cursor_pos: code.length, detail_level: 0 })).toMatchObject({
      found: true,
      data: { "text/plain": expect.any(String) },
    });
});

test("clear_output", async () => {
  expect(typesOf(await run("console.clear()"))).toContain("clear_output");
});

test("connect and comm_info", async () => {
  await ask("connect_request");
  expect(await ask("comm_info_request")).toEqual({ status: "ok", comms: {} });
});
