import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectDebugger } from "./debug-client.ts";
import { EARLY, useDebugger } from "./debug-session.ts";
import { errorOf, openSession, textOf } from "./session.ts";

const debug = useDebugger();

const LOOP = `interface Gone { a: number }
let total = 0;

function add(n: number): number {
  const next: number = total + n;
  total = next;
  return next;
}
for (let i = 0; i < 2; i++) {
  add(i);
}
total`;

test("a cell stops at the lines of its own TypeScript, steps, shows its variables, and ends as ever", async () => {
  const { session, client } = debug;
  expect(await client.breakAt(LOOP, 1, 5)).toEqual([2, 5]);
  const running = session.run(LOOP);
  expect(await client.stopped()).toMatchObject({
    reason: "breakpoint",
    threadId: 1,
    allThreadsStopped: true,
  });
  expect(await client.stack()).toEqual(["Cell [2]:2"]);
  expect((await client.ask("debugInfo")).stoppedThreads).toEqual([1]);
  const { stackFrames } = await client.ask("stackTrace", { threadId: 1 });
  const { sourcePath } = await client.ask("dumpCell", { code: LOOP });
  expect(stackFrames[0].source).toEqual({ name: "Cell [2]", path: sourcePath });

  const lines = [];
  for (const command of ["next", "next", "continue", "next", "next", "stepOut", "next", "stepIn"]) {
    if (lines.length === 2) expect((await client.variables()).Locals).toEqual({ i: "0" });
    await client.ask(command, { threadId: 1 });
    await client.stopped();
    lines.push((await client.stack()).join(" < "));
    if (lines.length === 5)
      expect(await client.variables()).toMatchObject({
        Locals: { n: "0", next: "0" },
        Globals: { total: "0", add: "ƒ (n)", early: "ƒ ({ left, right })" },
      });
  }
  expect(lines).toEqual([
    "Cell [2]:9",
    "Cell [2]:10",
    "add:5 < Cell [2]:10",
    "add:6 < Cell [2]:10",
    "add:7 < Cell [2]:10",
    "Cell [2]:9",
    "Cell [2]:10",
    "add:5 < Cell [2]:10",
  ]);
  await client.ask("continue");
  const ran = await running;
  expect(ran.reply).toMatchObject({ status: "ok" });
  expect(textOf(ran)).toBe("1");
});

test("a step in at a call enters it, and steps past the end of a cell end it and stop no other", async () => {
  const { session, client } = debug;
  const code = "const doubled = early({ left: 1, right: 2 }) * 2;\ndoubled";
  await client.breakAt(code, 1);
  const running = session.run(code);
  await client.stopped();
  await client.ask("stepIn");
  await client.stopped();
  expect((await client.stack())[0]).toMatch(/^early:3$/);
  await client.ask("stepOut");
  await client.stopped();
  expect((await client.stack())[0]).toMatch(/:2$/);
  await client.ask("next");
  expect(textOf(await running)).toBe("6");
  expect((await session.run("const after = 1;\nafter")).reply).toMatchObject({ status: "ok" });
});

const DECORATED = `import { offset } from "./decorated.ts";
interface Unseen { a: number }

namespace Steps { export const by = 2; }
namespace Steps { export const twice = by * 2; }
const traced = <T extends Function>(value: T, _: ClassMethodDecoratorContext) => value;
class Walk {
  accessor at = 0;
  @traced
  go(by: number): number {
    const next: number = this.at + by;
    this.at = next;
    return offset(next);
  }
}
new Walk().go(Steps.twice)`;

test("lines are the cell's own, and those of a module, where decorators and namespaces are made JavaScript", async () => {
  const { session, client } = debug;
  writeFileSync(
    join(session.folder, "decorated.ts"),
    `type Unseen = { a: number };

const plain = (_: unknown, __: unknown) => {};
@plain
class Offset {
  add(n: number): number {
    return n + 100;
  }
}
export const offset = (n: number): number => {
  if (n < 0) throw new Error("below zero");
  return new Offset().add(n);
};
`,
  );
  expect(await client.breakAt(DECORATED, 11, 13)).toEqual([11, 13]);
  const running = session.run(DECORATED);
  await client.stopped();
  expect(await client.stack()).toEqual(["go:11", expect.stringMatching(/^Cell .*:16$/)]);
  await client.ask("continue");
  await client.stopped();
  expect((await client.stack())[0]).toBe("go:13");
  const { Locals, Globals } = await client.variables();
  expect(Locals).toEqual({ by: "4", next: "4" });
  expect(Globals).toMatchObject({ Steps: "{by: 2, twice: 4}", Walk: "class Walk", offset: "ƒ (n)" });
  expect(Object.keys(Globals ?? {}).filter(name => name.startsWith("__"))).toEqual([]);
  await client.ask("continue");
  expect(textOf(await running)).toBe("104");
  await client.breakAt(DECORATED);
  const { traceback } = errorOf(await session.run("new Walk().go(-1)"));
  expect(traceback).toContain("decorated.ts:11:20");
  expect(traceback).toContain("> 11 |");
});

