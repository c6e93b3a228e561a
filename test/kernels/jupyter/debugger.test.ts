import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectDebugger } from "./debug-client.ts";
import { useDebugger } from "./debug-session.ts";
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
    const other = await openSession();
    const debuggerOfOther = connectDebugger(other);
    await debuggerOfOther.ask("initialize");
    await debuggerOfOther.ask("attach");
    const running = other.run(code);
    await (code === "1" ? running : debuggerOfOther.stopped());
    expect(await other.shutdown()).toBe(0);
  }
});
