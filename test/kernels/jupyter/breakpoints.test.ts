import { expect, test } from "vitest";
import { EARLY, useDebugger } from "./debug-session.ts";
import { errorOf, textOf } from "./session.ts";

const debug = useDebugger();

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
