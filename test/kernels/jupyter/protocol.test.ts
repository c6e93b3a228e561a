import { beforeAll, expect, test } from "vitest";
import { openSession, type Session, textOf } from "./session.ts";

let session: Session;
beforeAll(async () => {
  session = await openSession();
});

test("kernel_info says all that the protocol asks for", () => {
  expect(session.info).toMatchObject({
    status: "ok",
    protocol_version: expect.stringMatching(/^5\.\d/),
    implementation: "ketbook",
    implementation_version: expect.any(String),
    banner: expect.any(String),
    language_info: {
      name: "typescript",
      mimetype: expect.any(String),
      file_extension: ".ts",
      codemirror_mode: expect.anything(),
    },
    help_links: expect.any(Array),
  });
});

test("standard output and error are streams", async () => {
  expect((await session.run("console.log('hello, world')")).outputs).toMatchObject([
    { name: "stdout", text: "hello, world\n" },
  ]);
  expect((await session.run("console.error('oh')")).outputs).toMatchObject([
    { name: "stderr", text: "oh\n" },
  ]);
});

test.each([
  ["1 + 1", "complete"],
  ["function f() {\n  return `a`;\n}", "complete"],
  ["for (let i = 0; i < 3; i++) {", "incomplete"],
  ["const s = `open", "incomplete"],
  ["f(1,", "incomplete"],
  ["/* open", "incomplete"],
  ["const = 3", "invalid"],
  ["1 +* 2", "invalid"],
  ["))", "invalid"],
  ["OPENQASM 3.0;", "unknown"],
])("is_complete says that %j is %s", async (code, status) => {
  expect(await session.ask("is_complete_request", { code })).toMatchObject({ status });
});

test("a begun block is indented in its next line", async () => {
  expect(await session.ask("is_complete_request", { code: "  if (1) {" })).toMatchObject({ indent: "    " });
});

test("completion knows members, names of earlier cells and of the language, by case first, with their kinds", async () => {
  await session.run("const rowsOfData = [1]; class Rowing {}; function rowCount() { return 1 }");
  const complete = (code: string) =>
    session.ask("complete_request", { code, cursor_pos: code.length }) as Promise<Record<string, string[]>>;
  expect((await complete("row")).matches).toEqual(["rowCount", "rowsOfData", "Rowing"]);
  expect((await complete("rowsOfData.fi")).matches).toEqual(
    expect.arrayContaining(["filter", "find", "findLast"]),
  );
  expect((await complete("Iterator.fr")).matches).toContain("from");
  expect((await complete("process.pi")).metadata).toMatchObject({
    _jupyter_types_experimental: [{ text: "pid", type: "property", start: 8, end: 10 }],
  });
  expect((await complete("await impo")).status).toBe("ok");
});

test("inspection shows types, the signature inside a call, and says of nothing that it is nothing", async () => {
  const inspect = (code: string, cursor_pos: number) =>
    session.ask("inspect_request", { code, cursor_pos, detail_level: 0 });
  await session.run(
    "/** Doubles a number. */\nfunction double(value: number, times = 1): number { return value * 2 * times }",
  );
  expect(await inspect("double", 3)).toMatchObject({
    found: true,
    data: { "text/plain": expect.stringMatching(/function double\(value: number[\s\S]*Doubles a number\./) },
  });
  expect(await inspect("double(1, )", 10)).toMatchObject({
    found: true,
    data: { "text/markdown": expect.stringMatching(/Parameter: \*\*times\?: number\*\*/) },
  });
  expect(await inspect("nowhereToBeFound", 4)).toMatchObject({ status: "ok", found: false, data: {} });
});

test("history gives the last cells, a range, and what matches a pattern", async () => {
  await session.run("'needle 1'");
  await session.run("'needle 2'");
  const ask = async (content: object) =>
    (await session.ask("history_request", { output: false, raw: true, ...content })).history as unknown[][];
  expect((await ask({ hist_access_type: "tail", n: 2 })).map(([, , source]) => source)).toEqual([
    "'needle 1'",
    "'needle 2'",
  ]);
  expect((await ask({ hist_access_type: "search", pattern: "*needle ?'" })).length).toBe(2);
  expect(await ask({ hist_access_type: "range", session: 0, start: 1, stop: 2 })).toMatchObject([
    [0, 1, "console.log('hello, world')"],
  ]);
});

test("a comm that is opened is closed: there is no target for one", async () => {
  void session.ask("comm_open", { comm_id: "mine", target_name: "unknown", data: {} });
  await expect
    .poll(() => session.published)
    .toContainEqual(expect.objectContaining({ type: "comm_close", content: { comm_id: "mine", data: {} } }));
});

test("every request has its reply, also one that nobody knows", async () => {
  expect(await session.ask("comm_info_request", {})).toEqual({ status: "ok", comms: {} });
  expect(await session.ask("connect_request", {})).toMatchObject({ shell_port: expect.any(Number) });
  expect(await session.ask("no_such_request", {})).toMatchObject({
    status: "error",
    ename: "UnknownRequest",
  });
});

test("expressions of the user are answered with the cell, each with its value or its error", async () => {
  const { user_expressions } = await session.ask("execute_request", {
    code: "const five = 5;",
    user_expressions: { good: "five + 1", bad: "nothing.at.all" },
  });
  expect(user_expressions).toMatchObject({
    good: { status: "ok", data: { "text/plain": "6" } },
    bad: { status: "error", ename: "ReferenceError" },
  });
});

test("a silent request is silent", async () => {
  const { messages } = await session.run("1");
  const before = messages.length;
  await session.ask("execute_request", {
    code: "console.log('heard?'); throw new Error('no')",
    silent: true,
  });
  expect(messages).toHaveLength(before);
});

test("console.clear clears the output", async () => {
  const { outputs } = await session.run("console.log('gone');\nconsole.clear();\nconsole.log('stays')");
  expect(outputs).toMatchObject([{ text: "stays\n" }]);
});

test("requests are answered while a cell computes", async () => {
  const running = session.run("const until = Date.now() + 600; while (Date.now() < until);\n'done'");
  const asked = performance.now();
  await session.ask("complete_request", { code: "Mat", cursor_pos: 3 });
  await session.ask("kernel_info_request", {});
  expect(textOf(await running)).toBe("done");
  expect(performance.now() - asked).toBeGreaterThan(300);
});

test("// @ts-nocheck and JavaScript leave types alone", async () => {
  expect(textOf(await session.run("// @ts-nocheck\nconst wrong: number = 'text';\nwrong"))).toBe("text");
  const javascript = await openSession({ javascript: true });
  expect(textOf(await javascript.run("let n = 1; n = 'text'; n"))).toBe("text");
  expect(javascript.info.language_info).toMatchObject({ name: "javascript", file_extension: ".js" });
});

test("a promise of `prompt` where nobody can be asked says so", async () => {
  const { reply } = await session.run("prompt('name?')");
  expect(reply).toMatchObject({ status: "error", evalue: expect.stringMatching(/cannot ask for input/) });
});
