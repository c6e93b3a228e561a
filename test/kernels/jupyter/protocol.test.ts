import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Dealer, Subscriber } from "zeromq";
import { openWire } from "../../../src/cli/ipynb/kernel.ts";
import { loadCatalogue } from "../../../src/service/catalogue/catalogue.ts";
import { newFolder } from "../../folder.ts";
import { openSession, type Session, textOf } from "./session.ts";

let session: Session;
beforeAll(async () => {
  const folder = newFolder();
  mkdirSync(join(folder, "data"));
  writeFileSync(join(folder, "local.ts"), "export const answer = 42;");
  writeFileSync(join(folder, "table one.csv"), "a,b");
  session = await openSession({ folder });
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
  await session.run("const linesOfData = [1]; class Lineage {}; function lineCount() { return 1 }");
  const complete = (code: string) =>
    session.ask("complete_request", { code, cursor_pos: code.length }) as Promise<Record<string, string[]>>;
  expect((await complete("line")).matches).toEqual(["lineCount", "linesOfData", "Lineage"]);
  expect((await complete("linesOfData.fi")).matches).toEqual(
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

test("the types of Node are there once, whatever packages refer to them", async () => {
  const { data } = await session.ask("inspect_request", { code: "fetch", cursor_pos: 3, detail_level: 0 });
  expect((data as Record<string, string>)["text/markdown"]!.match(/function fetch\(/g)).toHaveLength(1);
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
  await javascript.shutdown();
});

test("a promise of `prompt` where nobody can be asked says so", async () => {
  const { reply } = await session.run("prompt('name?')");
  expect(reply).toMatchObject({ status: "error", evalue: expect.stringMatching(/cannot ask for input/) });
});

test("a subscriber is welcomed; prompt, confirm and the lines of standard input ask the front end", async () => {
  const { connection } = session;
  const wire = openWire(connection.key);
  const [shell, stdin] = [new Dealer({ routingId: "asked" }), new Dealer({ routingId: "asked" })];
  const published = new Subscriber();
  try {
    shell.connect(`tcp://127.0.0.1:${connection.shell_port}`);
    stdin.connect(`tcp://127.0.0.1:${connection.stdin_port}`);
    published.connect(`tcp://127.0.0.1:${connection.iopub_port}`);
    published.subscribe();
    let welcome: unknown;
    const prompts: unknown[] = [];
    const passwords: unknown[] = [];
    const answers = ["Ada", "yes", "first", "second"];
    void (async () => {
      for await (const frames of stdin) {
        const message = wire.decode(frames);
        if (message?.type !== "input_request") continue;
        prompts.push(message.content?.prompt);
        passwords.push(message.content?.password);
        await stdin.send(wire.encode("input_reply", { value: answers.shift() }).frames);
      }
    })().catch(() => undefined);
    let shown: unknown;
    void (async () => {
      for await (const frames of published) {
        const message = wire.decode(frames.slice(frames.length - 6));
        if (message?.type === "iopub_welcome") welcome = message.content;
        if (message?.type === "execute_result") shown = message.content?.data;
      }
    })().catch(() => undefined);
    await expect.poll(() => welcome).toEqual({ subscription: "" });
    const code = `import { createInterface } from "node:readline/promises";
const name = prompt("Who?");
const sure = confirm("Sure?");
const lines = createInterface({ input: process.stdin });
const one = await lines.question("");
const two = await lines.question("");
[name, sure, one, two]`;
    await shell.send(wire.encode("execute_request", { code, silent: false, allow_stdin: true }).frames);
    const reply = wire.decode(await shell.receive());
    expect(reply?.content).toMatchObject({ status: "ok" });
    await expect.poll(() => shown).toEqual({ "text/plain": "[ 'Ada', true, 'first', 'second' ]" });
    expect(new Set(passwords)).toEqual(new Set([0]));
    expect(prompts.slice(0, 2)).toEqual(["Who? ", "Sure? [y/N] "]);
  } finally {
    for (const socket of [shell, stdin, published]) socket.close();
  }
});

describe("completion and inspection", () => {
  beforeAll(async () => {
    await session.run(`import { device, qasm, run } from "ketbook";
/** The rows of a table. */
const rows = [1], Rowing = 1;
class Rower {}
/** Doubles a number. */
function double(value: number, times = 1) { return value * 2 * times }
const program = qasm\`OPENQASM 3.0; qubit q;\`;`);
  });

  /** Asks for completions at the `|` of a cell. Returns them with the text that they replace, and their kinds. */
  async function complete(cell: string) {
    const at = cell.indexOf("|");
    const code = cell.replace("|", "");
    const reply = await session.ask("complete_request", { code, cursor_pos: at });
    const metadata = reply.metadata as { _jupyter_types_experimental: { text: string; type: string }[] };
    return {
      matches: reply.matches as string[],
      replaced: code.slice(reply.cursor_start as number, reply.cursor_end as number),
      types: Object.fromEntries(metadata._jupyter_types_experimental.map(({ text, type }) => [text, type])),
    };
  }

  async function inspect(cell: string): Promise<string | undefined> {
    const content = { code: cell.replace("|", ""), cursor_pos: cell.indexOf("|"), detail_level: 0 };
    const { found, data } = await session.ask("inspect_request", content);
    return found ? (data as Record<string, string>)["text/markdown"] : undefined;
  }

  const DEVICES = Array.from(loadCatalogue().keys(), qrn => qrn.replace(/^.*:/, "")).sort();

  test.each([
    ["run(program).on('|')", "", DEVICES],
    ["run(program).on('per|').shots(3)", "per", ["perth"]],
    ['device("sta|")', "sta", ["stabilizer", "statevector", "statevector-v1"]],
    ["import { answer } from './lo|'", "lo", ["local"]],
    [
      "import { readFileSync } from 'node:fs'; readFileSync('./|')",
      "",
      ["data", "local.ts", "table one.csv"],
    ],
    ["import { readFileSync } from 'node:fs'; readFileSync('tab|')", "tab", ["table one.csv"]],
    ["const at = './da|'", "da", ["data"]],
    ["import fs from 'node:fs/pro|'", "pro", ["promises"]],
    ["import fs from 'ketb|'", "ketb", ["ketbook", "ketbook/client", "ketbook/course"]],
    [
      "import { exercise| } from 'ketbook/course'",
      "exercise",
      ["exercise", "Exercise", "ExerciseCheck", "ExerciseOptions"],
    ],
    ["import { cancel| } from 'ketbook/client'", "cancel", ["cancelJob", "CancelOptions"]],
    ["require('node:fs').readFileS|", "readFileS", ["readFileSync"]],
    ["require('node:path').join('a').char|", "char", ["charAt", "charCodeAt"]],
    ["import { an| } from './local'", "an", ["answer"]],
    ["Row|", "Row", ["Rower", "Rowing", "rows"]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the cell that has a template.
    ["`${Rower|}`", "Rower", ["Rower"]],
    ["// row|", "", []],
    ["/* row|", "", []],
    ["const text = 'row|'", "row", []],
  ])("%s offers what fits in the place of %j", async (cell, replaced, matches) => {
    expect(await complete(cell)).toMatchObject({ replaced, matches });
  });

  test("names of earlier cells come with what they are, and names of packages are there", async () => {
    expect((await complete("Row|")).types).toMatchObject({ Rower: "class", rows: "variable" });
    expect((await complete("doub|")).types).toEqual({ double: "function" });
    expect((await complete("import x from '|'")).matches).toEqual(
      expect.arrayContaining(["node:fs", "ketbook"]),
    );
  });

  const PROGRAM =
    'OPENQASM 3.0;\ninclude "stdgates.inc";\ngate mine(angle) a { rx(angle) a; }\nqubit[2] reg;\nbit[2] made;\n';

  test.each([
    [`${PROGRAM}m|`, ["mine", "made", "mod", "measure", "mutable"]],
    [`${PROGRAM}h re|`, ["reg", "real", "readonly", "reset", "return"]],
    [`${PROGRAM}rz|`, ["rz", "rzz"]],
    ["OPENQASM 2.0;\nq|", ["qreg"]],
    ['OPENQASM 3.0;\ninclude "|', ["stdgates.inc", "qelib1.inc"]],
    ["OPENQASM 3.0;\n// h|", []],
    ["const p = qasm`qubit[2] reg; h re|`;", ["reg", "real", "readonly", "reset", "return"]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the cell that has a template.
    ["const p = qasm`rx(${Rower|}) q;`;", ["Rower"]],
  ])("%j offers the names of OpenQASM", async (cell, matches) => {
    expect((await complete(cell)).matches).toEqual(matches);
  });

  test("the kinds of OpenQASM's names are said", async () => {
    expect((await complete(`${PROGRAM}m|`)).types).toMatchObject({
      mine: "gate",
      made: "register",
      measure: "keyword",
    });
  });

  test.each([
    [`${PROGRAM}c|x reg[0], reg[1];`, /gate cx a, b[\s\S]*Controlled X/],
    [`${PROGRAM}mi|ne(1) reg[0];`, /gate mine\(angle\) a[\s\S]*of this program/],
    [`${PROGRAM}h re|g[0];`, /qubit\[2\] reg[\s\S]*register of 2 qubits/],
    ["const p = qasm`s|wap q[0], q[1];`;", /Exchanges two qubits/],
    ["double(ro|ws.length)", /const rows: number\[\][\s\S]*Parameter: \*\*value: number\*\*/],
    ["rows|", /const rows: number\[\][\s\S]*The rows of a table/],
    ["double(1, |)", /Parameter: \*\*times\?: number\*\*[\s\S]*Doubles a number/],
  ])("inspecting %j says what is there", async (cell, said) => {
    expect(await inspect(cell)).toMatch(said);
  });

  test.each(["nowhere|", "let a = noSuch| + 1", `${PROGRAM}bog|us;`, "|"])(
    "of %j nothing is found",
    async cell => {
      expect(await inspect(cell)).toBeUndefined();
    },
  );
});