test("an async function stops after it has waited, its callers after it, and steps over a wait", async () => {
  const { session, client } = debug;
  const code = `async function later(n: number) {
  await new Promise(done => setTimeout(done, 10));
  const twice = n * 2;
  await null;
  return twice;
}
await later(4)`;
  await client.breakAt(code, 3);
  const running = session.run(code);
  await client.stopped();
  expect(await client.stack()).toEqual([
    expect.stringMatching("later:3"),
    expect.stringMatching(/^Cell .*:7$/),
  ]);
  for (const line of [4, 5]) {
    await client.ask("next");
    await client.stopped();
    expect((await client.stack())[0]).toBe(`later:${line}`);
  }
  expect((await client.variables()).Locals).toEqual({ n: "4", twice: "8" });
  await client.ask("continue");
  expect(textOf(await running)).toBe("8");
});

test("local modules stop at their own lines, from their first run on", async () => {
  const { session, client } = debug;
  const path = join(session.folder, "helper.ts");
  writeFileSync(
    path,
    "interface Gone { a: 1 }\n\nexport function helped(n: number): number {\n  const more = n + 1;\n  return more;\n}\n",
  );
  await client.ask("setBreakpoints", { source: { path }, breakpoints: [{ line: 5 }] });
  const running = session.run('import { helped } from "./helper.ts";\nhelped(1)');
  await client.stopped();
  expect(await client.stack()).toEqual(["helped:5", expect.stringMatching(/^Cell .*:2$/)]);
  expect((await client.variables()).Locals).toMatchObject({ n: "1", more: "2" });
  await client.ask("continue");
  expect(textOf(await running)).toBe("2");
  const { modules } = await client.ask("modules");
  expect(modules).toContainEqual({ id: expect.any(Number), name: "helper.ts", path });
  expect((await client.ask("source", { source: { path } })).content).toMatch(/^interface Gone/);
});

test("breakpoints are set in closures of cells that ran before debugging began", async () => {
  const { session, client } = debug;
  expect(await client.breakAt(EARLY, 4)).toEqual([4]);
  const running = session.run("early({ left: 20, right: 22 })");
  await client.stopped();
  expect((await client.stack())[0]).toBe("early:4");
  expect((await client.variables()).Locals).toEqual({ left: "20", right: "22", "Return value": "42" });
  await client.ask("continue");
  expect(textOf(await running)).toBe("42");
});

test("a breakpoint may have a condition in TypeScript, a number of hits, or only write a message", async () => {
  const { session, client } = debug;
  const code = "for (let i = 0; i < 10; i++) {\n  const square = i * i;\n  void square;\n  void i;\n}";
  const condition = "(i as number) % 4 === 3";
  await client.breakAt(
    code,
    { line: 2, condition },
    { line: 3, hitCondition: "9" },
    { line: 4, logMessage: "i is {i}!" },
  );
  const running = session.run(code);
  const seen = [];
  for (let stop = 0; stop < 4; stop += 1) {
    await client.stopped();
    seen.push([(await client.stack())[0]!.split(":")[1], (await client.variables()).Locals!.i]);
    await client.ask("continue");
  }
  expect(seen).toEqual([
    ["2", "3"],
    ["2", "7"],
    ["3", "8"],
    ["3", "9"],
  ]);
  const { outputs } = await running;
  const text = outputs.map(output => (output.output_type === "stream" ? output.text : "")).join("");
  expect(text).toBe(Array.from({ length: 10 }, (_, i) => `i is ${i}!\n`).join(""));
});

test("an exception stops where it is thrown, if that is asked for", async () => {
  const { session, client } = debug;
  await client.ask("setExceptionBreakpoints", { filters: ["uncaught"] });
  const code = `try { JSON.parse("{"); } catch {}
async function fails() {
  await null;
  throw new RangeError("late");
}
await fails().catch(() => undefined);
try { await fails() } catch {}
const failing = fails();
await failing;`;
  const running = session.run(code);
  expect(await client.stopped()).toMatchObject({ reason: "exception", text: "RangeError: late" });
  expect((await client.stack())[0]).toBe("fails:4");
  expect(await client.ask("exceptionInfo")).toMatchObject({
    exceptionId: "RangeError",
    breakMode: "unhandled",
  });
  await client.ask("setExceptionBreakpoints", { filters: [] });
  await client.ask("continue");
  expect(errorOf(await running)).toMatchObject({ ename: "RangeError", evalue: "late" });
  expect(errorOf(await session.run("throw new Error('quiet')")).evalue).toBe("quiet");
});

