import { expect, test } from "vitest";
import { useDebugger } from "./debug-session.ts";
import { textOf } from "./session.ts";

const debug = useDebugger();

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