test("a program that is stopped can be interrupted; the state lives on, and so do the breakpoints", async () => {
  const { session, client } = debug;
  const code = "let rounds = 0;\nfor (;;) {\n  rounds += 1;\n}";
  await client.breakAt(code, 3);
  for (let round = 0; round < 2; round += 1) {
    const running = session.run(code);
    await client.stopped();
    session.interrupt();
    expect(errorOf(await running)).toMatchObject({ ename: "Interrupted" });
    expect(textOf(await session.run("[rounds, early({ left: 1, right: 1 })]"))).toBe("[ 0, 2 ]");
  }
});

test("callbacks of timers stop, with what they see", async () => {
  const { session, client } = debug;
  const code =
    "const kept = 'near';\nsetTimeout(() => {\n  const inner = kept + '!';\n  console.log(inner);\n}, 20);\nundefined";
  await client.breakAt(code, 4);
  await session.run(code);
  await client.stopped();
  expect((await client.variables()).Locals).toEqual({ inner: "'near!'" });
  await client.ask("continue");
});

test("what was written before a stop is seen, and a busy program can be stopped where it is", async () => {
  const { session, client } = debug;
  const running = session.run("console.log('begun');\nlet turns = 0;\nfor (;;) turns += 1;");
  const turning = async () =>
    (await client.ask("inspectVariables")).variables.some(
      (each: { name: string; value: string }) => each.name === "turns" && Number(each.value) > 0,
    );
  await expect.poll(turning, { timeout: 20_000 }).toBe(true);
  await client.ask("pause", { threadId: 1 });
  expect(await client.stopped()).toMatchObject({ reason: "pause" });
  expect((await client.stack())[0]).toMatch(/:3$/);
  const written = session.published
    .filter(({ type }) => type === "stream")
    .map(({ content }) => content?.text);
  expect(written.join("")).toContain("begun\n");
  expect(Number((await client.variables()).Globals!.turns)).toBeGreaterThan(0);
  session.interrupt();
  expect(errorOf(await running)).toMatchObject({ ename: "Interrupted" });
});

test("expressions are evaluated in a frame, as TypeScript, and may change what it sees", async () => {
  const { session, client } = debug;
  const code = "function scale(factor: number) {\n  const by = factor;\n  return by * 10;\n}\nscale(2)";
  await client.breakAt(code, 3);
  const running = session.run(code);
  await client.stopped();
  const [{ id: frameId }] = (await client.ask("stackTrace")).stackFrames;
  const evaluate = (expression: string) => client.send("evaluate", { expression, frameId, context: "repl" });
  expect((await evaluate("by + (factor as number)")).body).toMatchObject({ result: "4", type: "number" });
  expect((await evaluate("{ by, early }")).body.variablesReference).toBeGreaterThan(0);
  expect(await evaluate("missing")).toMatchObject({
    success: false,
    message: "ReferenceError: missing is not defined",
  });
  expect(await evaluate("1 +")).toMatchObject({ success: false });
  expect((await evaluate("factor = 7")).body.result).toBe("7");
  expect((await client.variables()).Locals).toEqual({ factor: "7", by: "2" });
  const [locals] = (await client.ask("scopes", { frameId })).scopes;
  const set = { variablesReference: locals.variablesReference, name: "factor", value: "8" };
  expect(await client.ask("setVariable", set)).toMatchObject({ value: "8", type: "number" });
  await client.ask("copyToGlobals", {
    srcVariableName: "by",
    dstVariableName: "copied",
    srcFrameId: frameId,
  });
  await client.ask("continue");
  expect(textOf(await running)).toBe("20");
  const ran = await session.run("copied + 1");
  expect(textOf(ran)).toBe("3");
});

test("values open into their parts: private fields, entries, getters, long lists in ranges", async () => {
  const { session, client } = debug;
  await session.run(`class Account { #balance = 5; owner = { name: "Ada" }; get due() { return this.#balance * 2 } }
const account = new Account();
const big = Float64Array.from({ length: 25_000 }, (_, index) => index);
const table = new Map<string, number[]>([["a", [1, 2]]]);
const fetch = "mine";
const text = "line\\nline", nothing = null, huge = 10n ** 20n, when = new Date(0);
enum Side { Left, Right }`);
  const { variables } = await client.ask("inspectVariables");
  const named = (name: string) => variables.find((each: { name: string }) => each.name === name);
  const parts = async ({ variablesReference }: { variablesReference: number }, page = {}) =>
    (await client.ask("variables", { variablesReference, ...page })).variables;
  const values = (list: { name: string; value: string }[]) =>
    list.map(({ name, value }) => `${name} = ${value}`);

  expect(named("account")).toMatchObject({
    type: "Account",
    value: "Account {#balance: 5, owner: Object}",
  });
  expect(named("fetch")).toMatchObject({ type: "string", value: "'mine'" });
  expect(named("text").value).toBe("'line\\nline'");
  expect([named("nothing").type, named("huge").value, named("when").type]).toEqual([
    "null",
    `${10n ** 20n}n`,
    "Date",
  ]);
  expect(named("table").value).toBe("Map(1) {'a' => [1, 2]}");
  expect(named("Account")).toMatchObject({ type: "class", value: "class Account" });
  expect(named("Pair")).toBeUndefined();
  const fields = await parts(named("account"));
  expect(values(fields)).toEqual(["owner = {name: 'Ada'}", "#balance = 5"]);
  expect(values(await parts(fields[0]))).toEqual(["name = 'Ada'"]);
  const ranges = await parts(named("big"));
  expect(values(ranges)).toEqual(["[0 … 9999] = ", "[10000 … 19999] = ", "[20000 … 24999] = "]);
  expect((await parts(ranges[2])).at(-1).name).toBe("[24900 … 24999]");
  expect(values((await parts((await parts(ranges[2])).at(-1))).slice(-1))).toEqual(["24999 = 24999"]);
  expect(values(await parts(named("big"), { filter: "indexed", start: 3, count: 2 }))).toEqual([
    "3 = 3",
    "4 = 4",
  ]);
  expect(values(await parts((await parts(named("table")))[0]))).toEqual(['0 = {"a" => Array(2)}']);
});

test("a variable is shown as its cell would show it, stopped or not", async () => {
  const { session, client } = debug;
  await session.run("const rows = [{ a: 1 }, { a: 2 }];");
  const shown = await client.ask("richInspectVariables", { variableName: "rows" });
  expect(shown).toMatchObject({
    data: { "text/plain": "[ { a: 1 }, { a: 2 } ]", "text/html": expect.stringContaining("<table") },
  });
  const code = "((inside: number[]) => {\n  return inside.length;\n})([5])";
  await client.breakAt(code, 2);
  const running = session.run(code);
  await client.stopped();
  const [{ id: frameId }] = (await client.ask("stackTrace")).stackFrames;
  const local = await client.ask("richInspectVariables", { variableName: "inside", frameId });
  expect(local).toMatchObject({ data: { "text/plain": "[ 5 ]" } });
  await client.ask("continue");
  await running;
});

test("a debugger statement stops, and a disconnect lets the program run and forgets the breakpoints", async () => {
  const { session, client } = debug;
  const code = "let passed = 1;\ndebugger;\npassed += 1;\npassed";
  await client.breakAt(code, 3);
  const running = session.run(code);
  await client.stopped();
  expect((await client.stack())[0]).toMatch(/:2$/);
  await client.ask("disconnect", { restart: false, terminateDebuggee: false });
  expect(textOf(await running)).toBe("2");
  expect(await client.ask("debugInfo")).toMatchObject({
    isStarted: false,
    breakpoints: [],
    stoppedThreads: [],
  });
  expect(textOf(await session.run(code))).toBe("2");
  const names = (await client.ask("inspectVariables")).variables.map((each: { name: string }) => each.name);
  expect(names).toContain("passed");
  expect(names.filter((name: string) => /^(?:comms|display|require|widgets)$/.test(name))).toEqual([]);
  expect(await client.send("stackTrace", { threadId: 1 })).toMatchObject({ success: false });
  expect(await client.send("nonsense")).toMatchObject({
    success: false,
    message: expect.stringContaining("nonsense"),
  });
});

test("a kernel that is stopped, or is debugged, ends when it is asked to", async () => {
  for (const code of ["debugger;", "1"]) {
    const other = await openSession({ waitForTypes: false });
    const debuggerOfOther = connectDebugger(other);
    await debuggerOfOther.ask("initialize");
    await debuggerOfOther.ask("attach");
    const running = other.run(code);
    await (code === "1" ? running : debuggerOfOther.stopped());
    expect(await other.shutdown()).toBe(0);
  }
});
